import type { Entry, Release } from '@headwater/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { invalidateEntries } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { localeName } from '../locales/locales.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { formatDateTime } from '../shared/formats.ts';
import { lazy } from '../shared/lazy.tsx';
import { notifyError } from '../shared/notify.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { ReleaseFaults } from './fault-list.tsx';
import { invalidateReleases, releasesQuery } from './queries.ts';

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'));

interface EntrySchedulesProps {
  entry: Entry;
  isReadOnly: boolean;
}

/** The scheduled changes of an entry. */
export function EntrySchedules({ entry, isReadOnly }: EntrySchedulesProps) {
  const { data: pending } = useQuery(releasesQuery({ entryId: entry.id, status: 'pending' }));
  const [toMove, setToMove] = useState<Release>();
  // A release that is not pending any more may have changed the state of the entry.
  const known = useRef(pending);
  useEffect(() => {
    if (known.current?.some(({ id }) => !pending?.some((release) => release.id === id))) {
      void queryClient.invalidateQueries({ queryKey: ['entry', entry.collectionId, entry.id] });
      invalidateEntries(entry.collectionId);
    }
    known.current = pending;
  }, [pending, entry.collectionId, entry.id]);
  if (pending === undefined || pending.length === 0) return null;
  const cancel = (release: Release) =>
    headwater.cancelRelease({ releaseId: release.id }).then(invalidateReleases).catch(notifyError);
  return (
    <>
      <Stack component="ul" gap="xs" mt="sm" mb={0} p={0} aria-label={t('Scheduled')} style={{ listStyle: 'none' }}>
        {pending.map((release) => {
          // The list is filtered by this entry.
          const { item } = release;
          const what =
            item?.action === 'unpublish'
              ? t('Unpublish')
              : item?.version
                ? t('Publish version {version}', { version: item.version })
                : t('Publish the latest version');
          return (
            <li key={release.id}>
              <Group justify="space-between" gap="xs">
                <Text size="sm">
                  {what}
                  {item?.locales && ` ${t('in {locales}', { locales: item.locales.map(localeName).join(', ') })}`}
                  {release.at && ` ${t('on {at}', { at: formatDateTime(release.at) })}`}
                  {release.name !== null && (
                    <>
                      {' · '}
                      <TextLink to="/content/releases">{release.name}</TextLink>
                    </>
                  )}
                </Text>
                {!isReadOnly && release.name === null && (
                  <Group gap={4}>
                    <Button variant="subtle" size="compact-sm" onClick={() => setToMove(release)}>
                      {t('Change time')}
                    </Button>
                    <Button variant="subtle" color="gray" size="compact-sm" onClick={() => cancel(release)}>
                      {t('Cancel schedule')}
                    </Button>
                  </Group>
                )}
              </Group>
              {release.status === 'failed' && release.errors && (
                <ReleaseFaults release={release} title={t('Not published')} faults={release.errors} />
              )}
            </li>
          );
        })}
      </Stack>
      {toMove && (
        <Suspense>
          <ScheduleDialog release={toMove} onClose={() => setToMove(undefined)} />
        </Suspense>
      )}
    </>
  );
}
