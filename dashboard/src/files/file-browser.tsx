import type { AssetValue, ListedFile } from '@headwater/sdk';
import {
  Box,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { useMayEdit } from '../service/session.ts';
import { formatBytes } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { ShowMore } from '../shared/listing.tsx';
import { Empty, Failure, Loading } from '../shared/states.tsx';
import { ACCEPTED } from './accepted.ts';
import { FileTable } from './file-table.tsx';
import { usePictureUrl } from './picture-url.ts';
import { filesQuery } from './queries.ts';
import { UploadStatus } from './upload-status.tsx';
import { useUploads } from './uploads.ts';

interface FileBrowserProps {
  /** Called with the file that was clicked. */
  onChoose: (file: AssetValue) => void;
}

/** All files of the account as pictures, with a search, and a place to drop further ones. */
export function FileBrowser({ onChoose }: FileBrowserProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<'' | 'image' | 'video' | 'unused'>('');
  const [asked] = useDebouncedValue(name.trim(), 250);
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const { uploads, add, retry, dismiss } = useUploads();
  const mayEdit = useMayEdit();
  const [view, setView] = useLocalStorage<'grid' | 'list'>({ key: 'headwater-files-view', defaultValue: 'grid' });
  const query = useInfiniteQuery(
    filesQuery({ name: asked, type: type === 'image' || type === 'video' ? type : null, unused: type === 'unused' }),
  );
  const files = query.data?.pages.flatMap((page) => page.files) ?? [];
  const isAll = asked === '' && type === '';
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (mayEdit) void add([...event.dataTransfer.files]);
  };
  const uploadButton = mayEdit && (
    <Button leftSection={<Icon name="upload" size={16} />} onClick={() => picker.current?.click()}>
      Upload files
    </Button>
  );
  return (
    <Stack>
      <Group>
        <TextInput
          flex={1}
          miw={180}
          leftSection={<Icon name="search" size={16} />}
          placeholder="Search by name"
          aria-label="Search by name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Kind of files"
          value={type}
          onChange={(next) => setType(next as typeof type)}
          data={[
            { value: '', label: 'All' },
            { value: 'image', label: 'Images' },
            { value: 'video', label: 'Videos' },
            { value: 'unused', label: 'Not used' },
          ]}
        />
        <SegmentedControl
          aria-label="How they are shown"
          value={view}
          onChange={(next) => setView(next as typeof view)}
          data={[
            { value: 'grid', label: 'Pictures' },
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
      {uploads.length > 0 && <UploadStatus uploads={uploads} onRetry={retry} onDismiss={dismiss} onChoose={onChoose} />}
      <Box
        className="drop-zone"
        data-over={isOver}
        p="sm"
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        {query.isError ? (
          <Failure error={query.error} onRetry={() => query.refetch()} />
        ) : query.isPending ? (
          <Loading rows={4} label="Loading files" />
        ) : files.length === 0 ? (
          <Empty icon="files" title={isAll ? 'No files yet' : 'No file is like that'} action={isAll && uploadButton}>
            {isAll
              ? 'Drop images and videos here, or choose them. Entries show them by their fields.'
              : 'Try another name or kind.'}
          </Empty>
        ) : view === 'list' ? (
          <FileTable files={files} onChoose={onChoose} />
        ) : (
          <SimpleGrid cols={{ base: 2, xs: 3, sm: 4, lg: 5 }} spacing="sm">
            {files.map((file) => (
              <Tile key={file.assetId} file={file} onChoose={onChoose} />
            ))}
          </SimpleGrid>
        )}
      </Box>
      <ShowMore query={query} />
    </Stack>
  );
}

function Tile({ file, onChoose }: { file: ListedFile; onChoose: FileBrowserProps['onChoose'] }) {
  return (
    <UnstyledButton className="surface file-tile" onClick={() => onChoose(file)}>
      <Box h={124} className="checkered" style={{ display: 'grid', placeItems: 'center', overflow: 'hidden' }}>
        {file.type === 'video' ? <Icon name="film" size={36} /> : <TilePicture url={file.url} />}
      </Box>
      <Box px="xs" py={6}>
        <Text size="sm" truncate>
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

function TilePicture({ url }: { url: string }) {
  return (
    <img
      src={usePictureUrl(url, 240)}
      alt=""
      loading="lazy"
      decoding="async"
      style={{ width: '100%', height: 124, objectFit: 'cover' }}
    />
  );
}
