import { type Collection, type Entry, type EntryVersion, type Field, isHeadwaterError } from '@headwater/sdk';
import { Alert, Button, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldTypeOf, isActive, isRepeated } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { errorMessage, fieldErrors } from '../shared/error-messages.ts';
import { focusOnMount } from '../shared/focus-on-mount.ts';
import { formatDateTime } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { notifyWithUndo } from '../shared/notify.tsx';
import { ErrorState, LoadingState } from '../shared/states.tsx';
import { useRights } from '../users/rights.ts';
import { authorName } from './author-name.ts';
import classes from './history.module.css';
import { invalidateEntries, invalidateVersions, versionQuery } from './queries.ts';
import { ValueCell } from './value-cell.tsx';

type Values = Record<string, unknown>;

interface VersionDetailsProps {
  collection: Collection;
  entryId: string;
  version: EntryVersion;
  current: EntryVersion;
  /** Why the version cannot be restored now. */
  obstacle: string | undefined;
  onBack: () => void;
  onRestored: (entry: Entry) => void;
}

/** The differences between a version and the current one, and the button that restores it. */
export function VersionDetails(props: VersionDetailsProps) {
  const { collection, entryId, version, current, onBack } = props;
  const then = useQuery(versionQuery(collection.id, entryId, version.version));
  // The previous data keep the message of a failed restore on screen while a newer version loads.
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
          {t('All versions')}
        </Button>
      </div>
      <div>
        <Title order={3} size="h4">
          {t('Version {version}', { version: version.version })}
        </Title>
        <Text size="sm" c="dimmed">
          {authorName(version.by)} · {formatDateTime(version.at)}
        </Text>
      </div>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => failed.refetch()} />
      ) : then.data && now.data ? (
        <Differences {...props} then={then.data.values} now={now.data.values} />
      ) : (
        <LoadingState rows={4} />
      )}
    </Stack>
  );
}

function Differences(props: VersionDetailsProps & { then: Values; now: Values }) {
  const { collection, version, then, now } = props;
  const fields = collection.fields.filter(
    (field) => isActive(field) && JSON.stringify(then[field.id]) !== JSON.stringify(now[field.id]),
  );
  if (version.current) return <Text size="sm">{t('This is the current version.')}</Text>;
  if (fields.length === 0)
    return <Text size="sm">{t('All fields have the same values as in the current version.')}</Text>;
  return (
    <>
      {fields.map((field) => (
        <div key={field.id}>
          <Title order={4} size="h5" mb={6}>
            {field.label}
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Side
              title={t('Version {version}', { version: version.version })}
              field={field}
              value={then[field.id]}
              other={now[field.id]}
            />
            <Side title={t('Current')} field={field} value={now[field.id]} other={then[field.id]} />
          </SimpleGrid>
        </div>
      ))}
      <Restore {...props} fields={fields} />
    </>
  );
}

function Restore(props: VersionDetailsProps & { fields: Field[] }) {
  const { collection, entryId, version, current, obstacle, onRestored, fields } = props;
  const mayEdit = useRights().may('update', props.collection.id);
  const [isConfirming, setIsConfirming] = useState(false);
  const path = { collectionId: collection.id, entryId };
  const restore = useMutation({
    meta: { shown: true },
    mutationFn: (only?: string[]) =>
      headwater.restoreEntryVersion(
        { ...path, version: String(version.version) },
        { version: current.version, ...(only && { fields: only }) },
      ),
    onError: (error) => {
      if (isHeadwaterError(error, 'version_conflict')) invalidateVersions(collection.id, entryId);
    },
    onSuccess: (restored) => {
      onRestored(restored);
      notifyWithUndo(t('Version {version} was restored.', { version: version.version }), async () =>
        invalidateEntries(
          collection.id,
          await headwater.restoreEntryVersion(
            { ...path, version: String(current.version) },
            { version: restored.version },
          ),
        ),
      );
    },
  });
  const isConflict = isHeadwaterError(restore.error, 'version_conflict');
  // Pointers are `/values/<field>/…`.
  const errors = new Map(
    [...fieldErrors(isConflict ? undefined : restore.error)].map(([pointer, detail]) => [
      pointer.split('/')[2],
      detail,
    ]),
  );
  const invalid = fields.filter(({ id }) => errors.has(id));
  const valid = fields.filter(({ id }) => !errors.has(id));
  return (
    <>
      {restore.isError && errors.size === 0 && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={isConflict ? t('Someone else changed this entry') : errorMessage(restore.error).title}
        >
          {isConflict ? t('The comparison above now shows the latest version.') : errorMessage(restore.error).detail}
        </Alert>
      )}
      {errors.size > 0 && (
        <Alert color="red" variant="light" role="alert" title={t('Some fields cannot be restored')}>
          <List size="sm">
            {invalid.map(({ id }) => (
              <List.Item key={id}>{errors.get(id)}</List.Item>
            ))}
          </List>
          {valid.length > 0 && (
            <Button
              mt="sm"
              size="compact-sm"
              loading={restore.isPending}
              onClick={() => restore.mutate(valid.map(({ id }) => id))}
            >
              {t('Restore other fields')}
            </Button>
          )}
        </Alert>
      )}
      {!mayEdit ? null : obstacle !== undefined ? (
        <Text size="sm" c="dimmed">
          {obstacle}
        </Text>
      ) : isConfirming && !restore.isError ? (
        <Group justify="space-between" className="surface" p="sm" role="group" aria-label={t('Confirm')}>
          <Text size="sm" flex={1} miw={200}>
            {t('Your pages show the restored version immediately. The current version stays in the history.')}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="compact-md" onClick={() => setIsConfirming(false)}>
              {t('Cancel')}
            </Button>
            <Button
              ref={focusOnMount}
              size="compact-md"
              loading={restore.isPending}
              onClick={() => restore.mutate(undefined)}
            >
              {t('Restore')}
            </Button>
          </Group>
        </Group>
      ) : (
        errors.size === 0 && (
          <div>
            <IconButton
              icon="restore"
              onClick={() => {
                restore.reset();
                setIsConfirming(true);
              }}
            >
              {t('Restore version')}
            </IconButton>
          </div>
        )
      )}
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
  const { Difference } = fieldTypeOf(field);
  const hasValue = value !== undefined && value !== null;
  return (
    <div className={classes.value}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" component="div">
        {Difference && hasValue && !isRepeated(field) ? (
          <Difference value={value} other={other ?? undefined} />
        ) : (
          <ValueCell field={field} value={value} />
        )}
      </Text>
    </div>
  );
}
