import type { AssetValue, ListedFile } from '@headwater/sdk';
import { Box, Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, Suspense, useRef, useState } from 'react';
import { t } from '../languages/translate.ts';
import { formatBytes } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { type FileSelection, FileTable } from './file-table.tsx';
import { FolderBar } from './folder-bar.tsx';
import { LibraryImage } from './library-image.tsx';
import { type FileFilter, filesQuery } from './queries.ts';
import { TagList } from './tag-list.tsx';
import { UploadStatus } from './upload-status.tsx';
import { useUploads } from './uploads.ts';

const FileActions = lazy(() => import('./file-actions.tsx'));

interface FileBrowserProps {
  onSelect: (file: AssetValue) => void;
  /** A file is selected for a field: one that is uploaded is selected. */
  isPicker?: boolean;
  /** Several files can be selected and changed at once. */
  isSelectable?: boolean;
}

/** The files of the account, with search, filters, tags, upload, and drag and drop. */
export function FileBrowser({ onSelect, isPicker = false, isSelectable = false }: FileBrowserProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<FileFilter['type']>('all');
  const [tag, setTag] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  const [folderId, setFolderId] = useState<string>();
  const { uploads, add, retry, dismiss } = useUploads(folderId, isPicker ? onSelect : undefined);
  const mayEdit = useMayWrite('files');
  const [view, setView] = useLocalStorage<'grid' | 'list'>({ key: 'headwater-files-view', defaultValue: 'grid' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useInfiniteQuery(filesQuery({ name, type, tag, folderId }));
  const chosen = (query.data ?? []).filter(({ assetId }) => selected.has(assetId));
  const clearSelection = () => setSelected(new Set());
  const selection = isSelectable && mayEdit ? { selected, onChange: setSelected } : undefined;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    if (mayEdit) void add([...event.dataTransfer.files]);
  };
  const uploadButton = mayEdit && (
    <IconButton icon="upload" onClick={() => picker.current?.click()}>
      {t('Upload files')}
    </IconButton>
  );
  return (
    <Stack>
      <Group>
        <SearchBox label={t('Search by name')} value={name || undefined} onSearch={(text = '') => setName(text)} />
        <SegmentedControl
          aria-label={t('File type')}
          value={type}
          onChange={(next) => {
            setType(next as FileFilter['type']);
            clearSelection();
          }}
          data={[
            { value: 'all', label: t('All') },
            { value: 'image', label: t('Images') },
            { value: 'video', label: t('Videos') },
            { value: 'file', label: t('Other') },
            { value: 'missingAlt', label: t('No alt text') },
            { value: 'unused', label: t('Unused') },
            ...(isSelectable ? [{ value: 'trash', label: t('Trash') }] : []),
          ]}
        />
        <SegmentedControl
          aria-label={t('View')}
          value={view}
          onChange={(next) => setView(next === 'list' ? 'list' : 'grid')}
          data={[
            { value: 'grid', label: t('Grid') },
            { value: 'list', label: t('List') },
          ]}
        />
        {uploadButton}
      </Group>
      {type !== 'trash' && (
        <FolderBar
          selected={folderId}
          onSelect={(id) => {
            setFolderId(id);
            clearSelection();
          }}
        />
      )}
      {type !== 'trash' && <TagList selected={tag} onSelect={setTag} />}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('Files to upload')}
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {uploads.length > 0 && (
        <UploadStatus
          uploads={uploads}
          onRetry={retry}
          onDismiss={dismiss}
          onOpen={onSelect}
          action={isPicker ? t('Select') : t('Open|verb')}
        />
      )}
      {selection && chosen.length > 0 && (
        <Suspense>
          <FileActions files={chosen} isTrash={type === 'trash'} onDone={clearSelection} />
        </Suspense>
      )}
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
        <Loaded query={query} rows={4} label={t('Loading files')}>
          {(files) =>
            files.length === 0 ? (
              <NoFiles
                isFiltered={
                  name !== '' || tag !== undefined || folderId !== undefined || (type !== 'all' && type !== 'trash')
                }
                isTrash={type === 'trash'}
                uploadButton={uploadButton}
              />
            ) : view === 'list' ? (
              <FileTable files={files} onSelect={onSelect} selection={selection} />
            ) : (
              <SimpleGrid cols={{ base: 2, xs: 3, sm: 4, lg: 5 }} spacing="sm">
                {files.map((file) => (
                  <Tile key={file.assetId} file={file} onSelect={onSelect} selection={selection} />
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

interface NoFilesProps {
  isFiltered: boolean;
  isTrash: boolean;
  uploadButton: React.ReactNode;
}

function NoFiles({ isFiltered, isTrash, uploadButton }: NoFilesProps) {
  if (isFiltered) {
    return (
      <EmptyState icon="files" title={t('No matching files')}>
        {t('Try another name, type or tag.')}
      </EmptyState>
    );
  }
  if (isTrash) {
    return (
      <EmptyState icon="trash" title={t('The trash is empty')}>
        {t('Files that you delete stay here until you delete them permanently.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="files" title={t('No files yet')} action={uploadButton}>
      {t('Drop images, videos and other files here, or upload them. Entries use them in media fields.')}
    </EmptyState>
  );
}

interface TileProps extends Pick<FileBrowserProps, 'onSelect'> {
  file: ListedFile;
  selection: FileSelection | undefined;
}

function Tile({ file, onSelect, selection }: TileProps) {
  const isSelected = selection?.selected.has(file.assetId);
  return (
    <Box pos="relative">
      <UnstyledButton className="surface file-tile" data-selected={isSelected} onClick={() => onSelect(file)}>
        <Box h={124} className="checkered" style={{ display: 'grid', placeItems: 'center', overflow: 'hidden' }}>
          {file.type === 'image' ? (
            <LibraryImage
              url={file.url}
              displayWidth={240}
              style={{ width: '100%', height: 124, objectFit: 'cover' }}
            />
          ) : (
            <Icon name={file.type === 'video' ? 'video' : 'files'} size={36} />
          )}
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
      {selection && (
        <Checkbox
          className="tile-checkbox"
          aria-label={t('Select {name}', { name: file.name })}
          checked={isSelected}
          onChange={() => {
            const { selected } = selection;
            selection.onChange(
              isSelected
                ? new Set([...selected].filter((id) => id !== file.assetId))
                : new Set([...selected, file.assetId]),
            );
          }}
        />
      )}
    </Box>
  );
}
