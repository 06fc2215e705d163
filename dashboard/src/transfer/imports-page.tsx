import type { Collection, Import } from '@headwater/sdk';
import { Alert, Anchor, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { collectionQuery } from '../content/queries.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { CSV_FILES, FileDrop } from '../shared/file-drop.tsx';
import { formatAgo, formatBytes, formatNumber, formatTime } from '../shared/formats.ts';
import { Listing } from '../shared/listing.tsx';
import { messageOf } from '../shared/messages.ts';
import { Page } from '../shared/page.tsx';
import { Empty, Loaded } from '../shared/states.tsx';
import { importsQuery, keepImport } from './queries.ts';

export function ImportsPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/import' });
  const query = useQuery(collectionQuery(collectionId));
  return <Loaded query={query}>{(collection) => <Imports collection={collection} />}</Loaded>;
}

function Imports({ collection }: { collection: Collection }) {
  const mayEdit = useMayEdit();
  return (
    <Page
      title={`Import into ${collection.name}`}
      description="A CSV becomes entries: first rehearsed, then written, and it can be undone."
      back={
        <Anchor component={Link} to={`/content/${collection.id}`} size="sm" c="dimmed">
          {collection.name}
        </Anchor>
      }
    >
      {mayEdit && <Upload collection={collection} />}
      <Earlier collection={collection} />
    </Page>
  );
}

function Upload({ collection }: { collection: Collection }) {
  const navigate = useNavigate();
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: (file: File) => {
      setShare(0);
      return headwater.uploadImport({ collectionId: collection.id }, { file }, { onProgress: setShare });
    },
    onSuccess: (answer) => {
      keepImport(answer);
      return navigate({
        to: '/content/$collectionId/import/$importId',
        params: { collectionId: collection.id, importId: answer.id },
      });
    },
  });
  if (mutation.isPending) {
    return (
      <Stack className="surface" p="lg" gap="xs" role="status">
        <Text size="sm">Uploading {mutation.variables.name}</Text>
        <Progress value={share * 100} aria-label="Progress of the upload" />
      </Stack>
    );
  }
  return (
    <>
      {mutation.isError && (
        <Alert color="red" variant="light" title={messageOf(mutation.error).title}>
          {messageOf(mutation.error).detail}
        </Alert>
      )}
      <FileDrop
        title="Drop a CSV of entries"
        label="A CSV of entries"
        accept={CSV_FILES}
        onChoose={(file) => mutation.mutate(file)}
      >
        Its first line names the columns. Nothing is written before you have seen what it would do. A file that was
        exported here can be changed and imported again.
      </FileDrop>
    </>
  );
}

export const STATUS_TEXTS: Record<Import['status'], string> = {
  uploaded: 'Uploaded',
  rehearsing: 'Being rehearsed',
  rehearsed: 'Rehearsed',
  importing: 'Being imported',
  imported: 'Imported',
  undoing: 'Being undone',
  undone: 'Undone',
  stopped: 'Stopped',
};

function Earlier({ collection }: { collection: Collection }) {
  const query = useInfiniteQuery(importsQuery(collection.id));
  const imports = query.data?.pages.flatMap((page) => page.imports) ?? [];
  return (
    <Stack gap="sm">
      <Title order={2}>Earlier imports</Title>
      <Listing
        query={query}
        label="Loading imports"
        isEmpty={imports.length === 0}
        empty={
          <Empty icon="clock" title="No imports yet">
            They stay here for 30 days, and can be undone as long.
          </Empty>
        }
      >
        <Table.ScrollContainer minWidth={560}>
          <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>File</Table.Th>
                <Table.Th>Uploaded</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {imports.map((each) => (
                <Table.Tr key={each.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/content/${collection.id}/import/${each.id}`} size="sm" fw={550}>
                      {each.name}
                    </Anchor>
                    <Text size="xs" c="dimmed">
                      {formatBytes(each.bytes)}
                    </Text>
                  </Table.Td>
                  <Table.Td title={formatTime(each.createdAt)}>{formatAgo(each.createdAt)}</Table.Td>
                  <Table.Td>
                    <Text size="sm">{STATUS_TEXTS[each.status]}</Text>
                    <Text size="xs" c="dimmed">
                      {summaryOf(each)}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Listing>
    </Stack>
  );
}

function summaryOf({ imported, rehearsal, undone }: Import): string {
  if (undone) return `${formatNumber(undone.entries - undone.kept)} taken back`;
  const counts = imported ?? rehearsal;
  return counts ? `${formatNumber(counts.created)} new, ${formatNumber(counts.changed)} changed` : '';
}
