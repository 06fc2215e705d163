import { type Collection, type Entry, isHeadwaterError } from '@headwater/sdk';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { headwater, useMayEdit } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { formatAgo } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { tell, tellUndo } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Loaded } from '../shared/states.tsx';
import { ConflictWindow } from './conflict-window.tsx';
import { isActive } from './field-types.ts';
import { collectionQuery, entryQuery, forgetEntries } from './queries.ts';
import { ValueInput } from './value-input.tsx';
import { nameOfEntry } from './value-text.tsx';

const HistoryDrawer = lazy(() => import('./history-drawer.tsx'));

export function EntryPage() {
  const { collectionId, entryId } = useParams({ from: '/shell/content/$collectionId/$entryId' });
  const collection = useQuery(collectionQuery(collectionId));
  return (
    <Loaded query={collection}>
      {(loaded) =>
        entryId === 'new' ? (
          <EntryForm key="new" collection={loaded} />
        ) : (
          <ExistingEntry collection={loaded} entryId={entryId} />
        )
      }
    </Loaded>
  );
}

function ExistingEntry({ collection, entryId }: { collection: Collection; entryId: string }) {
  const query = useQuery(entryQuery(collection.id, entryId));
  return (
    <Loaded query={query}>
      {(entry) => <EntryForm key={entry.id + entry.version} collection={collection} entry={entry} />}
    </Loaded>
  );
}

type Values = Record<string, unknown>;

const NONE: Values = {};

/** The values that differ, null for those taken away. */
export function changedValues(before: Values, after: Values): Values {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...ids].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  return Object.fromEntries(changed.map((id) => [id, after[id] ?? null]));
}

