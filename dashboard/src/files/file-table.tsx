import type { ListedFile } from '@headwater/sdk';
import { Group, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatNumber } from '../shared/formats.ts';
import { Thumbnail } from './thumbnail.tsx';

export interface FileSelection {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}

/** The service stops counting here. */
const MAX_USES = 1_000;

const COLUMNS: Column<ListedFile>[] = [
  {
    id: 'name',
    label: t('Name'),
    cell: (file) => (
      <Group gap="sm" wrap="nowrap" component="span">
        <Thumbnail asset={{ ...file, name: '' }} size={36} />
        <Text component="span" size="sm" fw={550} truncate dir="auto">
          {file.name}
        </Text>
      </Group>
    ),
  },
  { id: 'type', label: t('Type'), cell: formatName },
  { id: 'dimensions', label: t('Dimensions'), isNumber: true, cell: ({ width, height }) => `${width} × ${height}` },
  { id: 'size', label: t('Size'), isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  timeColumn('uploaded', t('Uploaded'), ({ createdAt }) => createdAt),
  { id: 'uses', label: t('Used by'), cell: uses },
];

interface FileTableProps {
  files: readonly ListedFile[];
  onSelect: (file: ListedFile) => void;
  selection?: FileSelection | undefined;
}

export function FileTable({ files, onSelect, selection }: FileTableProps) {
  return (
    <DataTable
      label={t('Files')}
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
  if (usedByCount === 0) return t('Unused');
  if (usedByCount === MAX_USES) return t('{count}+ entries', { count: formatNumber(usedByCount) });
  return t('{count, plural, one {# entry} other {# entries}}', { count: usedByCount });
}
