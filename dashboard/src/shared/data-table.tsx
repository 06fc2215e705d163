import { Checkbox, Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import { inSentence, t } from '../languages/translate.ts';
import { type Column, DataRow, type RowOptions } from './data-row.tsx';
import { formatDateTime, formatRelativeTime } from './formats.ts';
import { Icon } from './icons.tsx';
import { LoadMore } from './load-more.tsx';
import type { ListQuery } from './paged-query.ts';
import { ErrorState, LoadingState } from './states.tsx';

export type { Column, RowAction } from './data-row.tsx';

/** A column with a relative time; its tooltip is the exact one. */
export const timeColumn = <Row,>(id: string, label: string, timeOf: (row: Row) => string | null): Column<Row> => ({
  id,
  label,
  title: (row) => {
    const time = timeOf(row);
    return time === null ? undefined : formatDateTime(time);
  },
  cell: (row) => {
    const time = timeOf(row);
    return time === null ? t('Never') : formatRelativeTime(time);
  },
});

interface DataTableProps<Row> extends RowOptions<Row> {
  /** The accessible name of the table; also announced while it loads ("Loading leads"). */
  label: string;
  query: ListQuery<Row>;
  rowKey: (row: Row, index: number) => string | number;
  /** Shown instead of an empty table: what belongs here, and what to do. */
  empty?: ReactNode;
  /** Below this width the table scrolls sideways; on a phone each row becomes a card. */
  minWidth?: number;
  isDense?: boolean;
  loadingRows?: number;
  selection?: { selected: ReadonlySet<string>; onChange: (selected: ReadonlySet<string>) => void };
  /** `<column>:asc` or `<column>:desc`; undefined is the default order, which `byDefault` names if a column has it. */
  sort?: { value: string | undefined; byDefault?: string; onChange: (sort: string | undefined) => void };
  /** Below the table, opposite "Load more". */
  footer?: ReactNode;
  /** The table is part of a surface that the caller draws. */
  isBare?: boolean;
}

/** A list of rows with its loading, error and empty states, paging, sorting, selection, links and actions. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, label, empty, loadingRows = 4, footer, isBare = false } = props;
  const rows = query.data;
  const isShown = rows !== undefined && (rows.length > 0 || empty === undefined);
  const body =
    query.isError && rows === undefined ? (
      <ErrorState error={query.error} onRetry={query.refetch && (() => query.refetch?.())} />
    ) : rows === undefined ? (
      <LoadingState rows={loadingRows} label={t('Loading {label}', { label: inSentence(label) })} />
    ) : isShown ? (
      <Rows {...props} rows={rows} />
    ) : (
      empty
    );
  return (
    <div>
      {isBare ? body : <div className="surface">{body}</div>}
      {isShown && (footer !== undefined || query.hasNextPage) && (
        <Group justify={footer === undefined ? 'center' : 'space-between'} mt="sm">
          {footer}
          <LoadMore query={query} />
        </Group>
      )}
    </div>
  );
}

function Rows<Row>({
  rows,
  label,
  rowKey,
  minWidth = 640,
  isDense = false,
  selection,
  sort,
  ...options
}: DataTableProps<Row> & { rows: readonly Row[] }) {
  const { columns, actions, details } = options;
  const keys = rows.map((row, i) => String(rowKey(row, i)));
  const isAllSelected = selection !== undefined && keys.every((key) => selection.selected.has(key));
  const latest = useRef(selection);
  latest.current = selection;
  const toggle = useCallback((key: string) => {
    const next = new Set(latest.current?.selected);
    if (!next.delete(key)) next.add(key);
    latest.current?.onChange(next);
  }, []);
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table
        className="data-table"
        aria-label={label}
        verticalSpacing={isDense ? 6 : 'sm'}
        horizontalSpacing={isDense ? 'sm' : 'md'}
      >
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={44}>
                <Checkbox
                  size="xs"
                  aria-label={t('Select all rows shown')}
                  checked={isAllSelected}
                  indeterminate={!isAllSelected && selection.selected.size > 0}
                  onChange={() => selection.onChange(isAllSelected ? new Set() : new Set(keys))}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} />
            ))}
            {(actions || details) && (
              <Table.Th>
                <VisuallyHidden>{details ? t('Details') : t('Actions')}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onClick={openRow}>
          {rows.map((row, i) => (
            <DataRow
              key={keys[i]}
              rowKey={keys[i] ?? ''}
              row={row}
              isSelected={selection?.selected.has(keys[i] ?? '')}
              onToggle={toggle}
              {...options}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A click beside the controls of a row follows its link, unless the click ends a text selection. */
function openRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  if (target.closest('a, button, input, label') || window.getSelection()?.toString()) return;
  const link = target.closest('tr')?.querySelector('[data-row-link]');
  const { ctrlKey, metaKey, shiftKey } = event;
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** Sorts ascending, then descending (or first descending), then in the default order. */
function Heading<Row>({ column, sort }: { column: Column<Row>; sort: DataTableProps<Row>['sort'] }) {
  const { id, label, isNumber, isSortable, isLargestFirst = false, width } = column;
  const align = isNumber ? 'right' : undefined;
  if (!isSortable || !sort) {
    return (
      <Table.Th w={width} ta={align}>
        {label}
      </Table.Th>
    );
  }
  const { value = sort.byDefault, byDefault } = sort;
  const orders = isLargestFirst ? [`${id}:desc`, `${id}:asc`] : [`${id}:asc`, `${id}:desc`];
  const direction = value === `${id}:asc` ? 'asc' : value === `${id}:desc` ? 'desc' : undefined;
  const isDefault = byDefault?.startsWith(`${id}:`);
  const other = value === byDefault ? orders.find((order) => order !== byDefault) : undefined;
  const next = isDefault ? other : orders[orders.indexOf(value ?? '') + 1];
  return (
    <Table.Th
      w={width}
      ta={align}
      aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none'}
    >
      <UnstyledButton className="sort-button" c={direction ? undefined : 'dimmed'} onClick={() => sort.onChange(next)}>
        {label}
        {direction && <Icon name={direction === 'asc' ? 'up' : 'down'} size={13} />}
      </UnstyledButton>
    </Table.Th>
  );
}
