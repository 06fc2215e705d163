import type { AssetValue, ListedFile } from '@headwater/sdk';
import { Box, Group, SegmentedControl, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { useMayEdit } from '../service/session.ts';
import { formatBytes } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { ACCEPTED } from './accepted.ts';
import { FileTable } from './file-table.tsx';
import { useImageUrl } from './image-url.ts';
import { type FileFilter, filesQuery } from './queries.ts';
import { UploadStatus } from './upload-status.tsx';
import { useUploads } from './uploads.ts';

interface FileBrowserProps {
  onSelect: (file: AssetValue) => void;
}

/** The files of the account, with search, filter, upload and drag and drop. */
export function FileBrowser({ onSelect }: FileBrowserProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<FileFilter['type']>('all');
  const picker = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  const { uploads, add, retry, dismiss } = useUploads();
  const mayEdit = useMayEdit();
  const [view, setView] = useLocalStorage<'grid' | 'list'>({ key: 'headwater-files-view', defaultValue: 'grid' });
  const query = useInfiniteQuery(filesQuery({ name, type }));
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    if (mayEdit) void add([...event.dataTransfer.files]);
  };
  const uploadButton = mayEdit && (
    <IconButton icon="upload" onClick={() => picker.current?.click()}>
      Upload files
    </IconButton>
  );
  return (
    <Stack>
      <Group>
        <SearchBox label="Search by name" value={name || undefined} onSearch={(text = '') => setName(text)} />
        <SegmentedControl
          aria-label="File type"
          value={type}
          onChange={(next) => setType(next as FileFilter['type'])}
          data={[
            { value: 'all', label: 'All' },
            { value: 'image', label: 'Images' },
            { value: 'video', label: 'Videos' },
            { value: 'unused', label: 'Unused' },
          ]}
        />
        <SegmentedControl
          aria-label="View"
          value={view}
          onChange={(next) => setView(next === 'list' ? 'list' : 'grid')}
          data={[
            { value: 'grid', label: 'Grid' },
            { value: 'list', label: 'List' },
          ]}
        />
        {uploadButton}
      </Group>
      <input
        ref={picker}
        type="file"
        accept={Object.values(ACCEPTED).join()}
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {uploads.length > 0 && <UploadStatus uploads={uploads} onRetry={retry} onDismiss={dismiss} onOpen={onSelect} />}
      <Box
        className="drop-zone"
        data-over={isDragOver}
        p="sm"
        onDragOver={(event) => {
          event.preventDefault();
          setIsDragOver(true);
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={onDrop}
      >
        <Loaded query={query} rows={4} label="Loading files">
          {(files) =>
            files.length === 0 ? (
              <NoFiles isFiltered={name !== '' || type !== 'all'} uploadButton={uploadButton} />
            ) : view === 'list' ? (
              <FileTable files={files} onSelect={onSelect} />
            ) : (
              <SimpleGrid cols={{ base: 2, xs: 3, sm: 4, lg: 5 }} spacing="sm">
                {files.map((file) => (
                  <Tile key={file.assetId} file={file} onSelect={onSelect} />
                ))}
              </SimpleGrid>
            )
          }
        </Loaded>
      </Box>
      <Group justify="center">
        <LoadMore query={query} />
      </Group>
    </Stack>
  );
}

function NoFiles({ isFiltered, uploadButton }: { isFiltered: boolean; uploadButton: React.ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState icon="files" title="No matching files">
        Try another name or type.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="files" title="No files yet" action={uploadButton}>
      Drop images and videos here, or upload them. Entries use them in media fields.
    </EmptyState>
  );
}

function Tile({ file, onSelect }: { file: ListedFile } & FileBrowserProps) {
  return (
    <UnstyledButton className="surface file-tile" onClick={() => onSelect(file)}>
      <Box h={124} className="checkered" style={{ display: 'grid', placeItems: 'center', overflow: 'hidden' }}>
        {file.type === 'video' ? <Icon name="video" size={36} /> : <TileImage url={file.url} />}
      </Box>
      <Box px="xs" py={6}>
        <Text size="sm" truncate dir="auto">
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" className="number">
          {file.width ? `${file.width} × ${file.height} · ` : ''}
          {formatBytes(file.bytes)}
        </Text>
      </Box>
    </UnstyledButton>
  );
}

function TileImage({ url }: { url: string }) {
  return (
    <img
      src={useImageUrl(url, 240)}
      alt=""
      loading="lazy"
      decoding="async"
      style={{ width: '100%', height: 124, objectFit: 'cover' }}
    />
  );
}
