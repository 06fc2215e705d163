import type { Collection, Entry, Field } from '@headwater/sdk';
import { Anchor, Checkbox, Table, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useCallback, useRef } from 'react';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { isSortable } from './field-types.ts';
import { InlineCell } from './inline-cell.tsx';
import { nameOfEntry } from './value-text.tsx';

interface EntriesTableProps {
  collection: Collection;
  /** The columns. */
  fields: Field[];
  entries: Entry[];
  /** `<field>:asc` or `:desc` */
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

export function EntriesTable({ collection, fields, entries, sort, onSort, selected, onSelect }: EntriesTableProps) {
  const isAll = entries.every(({ id }) => selected.has(id));
  const [display] = fields.filter(({ id }) => id === collection.displayFieldId);
  const rest = fields.filter(
    (field) => field !== display && !(display === undefined && isNameField(collection, field)),
  );
  const now = useRef({ selected, onSelect });
  now.current = { selected, onSelect };
  const toggle = useCallback((id: string) => {
    const next = new Set(now.current.selected);
    if (!next.delete(id)) next.add(id);
    now.current.onSelect(next);
  }, []);
  const nameField = display ?? fields.find((field) => isNameField(collection, field));
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table className="data-table" verticalSpacing={9} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={44}>
              <Checkbox
                size="xs"
                aria-label="Select all that are shown"
                checked={isAll}
                indeterminate={!isAll && selected.size > 0}
                onChange={() => onSelect(isAll ? new Set() : new Set(entries.map(({ id }) => id)))}
              />
            </Table.Th>
            <Heading
              id={nameField?.id}
              label={nameField?.label ?? 'Entry'}
              isSortable={nameField !== undefined && isSortable(nameField)}
              sort={sort}
              onSort={onSort}
            />
            {rest.map((field) => (
              <Heading
                key={field.id}
                id={field.id}
                label={field.label}
                isSortable={isSortable(field)}
                sort={sort}
                onSort={onSort}
              />
            ))}
            <Heading id="updatedAt" label="Changed" isSortable sort={sort} onSort={onSort} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Row
              key={entry.id}
              collection={collection}
              fields={rest}
              entry={entry}
              isSelected={selected.has(entry.id)}
              onToggle={toggle}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  collection: Collection;
  /** Of the columns behind the name. */
  fields: Field[];
  entry: Entry;
  isSelected: boolean;
  onToggle: (id: string) => void;
}

/** Drawn again only where it is another one: a next page, or a mark, would else draw hundreds of them. */
const Row = memo(function Row({ collection, fields, entry, isSelected, onToggle }: RowProps) {
  const name = nameOfEntry(collection, entry);
  return (
    <Table.Tr data-selected={isSelected}>
      <Table.Td>
        <Checkbox size="xs" aria-label={`Select ${name}`} checked={isSelected} onChange={() => onToggle(entry.id)} />
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/content/${collection.id}/${entry.id}`} fw={550} size="sm">
          {name}
        </Anchor>
      </Table.Td>
      {fields.map((field) => (
        <Table.Td key={field.id}>
          <InlineCell collection={collection} entry={entry} field={field} name={name} />
        </Table.Td>
      ))}
      <Table.Td title={formatTime(entry.updatedAt)} c="dimmed">
        {formatAgo(entry.updatedAt)}
      </Table.Td>
    </Table.Tr>
  );
}, isSameRow);

function isSameRow(one: RowProps, other: RowProps): boolean {
  return (
    one.collection === other.collection &&
    one.entry === other.entry &&
    one.isSelected === other.isSelected &&
    one.fields.length === other.fields.length &&
    one.fields.every((field, i) => field === other.fields[i])
  );
}

/** The field that an entry is called by where the collection names none. */
const isNameField = ({ displayFieldId, fields }: Collection, field: Field) =>
  displayFieldId === null && fields.find(({ type, status }) => type === 'text' && status === 'active') === field;

interface HeadingProps {
  id: string | undefined;
  label: string;
  isSortable: boolean;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

/** Sorts upwards, then downwards, then no longer. */
function Heading({ id, label, isSortable, sort, onSort }: HeadingProps) {
  const direction = sort === `${id}:asc` ? 'asc' : sort === `${id}:desc` ? 'desc' : undefined;
  const next = direction === undefined ? `${id}:asc` : direction === 'asc' ? `${id}:desc` : undefined;
  const aria = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none';
  if (!isSortable) return <Table.Th>{label}</Table.Th>;
  return (
    <Table.Th aria-sort={aria}>
      <UnstyledButton
        onClick={() => onSort(next)}
        fz="sm"
        fw={550}
        c={direction ? undefined : 'dimmed'}
        style={{ display: 'inline-flex', gap: 4, alignItems: 'center' }}
      >
        {label}
        {direction && <Icon name={direction === 'asc' ? 'up' : 'down'} size={13} />}
      </UnstyledButton>
    </Table.Th>
  );
}
