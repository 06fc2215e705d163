import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { Icon, type IconName } from './icons.tsx';

interface PageMenuItem {
  label: string;
  icon: IconName;
  /** A page of the dashboard. */
  to?: string;
  onClick?: () => void;
}

/** The actions of a page besides its primary one. */
export function PageMenu({ items }: { items: readonly PageMenuItem[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('More actions')}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, icon, to, onClick }) =>
          to === undefined ? (
            <Menu.Item key={label} leftSection={<Icon name={icon} size={16} />} onClick={onClick}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} leftSection={<Icon name={icon} size={16} />} component={Link} to={to}>
              {label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
