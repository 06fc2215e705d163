import { Checkbox, Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import { DataRow } from './data-row.tsx';
import { formatDateTime, formatRelativeTime } from './formats.ts';
import { Icon, type IconName } from './icons.tsx';
import { LoadMore } from './load-more.tsx';
import type { ListQuery } from './paged-query.ts';
import { ErrorState, LoadingState } from './states.tsx';

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
    return time === null ? 'Never' : formatRelativeTime(time);
  },
});

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
      <LoadingState rows={loadingRows} label={`Loading ${label.charAt(0).toLowerCase()}${label.slice(1)}`} />
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
                  aria-label="Select all rows shown"
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
                <VisuallyHidden>{details ? 'Details' : 'Actions'}</VisuallyHidden>
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
