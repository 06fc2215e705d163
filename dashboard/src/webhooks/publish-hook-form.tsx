import type { PublishHook, PublishHookWithSecret } from '@headwater/sdk';
import { MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { refreshPublishHooks } from './publish-hook-queries.ts';
import { SigningSecret } from './webhook-form.tsx';

/** @param hook the one to edit; a new one if undefined */
export function PublishHookForm({ hook, onClose }: { hook: PublishHook | undefined; onClose: () => void }) {
  const [created, setCreated] = useState<PublishHookWithSecret>();
  const form = useForm({
    initial: {
      name: hook?.name ?? '',
      url: hook?.url ?? '',
      collectionIds: hook?.collectionIds ?? [],
      onError: hook?.onError ?? 'refuse',
      enabled: hook?.enabled ?? true,
    },
    draft: `publish hook ${hook?.id ?? ''}`,
    isValid: ({ name, url }) => name.trim() !== '' && url.trim() !== '',
    save: async ({ name, url, collectionIds, onError, enabled }) => {
      const body = { name, onError, enabled, collectionIds: collectionIds.length === 0 ? null : collectionIds };
      // A changed URL has to be confirmed with the password.
      const isMoved = url.trim() !== hook?.url;
      if (hook)
        return headwater.updatePublishHook({ hookId: hook.id }, { ...body, ...(isMoved && { url: url.trim() }) });
      const saved = await headwater.createPublishHook({ ...body, url: url.trim() });
      setCreated(saved);
      return saved;
    },
    onSaved: () => {
      void refreshPublishHooks();
      if (!hook) return;
      notify(t('Saved.'));
      onClose();
    },
  });
  const { collectionIds, onError, enabled } = form.values;
  const { data: collections = [] } = useQuery(collectionsQuery());
  if (created) return <SigningSecret title={t('Publish hook created')} secret={created.secret} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={hook ? t('Edit publish hook') : t('Add publish hook')}
      submit={hook ? t('Save') : t('Add publish hook')}
      size="lg"
      onClose={onClose}
    >
      <TextInput label={t('Name')} required {...form.text('name')} data-autofocus />
      <TextInput
        label="URL"
        description={t('Receives a signed POST request, and answers within 5 seconds')}
        type="url"
        required
        {...form.text('url')}
      />
      {collections.length > 0 && (
        <MultiSelect
          label={t('Collections')}
          placeholder={collectionIds.length === 0 ? t('All collections') : undefined}
          data={collections.map(({ id, name }) => ({ value: id, label: name }))}
          value={collectionIds}
          onChange={(next) => form.set({ collectionIds: next })}
          error={form.errorOf('collectionIds')}
          searchable
        />
      )}
      <Select
        label={t('Without an answer')}
        data={[
          { value: 'refuse', label: t('Do not publish') },
          { value: 'publish', label: t('Publish') },
        ]}
        allowDeselect={false}
        value={onError}
        onChange={(next) => form.set({ onError: next === 'publish' ? 'publish' : 'refuse' })}
      />
      <Switch
        label={t('Enabled')}
        checked={enabled}
        onChange={(event) => form.set({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
