import type { Folder } from '@headwater/sdk';
import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { notify, notifyError } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { useMayWrite } from '../users/rights.ts';
import { foldersQuery, pathOfFolder } from './folders.ts';

interface FolderBarProps {
  selected: string | undefined;
  onSelect: (folderId: string | undefined) => void;
}

const refresh = () => queryClient.invalidateQueries({ queryKey: ['folders'] });

/** The folder that is open, those that contain it and those in it. */
export function FolderBar({ selected, onSelect }: FolderBarProps) {
  const { data: folders = [] } = useQuery(foldersQuery());
  const mayEdit = useMayWrite('files');
  const [dialog, setDialog] = useState<'new' | 'rename'>();
  const path = pathOfFolder(folders, selected);
  const current = path.at(-1);
  const inside = folders.filter(({ parentId }) => parentId === (selected ?? null));
  if (folders.length === 0 && !mayEdit) return null;
  const remove = async ({ id, parentId, name }: Folder) => {
    try {
      await headwater.deleteFolder({ folderId: id });
      onSelect(parentId ?? undefined);
      await refresh();
      notify(t('{name} was deleted.', { name }));
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Group gap={6} role="group" aria-label={t('Folders')}>
      {folders.length > 0 && (
        <Button
          variant={selected === undefined ? 'light' : 'subtle'}
          size="compact-sm"
          onClick={() => onSelect(undefined)}
        >
          {t('All files')}
        </Button>
      )}
      {path.map((folder) => (
        <Group key={folder.id} gap={6}>
          <Icon name="right" size={12} color="var(--mantine-color-dimmed)" />
          <Button
            variant={folder.id === selected ? 'light' : 'subtle'}
            size="compact-sm"
            onClick={() => onSelect(folder.id)}
          >
            <bdi>{folder.name}</bdi>
          </Button>
        </Group>
      ))}
      {inside.map((folder) => (
        <IconButton
          key={folder.id}
          icon="folder"
          variant="default"
          size="compact-sm"
          onClick={() => onSelect(folder.id)}
        >
          <bdi>{folder.name}</bdi>
        </IconButton>
      ))}
      {mayEdit && (
        <IconButton icon="plus" variant="subtle" color="gray" size="compact-sm" onClick={() => setDialog('new')}>
          {t('New folder')}
        </IconButton>
      )}
      {mayEdit && current && (
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={t('Actions of {name}', { name: current.name })}>
              <Icon name="more" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('rename')}>{t('Rename folder')}</Menu.Item>
            <Menu.Item color="red" onClick={() => void remove(current)}>
              {t('Delete folder')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog && (
        <FolderDialog
          folder={dialog === 'rename' ? current : undefined}
          parentId={selected ?? null}
          onSaved={(id) => {
            void refresh();
            if (dialog === 'new') onSelect(id);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Group>
  );
}

interface FolderDialogProps {
  /** undefined: a new one. */
  folder: Folder | undefined;
  parentId: string | null;
  onSaved: (id: string) => void;
  onClose: () => void;
}

function FolderDialog({ folder, parentId, onSaved, onClose }: FolderDialogProps) {
  const form = useForm({
    initial: { name: folder?.name ?? '' },
    mustChange: true,
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name }) =>
      folder
        ? headwater.updateFolder({ folderId: folder.id }, { name: name.trim() })
        : headwater.createFolder({ name: name.trim(), parentId }),
    onSaved: ({ id }) => {
      onSaved(id);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={folder ? t('Rename folder') : t('New folder')}
      submit={folder ? t('Save') : t('Create folder')}
      onClose={onClose}
    >
      <TextInput {...form.text('name')} label={t('Name')} dir="auto" data-autofocus />
    </FormDialog>
  );
}
