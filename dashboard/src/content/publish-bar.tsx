import type { Collection, Entry } from '@headwater/sdk';
import { Alert, Badge, Button, Group, List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { LocaleStates } from '../locales/locale-states.tsx';
import type { EntryLocales } from '../locales/locales.ts';
import { EntrySchedules } from '../releases/entry-schedules.tsx';
import { headwater } from '../service/session.ts';
import { errorMessage, fieldErrors } from '../shared/error-messages.ts';
import { formatRelativeTime } from '../shared/formats.ts';
import { lazy } from '../shared/lazy.tsx';
import { notify, notifyWithUndo } from '../shared/notify.tsx';
import { PageMenu } from '../shared/page-menu.tsx';
import { publishingState } from './publishing-state.ts';
import { invalidateEntries } from './queries.ts';

const ScheduleDialog = lazy(() => import('../releases/schedule-dialog.tsx'));

interface PublishBarProps {
  collection: Collection;
  /** If the entry can have translations. */
  locales: EntryLocales | undefined;
  entry: Entry;
  /** Whether the form has changes that are not saved. */
  isDirty: boolean;
  /** Saves them: every action is about what is saved. */
  save: () => Promise<Entry | undefined>;
  isReadOnly: boolean;
  /** Whether values can be changed, so that changes can be discarded. */
  mayUpdate: boolean;
  /** Shows at the fields what publishing refused. */
  onRefused: (errors: ReadonlyMap<string, string>) => void;
}

const ACTIONS = {
  publish: { run: headwater.publishEntry, done: t('The entry was published.') },
  unpublish: { run: headwater.unpublishEntry, done: t('The entry was unpublished.') },
  discard: { run: headwater.discardEntryDraft, done: t('The draft was discarded.') },
};
type Action = keyof typeof ACTIONS;

/** What is published of an entry, and the actions that change it. */
export default function PublishBar(props: PublishBarProps) {
  const { collection, locales, entry, isDirty, save, isReadOnly, mayUpdate, onRefused } = props;
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
    onMutate: () => onRefused(new Map()),
    mutationFn: async (action: Action) => {
      const saved = isDirty ? await save() : entry;
      if (!saved) return undefined;
      return action === 'discard'
        ? headwater.discardEntryDraft(path, { version: saved.version })
        : ACTIONS[action].run(path, { version: saved.version, ...only });
    },
    onError: (refusal) => onRefused(fieldErrors(refusal)),
    onSuccess: (changed, action) => {
      if (!changed) return;
      invalidateEntries(collection.id, changed);
      const undo = undoOf(action, changed);
      if (undo) notifyWithUndo(ACTIONS[action].done, async () => invalidateEntries(collection.id, await undo()));
      else notify(ACTIONS[action].done);
    },
  });
  /** What takes an action back, where nothing but its effect changes. */
  const undoOf = (action: Action, { version: now }: Entry): (() => Promise<Entry>) | undefined => {
    if (action === 'discard')
      return () => headwater.restoreEntryVersion({ ...path, version: String(version) }, { version: now });
    if (action === 'unpublish' && !state.hasChanges)
      return () => headwater.publishEntry(path, { version: now, ...only });
    return undefined;
  };
  const { error, isPending } = change;
  const faults = fieldErrors(error);
  const others = [
    ...(hasDraft && mayUpdate
      ? [
          {
            label: t('Discard draft'),
            icon: 'restore' as const,
            isDisabled: isDirty || isPending,
            onClick: () => change.mutate('discard'),
          },
        ]
      : []),
    ...(isPublished && !isReadOnly
      ? [
          {
            label: t('Unpublish'),
            icon: 'close' as const,
            isDisabled: isPending,
            onClick: () => change.mutate('unpublish'),
          },
        ]
      : []),
  ];
  return (
    <section className="surface" aria-label={t('Publishing')} style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Badge variant="light" color={state.color}>
            {state.label}
          </Badge>
          <Text size="sm" c="dimmed">
            {isPublished && publishedAt
              ? t('Version {publishedVersion} published {publishedAt}', {
                  publishedVersion,
                  publishedAt: formatRelativeTime(publishedAt),
                })
              : t('Not published')}
          </Text>
        </Group>
        {isReadOnly && mayUpdate && (
          <Text size="xs" c="dimmed" w="100%">
            {t('Your role may not publish here.')}
          </Text>
        )}
        <Group gap="xs">
          {others.length > 0 && <PageMenu label={t('More publishing actions')} items={others} />}
          {!isReadOnly && (
            <Button
              variant="default"
              disabled={isPending}
              onClick={async () => (!isDirty || (await save())) && setIsScheduling(true)}
            >
              {t('Schedule')}
            </Button>
          )}
          {!isReadOnly && (!isPublished || hasDraft || isDirty || chosen.length > 0) && (
            <Button loading={isPending} onClick={() => change.mutate('publish')}>
              {t('Publish')}
            </Button>
          )}
        </Group>
      </Group>
      {isDirty && !isReadOnly && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('Your changes are saved first.')}
        </Text>
      )}
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
        <Alert color="red" variant="light" role="alert" title={t("Couldn't change what is published")} mt="sm">
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
