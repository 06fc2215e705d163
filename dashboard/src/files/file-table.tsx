import type { ListedFile } from '@headwater/sdk';
import { Group, Table, Text, UnstyledButton } from '@mantine/core';
import { formatAgo, formatBytes, formatNumber, formatTime } from '../shared/formats.ts';
import { Thumbnail } from './thumbnail.tsx';

/** As far as the service counts. */
const MOST_COUNTED = 1_000;

/** Files line by line, the newest first. */
export function FileTable({ files, onChoose }: { files: ListedFile[]; onChoose: (file: ListedFile) => void }) {
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table className="data-table" verticalSpacing={6} horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th ta="right">Dimensions</Table.Th>
            <Table.Th ta="right">Size</Table.Th>
            <Table.Th>Uploaded</Table.Th>
            <Table.Th>Used by</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.assetId}>
              <Table.Td maw={360}>
                <UnstyledButton className="cell" onClick={() => onChoose(file)} w="100%">
                  <Group gap="sm" wrap="nowrap">
                    <Thumbnail asset={{ ...file, name: '' }} size={36} />
                    <Text size="sm" fw={550} truncate>
                      {file.name}
                    </Text>
                  </Group>
                </UnstyledButton>
              </Table.Td>
              <Table.Td>{kindOf(file)}</Table.Td>
              <Table.Td ta="right" className="number">
                {file.width} × {file.height}
              </Table.Td>
              <Table.Td ta="right" className="number">
                {formatBytes(file.bytes)}
              </Table.Td>
              <Table.Td title={formatTime(file.createdAt)}>{formatAgo(file.createdAt)}</Table.Td>
              <Table.Td c={file.usedByCount === 0 ? 'dimmed' : undefined}>{usesOf(file)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** `image/svg+xml` is SVG. */
const kindOf = ({ mediaType }: ListedFile) => (mediaType.split('/')[1] ?? '').replace(/\+.*/, '').toUpperCase();

function usesOf({ usedByCount }: ListedFile): string {
  if (usedByCount === 0) return 'Nothing';
  if (usedByCount === 1) return '1 entry';
  return `${formatNumber(usedByCount)}${usedByCount === MOST_COUNTED ? ' or more' : ''} entries`;
}
