import type { Webhook, WebhookWithSecret } from '@headwater/sdk';
import { MultiSelect, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { SecretDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { EVENT_OPTIONS, type WebhookEvent } from './events.ts';
import { refreshWebhooks } from './queries.ts';

interface WebhookFormProps {
  /** The webhook to edit; a new one if undefined. */
  webhook?: Webhook;
  onClose: () => void;
  onDone: (webhook: Webhook) => void;
}

export function WebhookForm({ webhook, onClose, onDone }: WebhookFormProps) {
  const [created, setCreated] = useState<WebhookWithSecret>();
  const form = useForm({
    initial: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      events: webhook ? webhook.events : null,
      collectionIds: webhook?.collectionIds ?? [],
    },
    draft: `endpoint ${webhook?.id ?? ''}`,
    isValid: ({ url, events }) => url.trim() !== '' && events?.length !== 0,
    save: async ({ url, description, events, collectionIds }) => {
      const body = {
        url: url.trim(),
        description: description.trim() || null,
        events: events as WebhookEvent[] | null,
        collectionIds: collectionIds.length === 0 ? null : collectionIds,
      };
      if (webhook) return headwater.updateWebhook({ id: webhook.id }, body);
      const saved = await headwater.createWebhook(body);
      setCreated(saved);
      return saved;
    },
    onSaved: (saved) => {
      void refreshWebhooks();
      if (!webhook) return;
      notify(t('Saved.'));
      onDone(saved);
    },
  });
  const { events, collectionIds } = form.values;
  const { data: collections = [] } = useQuery(collectionsQuery());
  if (created)
    return <SigningSecret title={t('Endpoint created')} secret={created.secret} onClose={() => onDone(created)} />;
  return (
    <FormDialog
      form={form}
      title={webhook ? t('Edit endpoint') : t('Add endpoint')}
      submit={webhook ? t('Save') : t('Add endpoint')}
      size="lg"
      onClose={onClose}
    >
      <TextInput
        label="URL"
        description={t('Receives a signed POST request for every event')}
        placeholder="https://shop.example/webhooks/headwater"
        type="url"
        required
        {...form.text('url')}
        data-autofocus
      />
      <TextInput label={t('Description')} {...form.text('description')} />
      <Switch
        label={t('All events')}
        checked={events === null}
        onChange={(event) => form.set({ events: event.currentTarget.checked ? null : [] })}
      />
      {events !== null && (
        <MultiSelect
          label={t('Events')}
          data={EVENT_OPTIONS}
          value={events}
          onChange={(next) => form.set({ events: next as WebhookEvent[] })}
          error={form.errorOf('events')}
          searchable
          required
        />
      )}
      {collections.length > 0 && (
        <MultiSelect
          label={t('Collections')}
          description={t('Send entry events only for these collections')}
          placeholder={collectionIds.length === 0 ? t('All collections') : undefined}
          data={collections.map(({ id, name }) => ({ value: id, label: name }))}
          value={collectionIds}
          onChange={(next) => form.set({ collectionIds: next })}
          error={form.errorOf('collectionIds')}
          searchable
        />
      )}
    </FormDialog>
  );
}

export function SigningSecret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <SecretDialog title={title} label={t('Signing secret')} secret={secret} onClose={onClose}>
      {t(
        'Your endpoint verifies with this secret that a message comes from Headwater. Copy it now: it is not shown again.',
      )}
    </SecretDialog>
  );
}
