import type { Release } from '@headwater/sdk';
import { Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { localeName } from '../locales/locales.ts';
import { headwater } from '../service/session.ts';
import { formatDateTime } from '../shared/formats.ts';
import { lazy } from '../shared/lazy.tsx';
import { notify } from '../shared/notify.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useRestoreFocus } from '../shared/use-restore-focus.ts';
import { useRights } from '../users/rights.ts';
import { FaultList, faultsOfError } from './fault-list.tsx';
import { invalidateReleases, isPending, itemTitle, releaseItemsQuery, releaseTitle } from './queries.ts';
import { STATUS_COLORS, STATUS_LABELS } from './status.ts';

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'));

interface ReleaseDrawerProps {
  release: Release;
  onChanged: (release: Release) => void;
  onClose: () => void;
}

/** A release, its entries and its actions. */
export default function ReleaseDrawer({ release, onChanged, onClose }: ReleaseDrawerProps) {
  useRestoreFocus();
  const [isScheduling, setIsScheduling] = useState(false);
  const mayEdit = useRights().may('publish') && isPending(release);
  const { id: releaseId, status, errors, at, version } = release;
  const query = useQuery(releaseItemsQuery(release));
  const items = query.data ?? [];
  const change = useMutation({
    meta: { shown: true },
    mutationFn: (run: () => Promise<Release>) => run(),
    onSuccess: (changed) => {
      invalidateReleases();
      onChanged(changed);
      if (changed.status === 'completed') notify(t('The release was published.'));
    },
  });
  const titles = items.map(itemTitle);
  const without = (entryId: string) => () =>
    headwater.updateRelease({ releaseId }, { items: items.filter((item) => item.entryId !== entryId), version });
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={releaseTitle(release)}>
      <Stack>
        <Group gap="xs">
          <Badge variant="light" color={STATUS_COLORS[status]}>
            {STATUS_LABELS[status]}
          </Badge>
          <Text size="sm" c="dimmed">
            {at ? formatDateTime(at) : t('No time')}
            {release.by?.name && ` · ${release.by.name}`}
          </Text>
        </Group>
        {errors && <FaultList title={t('Nothing was published')} faults={errors} entries={titles} />}
        {change.error && (
          <FaultList title={t('Nothing was published')} faults={faultsOfError(change.error)} entries={titles} />
        )}
        <Stack component="ul" gap={4} m={0} p={0} aria-label={t('Entries')} style={{ listStyle: 'none' }}>
          {items.map((item, i) => (
            <Group component="li" key={item.entryId} justify="space-between" wrap="nowrap">
              <Text size="sm" truncate>
                <TextLink to={`/content/${item.collectionId}/${item.entryId}`}>{titles[i]}</TextLink>
                {' · '}
                {item.action === 'unpublish'
                  ? t('Unpublish')
                  : item.version
                    ? t('Version {version}', { version: item.version })
                    : t('Latest version')}
                {item.locales && ` · ${item.locales.map(localeName).join(', ')}`}
              </Text>
              {mayEdit && release.name !== null && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  disabled={change.isPending}
                  onClick={() => change.mutate(without(item.entryId))}
                  aria-label={t('Remove {titles}', { titles: titles[i] })}
                >
                  {t('Remove')}
                </Button>
              )}
            </Group>
          ))}
          {release.itemCount === 0 && (
            <Text component="li" size="sm">
              {t('Select entries in a list, then choose “Add to release”.')}
            </Text>
          )}
        </Stack>
        {mayEdit && (
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={() => change.mutate(() => headwater.cancelRelease({ releaseId }))}>
              {t('Cancel release')}
            </Button>
            <Button variant="default" onClick={() => setIsScheduling(true)}>
              {at ? t('Change time') : t('Schedule')}
            </Button>
            <Button
              loading={change.isPending}
              onClick={() => change.mutate(() => headwater.publishRelease({ releaseId }, {}))}
            >
              {t('Publish now')}
            </Button>
          </Group>
        )}
      </Stack>
      {isScheduling && (
        <Suspense>
          <ScheduleDialog
            release={release}
            onClose={() => {
              setIsScheduling(false);
              onClose();
            }}
          />
        </Suspense>
      )}
    </Drawer>
  );
}
