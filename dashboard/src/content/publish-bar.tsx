import type { Collection, Entry, Locales } from '@headwater/sdk';
import { Alert, Badge, Button, Group, List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { LocaleStates } from '../locales/locale-states.tsx';
import { EntrySchedules } from '../releases/entry-schedules.tsx';
import { headwater } from '../service/session.ts';
import { errorMessage, fieldErrors } from '../shared/error-messages.ts';
import { formatRelativeTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { publishingState } from './publishing-state.ts';
import { invalidateEntries } from './queries.ts';

const ScheduleDialog = lazy(() => import('../releases/schedule-dialog.tsx'));

interface PublishBarProps {
  collection: Collection;
  /** If the entry can have translations. */
  locales: Locales | undefined;
  entry: Entry;
  /** Whether the form has changes that are not saved, which would not be published. */
  isDirty: boolean;
  isReadOnly: boolean;
}

const ACTIONS = {
  publish: { run: headwater.publishEntry, done: 'The entry was published.' },
  unpublish: { run: headwater.unpublishEntry, done: 'The entry was unpublished.' },
  discard: { run: headwater.discardEntryDraft, done: 'The draft was discarded.' },
};
type Action = keyof typeof ACTIONS;

/** What is published of an entry, and the actions that change it. */
export default function PublishBar({ collection, locales, entry, isDirty, isReadOnly }: PublishBarProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const only = chosen.length > 0 ? { locales: chosen } : {};
  const [isScheduling, setIsScheduling] = useState(false);
  const path = { collectionId: collection.id, entryId: entry.id };
  const { version, publishedVersion = null, publishedAt } = entry;
  const state = publishingState(entry);
  const isPublished = publishedVersion !== null;
  const hasDraft = isPublished && state.hasChanges;
  const change = useMutation({
    meta: { shown: true },
    mutationFn: (action: Action) =>
      action === 'discard'
        ? headwater.discardEntryDraft(path, { version })
        : ACTIONS[action].run(path, { version, ...only }),
    onSuccess: (changed, action) => {
      invalidateEntries(collection.id, changed);
      notify(ACTIONS[action].done);
    },
  });
  const { error, isPending } = change;
  const faults = fieldErrors(error);
  return (
    <section className="surface" aria-label="Publishing" style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Badge variant="light" color={state.color}>
            {state.label}
          </Badge>
          <Text size="sm" c="dimmed">
            {isPublished && publishedAt
              ? `Version ${publishedVersion} published ${formatRelativeTime(publishedAt)}`
              : 'Not published'}
          </Text>
        </Group>
        {!isReadOnly && (
          <Group gap="xs">
            {isDirty && (
              <Text size="sm" c="dimmed">
                Save your changes to publish them.
              </Text>
            )}
            {hasDraft && (
              <Button
                variant="subtle"
                color="gray"
                disabled={isDirty || isPending}
                onClick={() => change.mutate('discard')}
              >
                Discard draft
              </Button>
            )}
            {isPublished && (
              <Button variant="default" disabled={isDirty || isPending} onClick={() => change.mutate('unpublish')}>
                Unpublish
              </Button>
            )}
            <Button variant="default" disabled={isDirty || isPending} onClick={() => setIsScheduling(true)}>
              Schedule
            </Button>
            {(!isPublished || hasDraft || chosen.length > 0) && (
              <Button loading={isPending} disabled={isDirty} onClick={() => change.mutate('publish')}>
                Publish
              </Button>
            )}
          </Group>
        )}
      </Group>
      {locales && (
        <LocaleStates {...{ collection, locales, entry, chosen }} onChoose={isReadOnly ? undefined : setChosen} />
      )}
      <EntrySchedules entry={entry} isReadOnly={isReadOnly} />
      {isScheduling && (
        <Suspense>
          <ScheduleDialog entry={entry} {...only} onClose={() => setIsScheduling(false)} />
        </Suspense>
      )}
      {error && (
        <Alert color="red" variant="light" role="alert" title="Couldn't change what is published" mt="sm">
          <List size="sm">
            {[...(faults.size > 0 ? faults.values() : [errorMessage(error).detail])].map((detail) => (
              <List.Item key={detail}>{detail}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </section>
  );
}
