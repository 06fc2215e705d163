import type { Collection, Entry, EntryVersion } from '@headwater/sdk';
import { Badge, Drawer, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { focusOnMount } from '../shared/focus-on-mount.ts';
import { formatDateTime, formatRelativeTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/states.tsx';
import { useRestoreFocus } from '../shared/use-restore-focus.ts';
import { authorName } from './author-name.ts';
import classes from './history.module.css';
import { versionsQuery } from './queries.ts';
import { VersionDetails } from './version-details.tsx';

interface HistoryDrawerProps {
  collection: Collection;
  entry: Entry;
  /** Why no version can be restored now. */
  obstacle: string | undefined;
  onClose: () => void;
  onRestored: (entry: Entry) => void;
}

/** The versions of an entry, the latest first, and the details of a selected one. */
export default function HistoryDrawer({ collection, entry, obstacle, onClose, onRestored }: HistoryDrawerProps) {
  useRestoreFocus();
  const query = useInfiniteQuery(versionsQuery(collection.id, entry.id));
  const [selected, setSelected] = useState<number>();
  const [lastSelected, setLastSelected] = useState<number>();
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={t('History')}>
      <Loaded query={query} rows={5} label={t('Loading history')}>
        {(versions) => {
          const current = versions.find((version) => version.current);
          const version = versions.find((each) => each.version === selected);
          if (version && current) {
            return (
              <VersionDetails
                collection={collection}
                entryId={entry.id}
                version={version}
                current={current}
                obstacle={obstacle}
                onBack={() => {
                  setLastSelected(selected);
                  setSelected(undefined);
                }}
                onRestored={onRestored}
              />
            );
          }
          return (
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {t('Select a version to compare it with the current one.')}
              </Text>
              <ol className={classes.list}>
                {versions.map((each) => (
                  <li key={each.version}>
                    <UnstyledButton
                      ref={each.version === lastSelected ? focusOnMount : undefined}
                      className={classes.version}
                      onClick={() => setSelected(each.version)}
                    >
                      <span className={classes.summary}>
                        <Text component="span" size="sm" fw={550}>
                          {changeSummary(collection, each)}
                        </Text>
                        <Text component="span" size="xs" c="dimmed" title={formatDateTime(each.at)}>
                          {t('{by} · {at} · version {version}', {
                            by: authorName(each.by),
                            at: formatRelativeTime(each.at),
                            version: each.version,
                          })}
                        </Text>
                      </span>
                      {each.current ? (
                        <Badge variant="light" tt="none" fw={500}>
                          {t('Current')}
                        </Badge>
                      ) : (
                        <Icon name="right" size={16} />
                      )}
                    </UnstyledButton>
                  </li>
                ))}
              </ol>
              <Group justify="center">
                <LoadMore query={query} />
              </Group>
            </Stack>
          );
        }}
      </Loaded>
    </Drawer>
  );
}

const MAX_LABELS = 3;

function changeSummary({ fields }: Collection, { change, changedFields, restoredFrom }: EntryVersion): string {
  if (change === 'created') return t('Created');
  if (change === 'deleted') return t('Deleted');
  if (change === 'restored')
    return restoredFrom === null ? t('Restored') : t('Restored version {restoredFrom}', { restoredFrom });
  const labels = (changedFields ?? []).map((id) => fields.find((field) => field.id === id)?.label ?? id);
  if (labels.length === 0) return t('Saved without changes');
  const more = labels.length - MAX_LABELS;
  const fieldNames = labels.slice(0, MAX_LABELS).join(', ');
  return more > 0
    ? t('Updated {fieldNames} and {count} more', { fieldNames, count: more })
    : t('Updated {fieldNames}', { fieldNames });
}
