import type { SavedView } from '@headwater/sdk';
import { ActionIcon, Button, Group, Menu, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';

interface SavedViewsProps {
  screen: SavedView['screen'];
  /** What a view is called here, such as "funnel". */
  noun: string;
}

/** Opens, saves and deletes named states of the screen. */
export function SavedViews({ screen, noun }: SavedViewsProps) {
  const key = ['saved views', screen];
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await headwater.listSavedViews({ screen }, { signal })).views,
  });
  const mayEdit = useMayEdit();
  const navigate = useNavigate();
  const [isSaving, setIsSaving] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const views = query.data ?? [];
  const remove = async ({ id, name }: SavedView) => {
    await headwater.deleteSavedView({ viewId: id });
    await refresh();
    notify(`${name} deleted.`);
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="book" size={16} />}>
            Saved {noun}s
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>No saved {noun}s</Menu.Label>}
          {views.map((view) => (
            <Group key={view.id} gap={4} wrap="nowrap">
              <Menu.Item onClick={() => navigate({ to: `/${screen}`, search: view.state as never })}>
                <Text size="sm" maw={220} truncate>
                  {view.name}
                </Text>
              </Menu.Item>
              {mayEdit && (
                <ActionIcon aria-label={`Delete ${view.name}`} onClick={() => void remove(view)}>
                  <Icon name="trash" size={16} />
                </ActionIcon>
              )}
            </Group>
          ))}
          {mayEdit && (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setIsSaving(true)}>
              Save this {noun}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSaving && (
        <SaveDialog
          screen={screen}
          noun={noun}
          onClose={() => {
            setIsSaving(false);
            void refresh();
          }}
        />
      )}
    </>
  );
}

function SaveDialog({ screen, noun, onClose }: SavedViewsProps & { onClose: () => void }) {
  const state: object = useSearch({ strict: false });
  const form = useForm({
    initial: { name: '' },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name }) => headwater.saveView({ screen, name: name.trim(), state: { ...state } }),
    onSaved: ({ name }) => {
      notify(`${name} saved.`);
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={`Save this ${noun}`} submit="Save" onClose={onClose}>
      <TextInput
        label="Name"
        description="All members of the account see it. The same name replaces it."
        required
        {...form.text('name')}
        data-autofocus
      />
    </FormDialog>
  );
}
