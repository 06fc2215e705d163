import type { Collection, Entry, EntryVersion } from '@headwater/sdk';
import { Badge, Drawer, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { focusOnMount } from '../shared/focus-on-mount.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { ShowMore } from '../shared/listing.tsx';
import { Failure, Loading } from '../shared/states.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';
import classes from './history.module.css';
import { versionsQuery } from './queries.ts';
import { VersionView } from './version-view.tsx';
import { whoDid } from './who-did.ts';

interface HistoryDrawerProps {
  collection: Collection;
  entry: Entry;
  /** Why nobody may go back now, in words; undefined: one may. */
  obstacle: string | undefined;
  onClose: () => void;
  onRestored: (entry: Entry) => void;
}

/** The versions of an entry by time; one that is chosen, against what the entry is now. */
export default function HistoryDrawer({ collection, entry, obstacle, onClose, onRestored }: HistoryDrawerProps) {
  useFocusBack();
  const query = useInfiniteQuery(versionsQuery(collection.id, entry.id));
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  const [chosen, setChosen] = useState<number>();
  const [seen, setSeen] = useState<number>();
  const current = versions.find((version) => version.current);
  const version = versions.find((each) => each.version === chosen);
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="History">
      {query.isError ? (
        <Failure error={query.error} onRetry={() => query.refetch()} />
      ) : query.isPending ? (
        <Loading rows={5} label="Loading the history" />
      ) : version && current ? (
        <VersionView
          collection={collection}
          entryId={entry.id}
          version={version}
          current={current}
          obstacle={obstacle}
          onBack={() => {
            setSeen(chosen);
            setChosen(undefined);
          }}
          onRestored={onRestored}
        />
      ) : (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            Choose a version to see what was different then.
          </Text>
          <ol className={classes.list}>
            {versions.map((each) => (
              <li key={each.version}>
                <UnstyledButton
                  ref={each.version === seen ? focusOnMount : undefined}
                  className={classes.version}
                  onClick={() => setChosen(each.version)}
                >
                  <span className={classes.what}>
                    <Text component="span" size="sm" fw={550}>
                      {whatWasDone(collection, each)}
                    </Text>
                    <Text component="span" size="xs" c="dimmed" title={formatTime(each.at)}>
                      {whoDid(each.by)} · {formatAgo(each.at)} · version {each.version}
                    </Text>
                  </span>
                  {each.current ? (
                    <Badge variant="light" tt="none" fw={500}>
                      Now
                    </Badge>
                  ) : (
                    <Icon name="right" size={16} />
                  )}
                </UnstyledButton>
              </li>
            ))}
          </ol>
          <ShowMore query={query} />
        </Stack>
      )}
    </Drawer>
  );
}

const NAMED = 3;

function whatWasDone({ fields }: Collection, { change, changedFields, restoredFrom }: EntryVersion): string {
  if (change === 'created') return 'Created';
  if (change === 'deleted') return 'Deleted';
  if (change === 'restored') return restoredFrom === null ? 'Brought back' : `Went back to version ${restoredFrom}`;
  const labels = (changedFields ?? []).map((id) => fields.find((field) => field.id === id)?.label ?? id);
  if (labels.length === 0) return 'Saved unchanged';
  const more = labels.length - NAMED;
  return `Changed ${labels.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
