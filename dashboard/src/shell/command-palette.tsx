import type { Collection } from '@headwater/sdk';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { entryTitle } from '../content/entry-title.ts';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { type Rights, useRights } from '../users/rights.ts';
import { mayOpen, navigationOf } from './navigation.ts';

const [store, palette] = createSpotlight();

/** Finds pages, collections and actions by name. Opens whenever `openCount` changes. */
export function CommandPalette({ openCount }: { openCount: number }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: openCount is the trigger
  useEffect(() => palette.open(), [openCount]);
  const { account, user } = useSession();
  const rights = useRights();
  const { data: collections = [] } = useQuery({ ...collectionsQuery(), enabled: rights.may('read') });
  const [text, setText] = useState('');
  const records = useRecords(text, collections, rights, (to) => void navigate({ to }));
  const pages = navigationOf(account, user.isOperator)
    .flatMap(({ items, ...place }) => [
      ...(items.some(({ to }) => to === place.to) ? [] : [{ ...place, keywords: [] as string[] }]),
      ...items,
    ])
    .map(
      ({ to, label, icon, keywords }): SpotlightActionData => ({
        id: to,
        label,
        keywords,
        leftSection: <Icon name={icon} />,
        onClick: () => navigate({ to }),
      }),
    );
  const collectionActions = collections.flatMap(({ id, name }): SpotlightActionData[] => [
    {
      id,
      label: name,
      description: t('Entries'),
      leftSection: <Icon name="content" />,
      onClick: () => navigate({ to: '/content/$collectionId', params: { collectionId: id } }),
    },
    ...(rights.may('create', id)
      ? [
          {
            id: `${id} new`,
            label: t('New entry in {name}', { name }),
            leftSection: <Icon name="plus" />,
            onClick: () =>
              void navigate({ to: '/content/$collectionId/$entryId', params: { collectionId: id, entryId: 'new' } }),
          },
        ]
      : []),
  ]);
  const started = startActions(rights).map(
    ({ label, to, keywords }): SpotlightActionData => ({
      ...{ id: label, label, keywords: keywords.split(', ') },
      leftSection: <Icon name="plus" />,
      onClick: () => navigate({ to }),
    }),
  );
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={[
        { group: t('Go to'), actions: pages },
        { group: t('Content'), actions: collectionActions },
        { group: t('Actions'), actions: started },
        ...(records.length > 0
          ? [{ group: t('People, leads, conversions, sessions, entries and files'), actions: records }]
          : []),
      ]}
      attributes={{ content: { 'aria-label': t('Search') } }}
      query={text}
      onQueryChange={setText}
      limit={20}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      nothingFound={t('No results')}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: t('Search pages, people, orders, entries, files'),
        'aria-label': t('Search'),
      }}
    />
  );
}

/** What can be started from anywhere, by role. */
function startActions(rights: Rights): { label: string; to: string; keywords: string }[] {
  return [
    { label: t('New collection'), to: '/content/new', keywords: t('create, model, type') },
    { label: t('Add conversions'), to: '/conversions/add', keywords: t('report, upload, csv, sale') },
    { label: t('Connect an ad platform'), to: '/destinations/new', keywords: t('destination, google, meta') },
    ...(rights.uses('members', 'write')
      ? [
          {
            label: t('Invite a member'),
            to: '/settings/members?invite=true',
            keywords: t('person, colleague, user, team'),
          },
        ]
      : []),
  ].filter(({ to }) => mayOpen(to, rights));
}

const MIN_LENGTH = 3;
const SHOWN = 4;

async function findVisitors(q: string, uses: Rights['uses'], signal: AbortSignal) {
  const query = { q, pageSize: SHOWN };
  const [{ leads }, { conversions }, { sessions }] = await Promise.all([
    uses('analytics') ? headwater.listLeads(query, { signal }) : { leads: [] },
    uses('conversions') ? headwater.listConversions(query, { signal }) : { conversions: [] },
    uses('analytics') ? headwater.listTrackedSessions(query, { signal }) : { sessions: [] },
  ]);
  return { leads, conversions, sessions };
}

/** The entries of so many collections are searched. */
const MAX_COLLECTIONS = 8;

/**
 * Leads by a part of their email or name, conversions by order ID, sessions by any of their identifiers, entries by their texts
 * and files by their name.
 */
function useRecords(
  text: string,
  collections: readonly Collection[],
  { may, uses }: Rights,
  open: (to: string) => void,
): SpotlightActionData[] {
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data } = useQuery({
    queryKey: ['palette', q],
    enabled: q.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const searched = may('read') ? collections.slice(0, MAX_COLLECTIONS) : [];
      const [{ members }, visitors, library, ...pages] = await Promise.all([
        uses('members') ? headwater.listMembers({ pageSize: 100 }, { signal }) : { members: [] },
        findVisitors(q, uses, signal),
        uses('files') ? headwater.listFiles({ name: q, pageSize: SHOWN }, { signal }) : { files: [] },
        ...searched.map(({ id }) => headwater.listEntries({ collectionId: id, q, pageSize: SHOWN }, { signal })),
      ]);
      const entries = searched.flatMap((collection, i) =>
        (pages[i]?.entries ?? []).map((entry) => ({ collection, entry })),
      );
      const isNamed = (member: { name: string; email: string }) =>
        `${member.name} ${member.email}`.toLowerCase().includes(q.toLowerCase());
      return { ...visitors, files: library.files, entries, members: members.filter(isNamed).slice(0, SHOWN) };
    },
  });
  if (!data || text.trim().length < MIN_LENGTH) return [];
  // The service has found them: the palette must not filter them by their labels.
  const found = (id: string, label: string, description: string, icon: IconName, to: string): SpotlightActionData => ({
    ...{ id, label, description },
    keywords: [text, q],
    leftSection: <Icon name={icon} />,
    onClick: () => open(to),
  });
  return [
    ...data.members.map(({ userId, name, email }) =>
      found(userId, name, t('Member, {email}', { email }), 'user', '/settings/members'),
    ),
    ...data.leads.map(({ id, email, name }) =>
      found(id, email, name === null ? t('Lead') : t('Lead, {name}', { name }), 'users', `/leads/${id}`),
    ),
    ...data.conversions.map(({ id, event, eventId }) =>
      found(id, eventId ?? event, t('Conversion'), 'check', `/conversions/${id}`),
    ),
    ...data.sessions.map(({ id, hash, source }) =>
      found(
        `session ${id}`,
        hash,
        t('Session from {source}', { source: source ?? t('Direct') }),
        'clock',
        `/sessions/${id}`,
      ),
    ),
    ...data.entries.map(({ collection, entry }) =>
      found(
        entry.id,
        entryTitle(collection, entry),
        t('Entry of {name}', { name: collection.name }),
        'content',
        `/content/${collection.id}/${entry.id}`,
      ),
    ),
    ...data.files.map(({ assetId, name }) =>
      found(assetId, name ?? assetId, t('File'), 'files', `/files?${new URLSearchParams({ file: assetId })}`),
    ),
  ];
}
