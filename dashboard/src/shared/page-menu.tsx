import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { Icon, type IconName } from './icons.tsx';

interface PageMenuItem {
  label: string;
  icon: IconName;
  isDisabled?: boolean;
  /** A page of the dashboard. */
  to?: string;
  onClick?: () => void;
}

/** The actions of a page, or of what `label` names, besides its primary one. */
export function PageMenu({ items, label = t('More actions') }: { items: readonly PageMenuItem[]; label?: string }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={label}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label: name, icon, to, onClick, isDisabled = false }) =>
          to === undefined ? (
            <Menu.Item key={name} leftSection={<Icon name={icon} size={16} />} disabled={isDisabled} onClick={onClick}>
              {name}
            </Menu.Item>
          ) : (
            <Menu.Item key={name} leftSection={<Icon name={icon} size={16} />} component={Link} to={to}>
              {name}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