function EntryForm({ collection, entry }: { collection: Collection; entry?: Entry }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const stored = entry?.values ?? NONE;
  const [values, setValues] = useState<Values>(stored);
  const [conflict, setConflict] = useState<Entry>();
  const { id: collectionId } = collection;
  const fields = collection.fields.filter(isActive);
  const isDeleted = entry?.status === 'deleted';
  const mayEdit = useMayEdit();
  const isLocked = !mayEdit || isDeleted;
  const [hasHistory, setHasHistory] = useState(false);
  const [isDoomed, setIsDoomed] = useState(false);
  const changes = changedValues(stored, values);
  const isChanged = Object.keys(changes).length > 0;

  const save = useMutation({
    meta: { shown: true },
    mutationFn: () => {
      if (!entry) return headwater.createEntry({ collectionId }, { values: changes });
      return headwater.updateEntry({ collectionId, entryId: entry.id }, { values: changes, version: entry.version });
    },
    onError: async (error) => {
      if (entry && isHeadwaterError(error, 'version_conflict')) {
        setConflict(await headwater.getEntry({ collectionId, entryId: entry.id, includeDeleted: true }));
      }
    },
  });
  const faults = faultsOf(save.error);
  const isConflict = isHeadwaterError(save.error, 'version_conflict');

  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: () => isChanged && !isSaved.current && !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: () => isChanged && !isSaved.current,
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isChanged && entry) return;
    save.mutate(undefined, {
      onSuccess: (saved) => {
        isSaved.current = true;
        forgetEntries(collectionId, saved);
        tell(entry ? 'Saved.' : 'The entry was created.');
        if (!entry) {
          void navigate({
            to: '/content/$collectionId/$entryId',
            params: { collectionId, entryId: saved.id },
            replace: true,
          });
        }
      },
      onError: () =>
        requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()),
    });
  };
  useHotkeys([['mod+S', () => submit()]], []);

  const setStatus = useMutation({
    mutationFn: (status: 'active' | 'deleted') =>
      headwater.updateEntry({ collectionId, entryId: entry?.id ?? '' }, { status }),
    onSuccess: (saved) => {
      isSaved.current = true;
      forgetEntries(collectionId, saved);
      if (saved.status === 'active') return tell('The entry is back.');
      tellUndo('The entry was deleted.', async () =>
        forgetEntries(
          collectionId,
          await headwater.updateEntry({ collectionId, entryId: saved.id }, { status: 'active' }),
        ),
      );
      void navigate({ to: '/content/$collectionId', params: { collectionId } });
    },
  });

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Page
        title={entry ? nameOfEntry(collection, entry) : `New entry in ${collection.name}`}
        description={entry && `Changed ${formatAgo(entry.updatedAt)} · version ${entry.version}`}
        back={
          <Anchor component={Link} to={`/content/${collectionId}`} size="sm" c="dimmed">
            {collection.name}
          </Anchor>
        }
        actions={
          <>
            {entry && (
              <Button
                variant="default"
                leftSection={<Icon name="clock" size={16} />}
                onClick={() => setHasHistory(true)}
              >
                History
              </Button>
            )}
            {!isLocked && entry && (
              <Button
                variant="default"
                leftSection={<Icon name="trash" size={16} />}
                loading={setStatus.isPending}
                onClick={() => setStatus.mutate('deleted')}
              >
                Delete
              </Button>
            )}
            {!isLocked && (
              <Button type="submit" loading={save.isPending} disabled={entry && !isChanged}>
                {entry ? 'Save' : 'Create entry'}
              </Button>
            )}
          </>
        }
      >
        {isDeleted && (
          <Alert color="gray" variant="light" title="This entry is deleted">
            <Group justify="space-between">
              <Text size="sm">Pages do not show it. It can be brought back as it was.</Text>
              {mayEdit && (
                <Group gap="xs">
                  <Button variant="default" size="compact-sm" onClick={() => setIsDoomed(true)}>
                    Delete for good
                  </Button>
                  <Button size="compact-sm" loading={setStatus.isPending} onClick={() => setStatus.mutate('active')}>
                    Bring back
                  </Button>
                </Group>
              )}
            </Group>
          </Alert>
        )}
        {save.isError && !isConflict && (
          <Alert color="red" variant="light" role="alert" title={messageOf(save.error).title}>
            {faults.size > 0 ? 'Look at what is marked below.' : messageOf(save.error).detail}
          </Alert>
        )}
        {fields.length === 0 ? (
          <div className="surface">
            <Empty
              icon="columns"
              title="This collection has no fields"
              action={
                <Button component={Link} to={`/content/${collectionId}/schema`}>
                  Add fields
                </Button>
              }
            >
              An entry fills in the fields of its collection.
            </Empty>
          </div>
        ) : (
          <fieldset disabled={isLocked} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Stack className="surface" p={{ base: 'md', sm: 'lg' }} gap="md">
              {fields.map((field) => (
                <ValueInput
                  key={field.id}
                  field={field}
                  value={values[field.id] ?? undefined}
                  onChange={(value) => setValues((before) => ({ ...before, [field.id]: value }))}
                  faults={faults}
                  pointer={`/values/${field.id}`}
                />
              ))}
            </Stack>
          </fieldset>
        )}
      </Page>
      {entry && hasHistory && (
        <Suspense>
          <HistoryDrawer
            collection={collection}
            entry={entry}
            obstacle={
              isDeleted
                ? 'Bring the entry back first; then you can go back to this version.'
                : isChanged
                  ? 'Save your changes, or undo them, before you go back to this version.'
                  : undefined
            }
            onClose={() => setHasHistory(false)}
            onRestored={(saved) => forgetEntries(collectionId, saved)}
          />
        </Suspense>
      )}
      {entry && (
        <Confirm
          opened={isDoomed}
          onClose={() => setIsDoomed(false)}
          title={`Delete ${nameOfEntry(collection, entry)} for good?`}
          action="Delete for good"
          run={async () => {
            await headwater.deleteEntry({ collectionId, entryId: entry.id, permanently: true });
            forgetEntries(collectionId);
            tell('The entry was deleted for good.');
            await navigate({ to: '/content/$collectionId/trash', params: { collectionId } });
          }}
        >
          It goes with all its earlier versions, and cannot be brought back. Files stay in the library.
        </Confirm>
      )}
      {entry && conflict && (
        <ConflictWindow
          collection={collection}
          mine={values}
          changes={changes}
          theirs={conflict}
          onClose={() => {
            setConflict(undefined);
            save.reset();
          }}
          onSaved={(saved) => {
            setConflict(undefined);
            forgetEntries(collectionId, saved);
            tell('Saved.');
          }}
        />
      )}
    </form>
  );
}
