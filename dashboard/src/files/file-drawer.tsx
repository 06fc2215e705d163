import type { FileWithUses } from '@headwater/sdk';
import { Anchor, Button, Drawer, Group, Stack, Table, TagsInput, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { Form, FormError } from '../shared/form.tsx';
import { formatBytes, formatDateTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRestoreFocus } from '../shared/use-restore-focus.ts';
import { useMayWrite } from '../users/rights.ts';
import { CropPreview } from './crop-preview.tsx';
import { FileUses } from './file-uses.tsx';
import { FocalPointInput } from './focal-point-input.tsx';
import { fileQuery, fileTagsQuery, invalidateFiles } from './queries.ts';
import { ReplaceButton } from './replace-button.tsx';

interface FileDrawerProps {
  assetId: string;
  onClose: () => void;
}

/** A file with its metadata and the entries that use it. */
export function FileDrawer({ assetId, onClose }: FileDrawerProps) {
  useRestoreFocus();
  const query = useQuery(fileQuery(assetId));
  const hasUnsavedChanges = useRef(() => false);
  const [dialog, setDialog] = useState<'delete' | 'discard'>();
  const closeDialog = () => setDialog(undefined);
  return (
    <>
      <Drawer
        opened
        // Escape closes the dialog in front.
        closeOnEscape={dialog === undefined}
        onClose={() => (hasUnsavedChanges.current() ? setDialog('discard') : onClose())}
        position="right"
        size="lg"
        title={query.data?.name ?? t('File')}
      >
        <Loaded query={query}>
          {(file) => (
            <FileForm
              key={file.assetId + file.updatedAt}
              file={file}
              hasUnsavedChanges={hasUnsavedChanges}
              onDelete={() => setDialog('delete')}
            />
          )}
        </Loaded>
      </Drawer>
      {dialog === 'discard' && (
        <ConfirmDialog
          title={t('Discard your changes?')}
          action={t('Discard changes')}
          cancel={t('Keep editing')}
          run={async () => onClose()}
          onClose={closeDialog}
        >
          {t('You have unsaved changes to this file.')}
        </ConfirmDialog>
      )}
      {dialog === 'delete' && query.data && (
        <ConfirmDialog
          title={t('Permanently delete {name}?', { name: query.data.name })}
          action={t('Delete permanently')}
          run={async () => {
            await headwater.deleteFile({ assetId, force: true });
            void invalidateFiles();
            onClose();
            notify(t('The file was deleted.'));
          }}
          onClose={closeDialog}
        >
          {t('This cannot be undone. ')}
          <UseWarning count={query.data.usedByCount} />
        </ConfirmDialog>
      )}
    </>
  );
}

function UseWarning({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <b>
      {t('{count, plural, one {# entry uses it and will lose it.} other {# entries use it and will lose it.}}', {
        count,
      })}
    </b>
  );
}

interface FileFormProps {
  file: FileWithUses;
  /** Set by the form, read when the drawer closes. */
  hasUnsavedChanges: RefObject<() => boolean>;
  onDelete: () => void;
}

function FileForm({ file, hasUnsavedChanges, onDelete }: FileFormProps) {
  const { assetId, type, focalPoint } = file;
  const mayEdit = useMayWrite('files');
  const { data: knownTags = [] } = useQuery(fileTagsQuery());
  const form = useForm({
    initial: { name: file.name, alt: file.alt ?? '', focalPoint, tags: file.tags },
    mustChange: true,
    isValid: ({ name }) => name.trim() !== '',
    save: (values) =>
      headwater.updateFile({ assetId }, { ...values, name: values.name.trim(), alt: values.alt.trim() || null }),
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: ['file', assetId] });
      void invalidateFiles();
      notify(t('Saved.'));
    },
  });
  hasUnsavedChanges.current = form.hasUnsavedChanges;
  return (
    <Form form={form}>
      <Stack>
        {type === 'video' ? (
          // biome-ignore lint/a11y/useMediaCaption: files have no captions
          <video
            src={file.url}
            poster={file.posterUrl ?? undefined}
            controls
            style={{ width: '100%', maxHeight: 360, borderRadius: 8 }}
          />
        ) : type === 'file' ? (
          <Anchor href={file.url} download>
            {t('Download ({bytes})', { bytes: formatBytes(file.bytes) })}
          </Anchor>
        ) : (
          <FocalPointInput
            file={file}
            value={form.values.focalPoint}
            onChange={(point) => form.set({ focalPoint: point })}
          />
        )}
        {type === 'image' && <CropPreview file={file} focalPoint={form.values.focalPoint} />}
        <TextInput {...form.text('name')} label={t('Name')} dir="auto" />
        <Textarea
          {...form.text('alt')}
          label={t('Alt text')}
          description={t('Describes the file for people who cannot see it')}
          dir="auto"
          autosize
        />
        <TagsInput
          label={t('Tags')}
          description={t('Find files by them. Unlike folders, a file can have several.')}
          data={knownTags.map(({ tag }) => tag)}
          value={form.values.tags}
          onChange={(tags) => form.set({ tags })}
          error={form.errorOf('tags')}
          acceptValueOnBlur
        />
        <FormError form={form} />
        <Group justify="flex-end">
          {form.values.focalPoint && (
            <Button variant="subtle" color="gray" onClick={() => form.set({ focalPoint: null })}>
              {t('Clear focal point')}
            </Button>
          )}
          {mayEdit && (
            <Button type="submit" disabled={!form.canSubmit} loading={form.isPending}>
              {t('Save')}
            </Button>
          )}
        </Group>
        <FileProperties file={file} />
        <CopyField value={file.url} label="URL" />
        <div>
          <Title order={3} size="h5" mb={4}>
            {t('Used by')}
          </Title>
          <FileUses file={file} />
        </div>
        {mayEdit && (
          <Group align="flex-start" justify="space-between">
            <ReplaceButton file={file} />
            <FileTrashButtons file={file} onDelete={onDelete} />
          </Group>
        )}
      </Stack>
    </Form>
  );
}

