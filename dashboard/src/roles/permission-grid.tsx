import type { Collection } from '@headwater/sdk';
import { Box, Button, Checkbox, Table, Text } from '@mantine/core';
import { Fragment, type KeyboardEvent, useState } from 'react';
import type { FieldErrors } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import type { Permission } from '../users/rights.ts';
import { ACTION_LABELS, ACTIONS, ALL_COLLECTIONS } from './labels.ts';
import { PermissionLimits, useSummary } from './permission-limits.tsx';
import { type GridRow, hasLimits, pointerOf, rowsOf, stateOf, toggle } from './permissions.ts';

interface PermissionGridProps {
  collections: readonly Collection[];
  permissions: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
  errors: FieldErrors;
  /** Limits are open, since their buttons are not. */
  isReadOnly: boolean;
}

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -ACTIONS.length],
  End: [0, ACTIONS.length],
};

/** Collections and what the role may do with their entries. One tab stop; the arrow keys move inside. */
export function PermissionGrid({ collections, permissions, onChange, errors, isReadOnly }: PermissionGridProps) {
  const rows = rowsOf(collections, permissions, t('All collections'));
  const [active, setActive] = useState('0:0');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const keyOf = ({ collection }: GridRow, i: number) =>
    `${collection} ${i - rows.findIndex((each) => each.collection === collection)}`;
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    const from = (event.target as HTMLElement).dataset.cell?.split(':').map(Number);
    if (!step || !from) return;
    event.preventDefault();
    const at = (i: number, most: number) => Math.max(0, Math.min(most, (from[i] ?? 0) + (step[i] ?? 0)));
    const cell = `${at(0, rows.length - 1)}:${at(1, ACTIONS.length)}`;
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${cell}"]`)?.focus();
  };
  const cell = (row: number, column: number) => {
    const name = `${row}:${column}`;
    return { 'data-cell': name, tabIndex: active === name ? 0 : -1, onFocus: () => setActive(name) };
  };
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table className="data-table" aria-label={t('Content')} verticalSpacing={6} onKeyDown={move}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Collection')}</Table.Th>
            {ACTIONS.map((action) => (
              <Table.Th key={action}>{ACTION_LABELS[action]}</Table.Th>
            ))}
            <Table.Th>{t('Limits')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, i) => {
            const key = keyOf(row, i);
            const name = row.isFurther ? t('{name}, further limits', { name: row.name }) : row.name;
            const permission = row.index === undefined ? undefined : permissions[row.index];
            const pointer = row.index === undefined ? undefined : pointerOf(permissions, row.index);
            const faults = [...errors].filter(([at]) => pointer && (at === pointer || at.startsWith(`${pointer}/`)));
            const isOpen =
              permission !== undefined && (open.has(key) || faults.length > 0 || (isReadOnly && hasLimits(permission)));
            return (
              <Fragment key={key}>
                <Table.Tr>
                  <Table.Td data-wrapped>
                    {row.collection === ALL_COLLECTIONS ? <b>{name}</b> : name}
                    {permission && <Summary permission={permission} collections={collections} />}
                  </Table.Td>
                  {ACTIONS.map((action, column) => {
                    const state = stateOf(permissions, row, action);
                    const label = `${ACTION_LABELS[action]}: ${name}`;
                    return (
                      <Table.Td key={action} data-label={ACTION_LABELS[action]}>
                        <Checkbox
                          checked={state === 'own'}
                          indeterminate={state === 'all'}
                          aria-label={state === 'all' ? t('{label}, as for all collections', { label }) : label}
                          onChange={() => onChange(toggle(permissions, row, action))}
                          {...cell(i, column)}
                        />
                      </Table.Td>
                    );
                  })}
                  <Table.Td data-label={t('Limits')}>
                    <Button
                      variant="subtle"
                      color="gray"
                      size="compact-sm"
                      rightSection={<Icon name={isOpen ? 'up' : 'down'} size={13} />}
                      aria-expanded={isOpen}
                      aria-label={t('Limits of {name}', { name })}
                      data-disabled={permission === undefined || undefined}
                      aria-disabled={permission === undefined}
                      title={permission ? undefined : t('Choose an action of this collection first.')}
                      onClick={() => {
                        const next = new Set(open);
                        if (!next.delete(key)) next.add(key);
                        setOpen(next);
                      }}
                      {...cell(i, ACTIONS.length)}
                    >
                      {t('Limits')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
                {isOpen && row.index !== undefined && (
                  <Table.Tr>
                    <Table.Td colSpan={ACTIONS.length + 2} data-wrapped>
                      <Box role="group" aria-label={t('Limits of {name}', { name })} py="xs">
                        {faults.map(([at, detail]) => (
                          <Text key={at} size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
                            {detail}
                          </Text>
                        ))}
                        <PermissionLimits
                          permission={permission}
                          collection={collections.find(({ id }) => id === row.collection)}
                          onChange={(next) => onChange(permissions.map((each, k) => (k === row.index ? next : each)))}
                          onAdd={() => onChange([...permissions, { collection: row.collection, actions: [] }])}
                          onRemove={
                            row.isFurther ? () => onChange(permissions.filter((_, k) => k !== row.index)) : undefined
                          }
                        />
                      </Box>
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Summary({ permission, collections }: { permission: Permission; collections: readonly Collection[] }) {
  const text = useSummary(
    permission,
    collections.find(({ id }) => id === permission.collection),
  );
  if (text === '') return null;
  return (
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  );
}
