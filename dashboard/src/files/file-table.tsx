import type { ListedFile } from '@headwater/sdk';
import { Group, Text } from '@mantine/core';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatNumber } from '../shared/formats.ts';
import type { FileSelection } from './file-browser.tsx';
import { Thumbnail } from './thumbnail.tsx';

/** The service stops counting here. */
const MAX_USES = 1_000;

const COLUMNS: Column<ListedFile>[] = [
  {
    id: 'name',
    label: 'Name',
    cell: (file) => (
      <Group gap="sm" wrap="nowrap" component="span">
        <Thumbnail asset={{ ...file, name: '' }} size={36} />
        <Text component="span" size="sm" fw={550} truncate dir="auto">
          {file.name}
        </Text>
      </Group>
    ),
  },
  { id: 'type', label: 'Type', cell: formatName },
  { id: 'dimensions', label: 'Dimensions', isNumber: true, cell: ({ width, height }) => `${width} × ${height}` },
  { id: 'size', label: 'Size', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  timeColumn('uploaded', 'Uploaded', ({ createdAt }) => createdAt),
  { id: 'uses', label: 'Used by', cell: uses },
];

interface FileTableProps {
  files: readonly ListedFile[];
  onSelect: (file: ListedFile) => void;
  selection?: FileSelection | undefined;
}

export function FileTable({ files, onSelect, selection }: FileTableProps) {
  return (
    <DataTable
      label="Files"
      isDense
      isBare
      minWidth={720}
      query={{ data: files }}
      columns={COLUMNS}
      rowKey={({ assetId }) => assetId}
      rowName={({ name }) => name}
      {...(selection && { selection })}
      onOpen={onSelect}
    />
  );
}

/** `image/svg+xml` is SVG. */
function formatName({ mediaType }: ListedFile): string {
  return (mediaType.split('/')[1] ?? '').replace(/\+.*/, '').toUpperCase();
}

function uses({ usedByCount }: ListedFile): string {
  if (usedByCount === 0) return 'Unused';
  if (usedByCount === 1) return '1 entry';
  return `${formatNumber(usedByCount)}${usedByCount === MAX_USES ? '+' : ''} entries`;
}