/** Deleting moves a file to the trash; only from there it is deleted permanently. */
function FileTrashButtons({
  file: { assetId, status, usedByCount },
  onDelete,
}: Pick<FileFormProps, 'file' | 'onDelete'>) {
  const setStatus = useMutation({
    mutationFn: (next: 'active' | 'deleted') => headwater.updateFile({ assetId }, { status: next }),
    onSuccess: (_, next) => {
      void queryClient.invalidateQueries({ queryKey: ['file', assetId] });
      void invalidateFiles();
      const used = usedByCount > 0 ? ` ${t('Entries that use it keep it.')}` : '';
      notify(next === 'deleted' ? t('The file was moved to the trash.{used}', { used }) : t('The file was restored.'));
    },
  });
  if (status === 'active') {
    return (
      <Button variant="light" color="red" loading={setStatus.isPending} onClick={() => setStatus.mutate('deleted')}>
        {t('Delete file')}
      </Button>
    );
  }
  return (
    <Group gap="xs">
      <Button variant="default" loading={setStatus.isPending} onClick={() => setStatus.mutate('active')}>
        {t('Restore')}
      </Button>
      <Button variant="light" color="red" onClick={onDelete}>
        {t('Delete permanently')}
      </Button>
    </Group>
  );
}

function FileProperties({ file }: { file: FileWithUses }) {
  const { mediaType, codec, width, height, bytes, duration, createdAt } = file;
  const properties: [label: string, value: string][] = [
    [t('Type'), [mediaType, codec].filter(Boolean).join(', ')],
    [t('Dimensions'), width ? `${width} × ${height}` : t('Unknown')],
    [t('Size'), formatBytes(bytes)],
    ...(duration === null ? [] : [[t('Duration'), `${Math.round(duration)} s`] satisfies [string, string]]),
    [t('Uploaded'), formatDateTime(createdAt)],
  ];
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {properties.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={130} scope="row">
              {label}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
