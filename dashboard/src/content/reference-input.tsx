import { ActionIcon, Group, Select, Text, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { type FieldInputProps, inputProps } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { useRights } from '../users/rights.ts';
import { entryTitleQuery, titleText } from './entry-titles.ts';
import { collectionQuery } from './queries.ts';

const CreateReferenceDialog = lazy(() => import('./create-reference-dialog.tsx'));

/** The option that creates an entry. */
const CREATE = 'create';
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
  const { may } = useRights();
  const creatable = collectionIds.filter((id) => may('create', id));
  const [created, setCreated] = useState<string>();
  const isFound = groups.some(({ items }) => items.some(({ label: name }) => name === q.trim()));
  const canCreate = creatable.length > 0 && variant !== 'filter' && isOpen && !isFound;
  const create = {
    group: t('New'),
    items: [
      { value: CREATE, label: q.trim() === '' ? t('Create an entry') : t('Create "{trim}"', { trim: q.trim() }) },
    ],
  };
  const chosen = value === undefined ? undefined : { value, label: isPending ? '…' : titleText(value, current) };
  const isListed = groups.some(({ items }) => items.some((item) => item.value === value));
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <Select
        {...inputProps(props)}
        flex={1}
        miw={0}
        data={[
          ...(chosen && !isListed ? [{ group: t('Selected'), items: [chosen] }] : []),
          ...groups,
          ...(canCreate ? [create] : []),
        ]}
        value={value ?? null}
        onChange={(id) => (id === CREATE ? setCreated(search) : onChange(id ?? undefined))}
        placeholder={t('Search entries')}
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
        nothingFoundMessage={found.some((each) => each.isFetching) ? t('Searching…') : t('No entries found')}
        comboboxProps={{ withinPortal: variant !== 'filter' }}
      />
      {value !== undefined && current && variant !== 'filter' && (
        <Tooltip label={t('Open|verb')}>
          <ActionIcon
            component={Link}
            to={`/content/${current.collectionId}/${value}`}
            aria-label={t('Open {value}, {label}', { value: titleText(value, current), label })}
            mb={4}
          >
            <Icon name="right" size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {created !== undefined && (
        <Suspense>
          <CreateReferenceDialog
            collectionIds={creatable}
            title={created}
            FieldInput={props.FieldInput}
            onCreated={onChange}
            onClose={() => setCreated(undefined)}
          />
        </Suspense>
      )}
      {current?.status === 'active' && !current.isPublished && variant !== 'filter' && (
        <Text size="xs" c="dimmed" mb={10} title={t('It is a draft until it is published.')}>
          {t('Draft')}
        </Text>
      )}
      {current?.status === 'deleted' && (
        <Text size="xs" c="red" mb={10}>
          {t('Deleted')}
        </Text>
      )}
    </Group>
  );
}

async function findEntries(collectionId: string, q: string, signal: AbortSignal) {
  const { name } = await queryClient.fetchQuery({ ...collectionQuery(collectionId), staleTime: MINUTE });
  const search = q.trim() === '' ? { sort: 'updatedAt:desc' } : { q };
  const { entries } = await headwater.listEntries({ collectionId, pageSize: SHOWN, ...search }, { signal });
  const titles = await Promise.all(entries.map(({ id }) => queryClient.fetchQuery(entryTitleQuery(id))));
  return { group: name, items: entries.map(({ id }, i) => ({ value: id, label: titleText(id, titles[i]) })) };
}
