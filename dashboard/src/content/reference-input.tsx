import { ActionIcon, Group, Select, Text, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type FieldInputProps, inputProps } from '../field-types/definition.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { entryTitleQuery, titleText } from './entry-titles.ts';
import { collectionQuery } from './queries.ts';

const SHOWN = 20;
const SEARCH_DELAY_MS = 200;

/** Picks an entry by its title; typing searches the collections of the field. */
export default function ReferenceInput(props: FieldInputProps<string>) {
  const { field, value, onChange, label, variant } = props;
  const [search, setSearch] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [q] = useDebouncedValue(search, SEARCH_DELAY_MS);
  const collectionIds = field.collectionIds ?? [];
  const { data: current, isPending } = useQuery({ ...entryTitleQuery(value ?? ''), enabled: value !== undefined });
  const found = useQueries({
    queries: collectionIds.map((collectionId) => ({
      queryKey: ['entries', collectionId, 'to reference', q],
      queryFn: ({ signal }: { signal: AbortSignal }) => findEntries(collectionId, q, signal),
      enabled: isOpen,
      placeholderData: keepPreviousData,
    })),
  });
  const groups = found.flatMap(({ data }) => (data && data.items.length > 0 ? [data] : []));
  const chosen = value === undefined ? undefined : { value, label: isPending ? '…' : titleText(value, current) };
  const isListed = groups.some(({ items }) => items.some((item) => item.value === value));
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <Select
        {...inputProps(props)}
        flex={1}
        miw={0}
        data={[...(chosen && !isListed ? [{ group: 'Selected', items: [chosen] }] : []), ...groups]}
        value={value ?? null}
        onChange={(id) => onChange(id ?? undefined)}
        placeholder="Search entries"
        searchable
        clearable={!field.required}
        // The service has searched already, and shows the latest entries without a search.
        filter={({ options }) => options}
        searchValue={isOpen ? search : (chosen?.label ?? '')}
        onSearchChange={setSearch}
        onDropdownOpen={() => {
          setSearch('');
          setIsOpen(true);
        }}
        onDropdownClose={() => setIsOpen(false)}
        nothingFoundMessage={found.some((each) => each.isFetching) ? 'Searching…' : 'No entries found'}
        comboboxProps={{ withinPortal: variant !== 'filter' }}
      />
      {value !== undefined && current && variant !== 'filter' && (
        <Tooltip label="Open">
          <ActionIcon
            component={Link}
            to={`/content/${current.collectionId}/${value}`}
            aria-label={`Open ${titleText(value, current)}, ${label}`}
            mb={4}
          >
            <Icon name="right" size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {current?.status === 'deleted' && (
        <Text size="xs" c="red" mb={10}>
          Deleted
        </Text>
      )}
    </Group>
  );
}

async function findEntries(collectionId: string, q: string, signal: AbortSignal) {
  const { name } = await queryClient.fetchQuery({ ...collectionQuery(collectionId), staleTime: 60_000 });
  const search = q.trim() === '' ? { sort: 'updatedAt:desc' } : { q };
  const { entries } = await headwater.listEntries({ collectionId, pageSize: SHOWN, ...search }, { signal });
  const titles = await Promise.all(entries.map(({ id }) => queryClient.fetchQuery(entryTitleQuery(id))));
  return { group: name, items: entries.map(({ id }, i) => ({ value: id, label: titleText(id, titles[i]) })) };
}
