import { ActionIcon, Anchor, Button, Checkbox, Group, Menu, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, useState } from 'react';
import { t } from '../languages/translate.ts';
import { Icon, type IconName } from './icons.tsx';

export interface Column<Row> {
  /** Unique in the table; the sort key where the column sorts. */
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** A second, quieter line. */
  note?: (row: Row) => ReactNode;
  /** The tooltip of the cell. */
  title?: (row: Row) => string | undefined;
  /** Right-aligned, with digits of one width. */
  isNumber?: boolean;
  isDimmed?: boolean;
  /** Long text wraps instead of being cut off. */
  isWrapped?: boolean;
  isSortable?: boolean;
  /** The first click sorts descending. */
  isLargestFirst?: boolean;
  width?: number | string;
}

export interface RowAction {
  label: string;
  onClick: () => void;
  icon?: IconName;
  /** Deletes or revokes something. */
  isDestructive?: boolean;
}

export interface RowOptions<Row> {
  columns: readonly Column<Row>[];
  /** Names the row in the labels of its checkbox, actions and details. */
  rowName?: (row: Row) => string;
  /** The page that a click on the row opens. The first column carries the link. */
  rowLink?: (row: Row) => string;
  /** What a click on the row opens where it is no page. The first column carries the button. */
  onOpen?: (row: Row) => void;
  /** Buttons at the end of the row. */
  actions?: (row: Row) => readonly RowAction[];
  /** Shows the actions in a menu. */
  hasActionMenu?: boolean;
  /** A second row that opens below; undefined where the row has no details. */
  details?: (row: Row) => ReactNode;
}

interface DataRowProps<Row> extends RowOptions<Row> {
  row: Row;
  rowKey: string;
  /** undefined where rows cannot be selected. */
  isSelected: boolean | undefined;
  onToggle: (key: string) => void;
}

function PlainDataRow<Row>(props: DataRowProps<Row>) {
  const { row, rowKey, isSelected, onToggle, columns, rowName, rowLink, onOpen, actions, hasActionMenu, details } =
    props;
  const [isOpen, setIsOpen] = useState(false);
  const name = rowName?.(row) ?? '';
  const more = details?.(row);
  const width = columns.length + (isSelected === undefined ? 0 : 1) + 1;
  return (
    <>
      <Table.Tr data-selected={isSelected} data-clickable={rowLink !== undefined || onOpen !== undefined}>
        {isSelected !== undefined && (
          <Table.Td className="control-cell">
            <Checkbox
              size="xs"
              aria-label={t('Select {name}', { name })}
              checked={isSelected}
              onChange={() => onToggle(rowKey)}
            />
          </Table.Td>
        )}
        {columns.map(({ id, label, cell, note, title, isNumber, isDimmed, isWrapped }, i) => {
          const second = note?.(row);
          return (
            <Table.Td
              key={id}
              data-label={label}
              title={title?.(row)}
              ta={isNumber ? 'right' : undefined}
              c={isDimmed ? 'dimmed' : undefined}
              className={isNumber ? 'number' : undefined}
              data-wrapped={isWrapped}
            >
              {i === 0 ? (
                <RowLink to={rowLink?.(row)} onOpen={onOpen && (() => onOpen(row))}>
                  {cell(row)}
                </RowLink>
              ) : (
                cell(row)
              )}
              {second && (
                <Text size="xs" c="dimmed" truncate={!isWrapped} component="div" data-note>
                  {second}
                </Text>
              )}
            </Table.Td>
          );
        })}
        {actions && (
          <Table.Td className="control-cell">
            <RowActions name={name} actions={actions(row)} isMenu={hasActionMenu === true} />
          </Table.Td>
        )}
        {details && (
          <Table.Td className="control-cell">
            {more && (
              <Group justify="flex-end">
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  rightSection={<Icon name={isOpen ? 'up' : 'down'} size={13} />}
                  onClick={() => setIsOpen(!isOpen)}
                  aria-expanded={isOpen}
                  aria-label={name ? t('Details of {name}', { name }) : undefined}
                >
                  {t('Details')}
                </Button>
              </Group>
            )}
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && more && (
        <Table.Tr>
          <Table.Td colSpan={width} data-wrapped>
            {more}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** Rendered again only when its row or the options change: a further page or a selection would render hundreds of rows. */
export const DataRow = memo(PlainDataRow) as typeof PlainDataRow;

function RowLink({ to, onOpen, children }: { to?: string; onOpen?: () => void; children: ReactNode }) {
  if (to !== undefined) {
    return (
      <Anchor component={Link} to={to} fw={550} size="sm" data-row-link>
        {children}
      </Anchor>
    );
  }
  if (!onOpen) return children;
  return (
    <UnstyledButton className="cell" fz="sm" fw={550} onClick={onOpen} data-row-link>
      {children}
    </UnstyledButton>
  );
}

function RowActions({ name, actions, isMenu }: { name: string; actions: readonly RowAction[]; isMenu: boolean }) {
  if (actions.length === 0) return null;
  if (isMenu) {
    return (
      <Group justify="flex-end">
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={t('Actions for {name}', { name })}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ label, icon, isDestructive, onClick }) => (
              <Menu.Item
                key={label}
                color={isDestructive ? 'var(--worse)' : undefined}
                leftSection={icon && <Icon name={icon} size={16} />}
                onClick={onClick}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    );
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {actions.map(({ label, icon, isDestructive, onClick }) => (
        <Button
          key={label}
          variant="subtle"
          color={isDestructive ? 'red' : 'gray'}
          size="compact-sm"
          leftSection={icon && <Icon name={icon} size={14} />}
          onClick={onClick}
          aria-label={name ? `${label} ${name}` : undefined}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
