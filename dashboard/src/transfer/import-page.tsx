import type { Collection, Import } from '@headwater/sdk';
import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { collectionQuery, forgetEntries } from '../content/queries.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { formatBytes, formatNumber, formatTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { STATUS_TEXTS } from './imports-page.tsx';
import { MappingForm } from './mapping-form.tsx';
import { importQuery, isUnderWay, keepImport } from './queries.ts';
import { RowCounts, UndoCounts } from './step-counts.tsx';

export function ImportPage() {
  const { collectionId, importId } = useParams({ from: '/shell/content/$collectionId/import/$importId' });
  const collection = useQuery(collectionQuery(collectionId));
  const query = useQuery(importQuery(collectionId, importId));
  return (
    <Loaded query={collection}>
      {(known) => <Loaded query={query}>{(file) => <Steps collection={known} file={file} />}</Loaded>}
    </Loaded>
  );
}

function Steps({ collection, file }: { collection: Collection; file: Import }) {
  const { status } = file;
  const isMoving = isUnderWay(file);
  const [isRemapping, setIsRemapping] = useState(false);
  // What a step has written is seen by whoever looks at the entries next.
  useEffect(() => {
    if (!isMoving) forgetEntries(collection.id);
    if (isMoving) setIsRemapping(false);
  }, [isMoving, collection.id]);
  const mayRehearse =
    status === 'uploaded' || status === 'undone' || (status === 'stopped' && file.step === 'rehearsal');
  return (
    <Page
      title={file.name}
      description={`${formatBytes(file.bytes)}, uploaded ${formatTime(file.createdAt)}, kept until ${formatTime(file.expiresAt)}`}
      back={
        <Anchor component={Link} to={`/content/${collection.id}/import`} size="sm" c="dimmed">
          Imports into {collection.name}
        </Anchor>
      }
    >
      <State file={file} onRemap={() => setIsRemapping(true)} isRemapping={isRemapping} />
      {(mayRehearse || (status === 'rehearsed' && isRemapping)) && (
        <MayEdit>
          <MappingForm key={file.id} collection={collection} file={file} />
        </MayEdit>
      )}
      {file.undone && <UndoCounts counts={file.undone} />}
      {file.imported && status !== 'undone' && (
        <RowCounts title="Imported" counts={file.imported} collection={collection} />
      )}
      {file.rehearsal && !file.imported && !isRemapping && (
        <RowCounts title="What the import would do" counts={file.rehearsal} collection={collection} />
      )}
    </Page>
  );
}

function MayEdit({ children }: { children: React.ReactNode }) {
  return useMayEdit() ? children : null;
}

interface StateProps {
  file: Import;
  onRemap: () => void;
  isRemapping: boolean;
}

/** Where the import is, and what can be done next. */
function State({ file, onRemap, isRemapping }: StateProps) {
  const { status, step, job, rehearsal } = file;
  const mayEdit = useMayEdit();
  const path = { collectionId: file.collectionId, importId: file.id };
  const start = useMutation({ mutationFn: () => headwater.startImport(path, {}), onSuccess: keepImport });
  const cancel = useMutation({
    mutationFn: () => headwater.cancelJob({ id: job?.id ?? '' }, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['import', file.collectionId, file.id] }),
  });
  const [isUndoing, setIsUndoing] = useState(false);
  if (status === 'uploaded') return null;
  const writes = (rehearsal?.created ?? 0) + (rehearsal?.changed ?? 0);
  const mayUndo = status === 'imported' || (status === 'stopped' && step !== 'rehearsal');
  const startButton = (text: string) => (
    <Button loading={start.isPending} disabled={writes === 0} onClick={() => start.mutate()}>
      {text}
    </Button>
  );
  return (
    <Stack className="surface" p="lg" gap="sm">
      <Group justify="space-between">
        <Text fw={600} role="status">
          {STATUS_TEXTS[status]}
        </Text>
        {mayEdit && (
          <Group gap="xs">
            {isUnderWay(file) && (
              <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
                Stop
              </Button>
            )}
            {status === 'rehearsed' && !isRemapping && (
              <>
                <Button variant="default" onClick={onRemap}>
                  Change the columns
                </Button>
                {startButton(writes === 1 ? 'Import 1 row' : `Import ${formatNumber(writes)} rows`)}
              </>
            )}
            {status === 'stopped' && step === 'import' && startButton('Go on')}
            {mayUndo && (
              <Button variant="default" onClick={() => setIsUndoing(true)}>
                {step === 'undo' ? 'Go on undoing' : 'Undo'}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {isUnderWay(file) && (
        <Progress value={(job?.progress ?? 0) * 100} animated aria-label={`Progress: ${STATUS_TEXTS[status]}`} />
      )}
      {isUnderWay(file) && (
        <Text size="sm" c="dimmed">
          It goes on when you leave this page.
        </Text>
      )}
      {status === 'stopped' && (
        <Alert color={job?.error ? 'red' : 'gray'} variant="light">
          {job?.error?.detail ??
            (step === 'rehearsal' ? 'It was stopped.' : 'It was stopped. What was done until then stays done.')}
        </Alert>
      )}
      {status === 'rehearsed' && rehearsal !== null && rehearsal.refused > 0 && writes > 0 && (
        <Text size="sm" c="dimmed">
          Rows with a fault are left out. They can be put right and imported later.
        </Text>
      )}
      {status === 'rehearsed' && writes === 0 && (
        <Text size="sm" c="dimmed">
          There is nothing to write.
        </Text>
      )}
      <Confirm
        opened={isUndoing}
        onClose={() => setIsUndoing(false)}
        title="Undo this import?"
        action="Undo the import"
        run={async () => keepImport(await headwater.undoImport(path, {}))}
      >
        What it has created goes to the trash, what it has changed becomes what it was. Entries that somebody has
        changed since stay as they are, and are named in the results.
      </Confirm>
    </Stack>
  );
}
