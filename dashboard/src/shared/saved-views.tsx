import { ActionIcon, Button, Group, Menu, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { useMayEdit } from '../service/session.ts';
import { useRights } from '../users/rights.ts';
import { FormDialog } from './form-dialog.tsx';
import { Icon } from './icons.tsx';
import { notify } from './notify.tsx';
import { useForm } from './use-form.ts';
import type { View, ViewStore } from './view-store.ts';

interface SavedViewsProps {
  store: ViewStore;
  /** What a view is called here. */
  kind: 'view' | 'funnel';
}

const WORDS = {
  view: { saved: t('Saved views'), none: t('No saved views'), save: t('Save this view') },
  funnel: { saved: t('Saved funnels'), none: t('No saved funnels'), save: t('Save this funnel') },
};

/** Opens, saves and deletes named states of the screen. */
export function SavedViews({ store, kind }: SavedViewsProps) {
  const query = useQuery({ queryKey: store.key, queryFn: ({ signal }) => store.list(signal) });
  const rights = useRights();
  const isNoViewer = useMayEdit();
  // Each reader has views of entries; viewers save none.
  const mayEdit = store.hasOwn ? isNoViewer : rights.uses('analytics', 'write');
  const navigate = useNavigate();
  const [isSaving, setIsSaving] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: store.key });
  const views = query.data ?? [];
  const remove = async ({ id, name }: View) => {
    await store.remove(id);
    await refresh();
    notify(t('{name} deleted.', { name }));
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="book" size={16} />}>
            {WORDS[kind].saved}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{WORDS[kind].none}</Menu.Label>}
          {views.map((view) => (
            <Group key={view.id} gap={4} wrap="nowrap">
              <Menu.Item onClick={() => navigate({ to: store.path, search: view.state as never })}>
                <Text size="sm" maw={220} truncate>
                  {view.name}
                  {store.hasOwn && view.shared && ` ${t('(shared)')}`}
                </Text>
              </Menu.Item>
              {mayEdit && (
                <ActionIcon aria-label={t('Delete {name}', { name: view.name })} onClick={() => void remove(view)}>
                  <Icon name="trash" size={16} />
                </ActionIcon>
              )}
            </Group>
          ))}
          {mayEdit && (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setIsSaving(true)}>
              {WORDS[kind].save}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSaving && (
        <SaveDialog
          store={store}
          kind={kind}
          onClose={() => {
            setIsSaving(false);
            void refresh();
          }}
        />
      )}
    </>
  );
}

function SaveDialog({ store, kind, onClose }: SavedViewsProps & { onClose: () => void }) {
  const state: object = useSearch({ strict: false });
  const form = useForm({
    initial: { name: '', isShared: store.hasOwn !== true },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name, isShared }) => store.save(name.trim(), { ...state }, isShared),
    onSaved: ({ name }) => {
      notify(t('{name} saved.', { name }));
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={WORDS[kind].save} submit={t('Save')} onClose={onClose}>
      <TextInput
        label={t('Name')}
        description={
          store.hasOwn
            ? t('The same name replaces it.')
            : t('All members of the account see it. The same name replaces it.')
        }
        required
        {...form.text('name')}
        data-autofocus
      />
      {store.hasOwn && (
        <Switch
          label={t('Shared')}
          description={t('All members of the account see it')}
          checked={form.values.isShared}
          onChange={(event) => form.set({ isShared: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}
