import { type Collection, type Entry, type EntryVersion, type Field, isHeadwaterError } from '@headwater/sdk';
import { Alert, Button, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater, useMayEdit } from '../service/session.ts';
import { focusOnMount } from '../shared/focus-on-mount.ts';
import { formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { tellUndo } from '../shared/notify.tsx';
import { Failure, Loading } from '../shared/states.tsx';
import { isActive, isRepeated } from './field-types.ts';
import classes from './history.module.css';
import { forgetEntries, forgetVersions, versionQuery } from './queries.ts';
import { TextDifference } from './text-difference.tsx';
import { ValueCell } from './value-text.tsx';
import { whoDid } from './who-did.ts';

interface VersionViewProps {
  collection: Collection;
  entryId: string;
  version: EntryVersion;
  current: EntryVersion;
  obstacle: string | undefined;
  onBack: () => void;
  onRestored: (entry: Entry) => void;
}

/** What an entry was in a version where it is something else now, and the way back to it. */
export function VersionView(props: VersionViewProps) {
  const { collection, entryId, version, current, onBack } = props;
  const then = useQuery(versionQuery(collection.id, entryId, version.version));
  // What is told of a going back that failed stays there while what is current by now is loaded.
  const now = useQuery({
    ...versionQuery(collection.id, entryId, current.version),
    placeholderData: keepPreviousData,
  });
  const failed = [then, now].find((query) => query.isError);
  return (
    <Stack>
      <div>
        <Button
          ref={focusOnMount}
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="left" size={14} />}
          onClick={onBack}
        >
          All versions
        </Button>
      </div>
      <div>
        <Title order={3} size="h4">
          Version {version.version}
        </Title>
        <Text size="sm" c="dimmed">
          {whoDid(version.by)} · {formatTime(version.at)}
        </Text>
      </div>
      {failed ? (
        <Failure error={failed.error} onRetry={() => failed.refetch()} />
      ) : then.data && now.data ? (
        <Differences {...props} then={then.data.values} now={now.data.values} />
      ) : (
        <Loading rows={4} />
      )}
    </Stack>
  );
}

type Values = Record<string, unknown>;

function Differences({
  collection,
  entryId,
  version,
  current,
  obstacle,
  onRestored,
  then,
  now,
}: VersionViewProps & { then: Values; now: Values }) {
  const mayEdit = useMayEdit();
  const [isAsked, setIsAsked] = useState(false);
  const fields = collection.fields.filter(
    (field) => isActive(field) && JSON.stringify(then[field.id]) !== JSON.stringify(now[field.id]),
  );
  const path = { collectionId: collection.id, entryId };
  const goBack = useMutation({
    meta: { shown: true },
    mutationFn: (only?: string[]) =>
      headwater.restoreEntryVersion(
        { ...path, version: String(version.version) },
        { version: current.version, ...(only && { fields: only }) },
      ),
    onError: (error) => {
      if (isHeadwaterError(error, 'version_conflict')) forgetVersions(collection.id, entryId);
    },
    onSuccess: (saved) => {
      onRestored(saved);
      tellUndo(`The entry is as in version ${version.version}.`, async () =>
        forgetEntries(
          collection.id,
          await headwater.restoreEntryVersion(
            { ...path, version: String(current.version) },
            { version: saved.version },
          ),
        ),
      );
    },
  });
  const ask = () => {
    goBack.reset();
    setIsAsked(true);
  };
  if (version.current) return <Text size="sm">This is what the entry is now.</Text>;
  if (fields.length === 0) return <Text size="sm">Every field is as it was then.</Text>;

  const isConflict = isHeadwaterError(goBack.error, 'version_conflict');
  const faulty = new Map(
    [...faultsOf(isConflict ? undefined : goBack.error)].map(([pointer, detail]) => [pointer.split('/')[2], detail]),
  );
  const rest = fields.filter(({ id }) => !faulty.has(id));
  return (
    <>
      {fields.map((field) => (
        <div key={field.id}>
          <Title order={4} size="h5" mb={6}>
            {field.label}
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Side title={`Version ${version.version}`} field={field} value={then[field.id]} other={now[field.id]} />
            <Side title="Now" field={field} value={now[field.id]} other={then[field.id]} />
          </SimpleGrid>
        </div>
      ))}
      {goBack.isError && faulty.size === 0 && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={isConflict ? 'Somebody else changed this entry' : messageOf(goBack.error).title}
        >
          {isConflict ? 'Above is what is different now.' : messageOf(goBack.error).detail}
        </Alert>
      )}
      {faulty.size > 0 && (
        <Alert color="red" variant="light" role="alert" title="Not everything can come back">
          <List size="sm">
            {fields.map(
              ({ id, label }) =>
                faulty.has(id) && (
                  <List.Item key={id}>
                    {label}: {faulty.get(id)}
                  </List.Item>
                ),
            )}
          </List>
          {rest.length > 0 && (
            <Button
              mt="sm"
              size="compact-sm"
              loading={goBack.isPending}
              onClick={() => goBack.mutate(rest.map(({ id }) => id))}
            >
              Go back with the rest
            </Button>
          )}
        </Alert>
      )}
      {mayEdit &&
        (obstacle !== undefined ? (
          <Text size="sm" c="dimmed">
            {obstacle}
          </Text>
        ) : isAsked && !goBack.isError ? (
          <Group justify="space-between" className="surface" p="sm" role="group" aria-label="Confirm">
            <Text size="sm" flex={1} miw={200}>
              Pages show it at once. What the entry is now stays in its history.
            </Text>
            <Group gap="xs">
              <Button variant="default" size="compact-md" onClick={() => setIsAsked(false)}>
                Cancel
              </Button>
              <Button
                ref={focusOnMount}
                size="compact-md"
                loading={goBack.isPending}
                onClick={() => goBack.mutate(undefined)}
              >
                Go back
              </Button>
            </Group>
          </Group>
        ) : (
          faulty.size === 0 && (
            <div>
              <Button leftSection={<Icon name="restore" size={16} />} onClick={ask}>
                Go back to this version
              </Button>
            </div>
          )
        ))}
    </>
  );
}

interface SideProps {
  title: string;
  field: Field;
  value: unknown;
  other: unknown;
}

function Side({ title, field, value, other }: SideProps) {
  const isText = field.type === 'text' && !isRepeated(field) && typeof value === 'string';
  return (
    <div className={classes.value}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" component="div">
        {isText ? (
          <TextDifference text={value} other={typeof other === 'string' ? other : ''} />
        ) : (
          <ValueCell field={field} value={value} />
        )}
      </Text>
    </div>
  );
}
