import type { Collection, Entry, Field } from '@headwater/sdk';
import { Badge, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { isSortable } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import type { ListQuery } from '../shared/paged-query.ts';
import { useRights } from '../users/rights.ts';
import { entryTitle, titleFieldOf } from './entry-title.ts';
import { InlineCell } from './inline-cell.tsx';
import { publishingState } from './publishing-state.ts';

interface EntriesTableProps {
  collection: Collection;
  query: ListQuery<Entry>;
  /** The fields shown as columns. */
  fields: Field[];
  /** `<field>:asc` or `<field>:desc` */
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  empty: ReactNode;
}

export function EntriesTable(props: EntriesTableProps) {
  const { collection, query, fields, sort, onSort, selected, onSelect, empty } = props;
  const { may } = useRights();
  const mayEdit = (['update', 'publish', 'delete'] as const).some((action) => may(action, collection.id));
  const shownIds = fields.map(({ id }) => id).join();
  // The same options as long as the columns are the same, so that rows do not render again with every page or selection.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fields` is a new array in every render
  const options = useMemo(() => rowOptions(collection, fields), [collection, shownIds]);
  const { defaultSort } = collection;
  const defaultOrder = defaultSort ? `${defaultSort.fieldId}:${defaultSort.direction}` : undefined;
  const count = query.data?.length ?? 0;
  return (
    <DataTable
      label={t('Entries')}
      isDense
      loadingRows={8}
      minWidth={560}
      query={query}
      rowKey={idOf}
      sort={{ value: sort ?? defaultOrder, onChange: onSort }}
      selection={mayEdit ? { selected, onChange: onSelect } : undefined}
      empty={empty}
      footer={
        count > 0 && (
          <Text size="sm" c="dimmed" role="status">
            {query.hasNextPage
              ? t('First {count} entries', { count })
              : t('{count, plural, one {# entry} other {# entries}}', { count })}
          </Text>
        )
      }
      {...options}
    />
  );
}

const idOf = ({ id }: Entry) => id;

function rowOptions(collection: Collection, fields: readonly Field[]) {
  const titleField = titleFieldOf(collection);
  const titleOf = (entry: Entry) => entryTitle(collection, entry);
  const title: Column<Entry> = {
    id: titleField?.id ?? 'title',
    label: titleField?.label ?? t('Entry'),
    isSortable: titleField !== undefined && isSortable(titleField),
    cell: titleOf,
  };
  const values = fields
    .filter(({ id }) => id !== titleField?.id)
    .map(
      (field): Column<Entry> => ({
        id: field.id,
        label: field.label,
        isSortable: isSortable(field),
        cell: (entry) => <InlineCell collection={collection} entry={entry} field={field} />,
      }),
    );
  const status: Column<Entry> = {
    id: 'status',
    label: t('Status'),
    cell: (entry) => {
      const { label, color } = publishingState(entry);
      return (
        <Badge variant="light" color={color}>
          {label}
        </Badge>
      );
    },
  };
  const updated: Column<Entry> = {
    ...timeColumn<Entry>('updatedAt', t('Updated'), ({ updatedAt }) => updatedAt),
    isSortable: true,
    isDimmed: true,
  };
  return {
    columns: [title, ...(collection.publishing ? [status] : []), ...values, updated],
    rowName: titleOf,
    rowLink: ({ id }: Entry) => `/content/${collection.id}/${id}`,
  };
}
