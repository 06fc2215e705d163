import type { Webhook, WebhookWithSecret } from '@headwater/sdk';
import { Alert, Button, Group, Modal, MultiSelect, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { headwater } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';
import { EVENT_OPTIONS, type WebhookEvent } from './events.ts';
import { forgetWebhooks } from './queries.ts';

interface WebhookFormProps {
  /** The one to be changed; a new one where there is none. */
  webhook?: Webhook;
  onClose: () => void;
  onDone: (webhook: Webhook) => void;
}

export function WebhookForm({ webhook, onClose, onDone }: WebhookFormProps) {
  useFocusBack();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState(webhook?.events ?? null);
  const [made, setMade] = useState<WebhookWithSecret>();
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const body = {
        url: url.trim(),
        description: description.trim() === '' ? null : description.trim(),
        events: events as WebhookEvent[] | null,
      };
      if (webhook) return headwater.updateWebhook({ id: webhook.id }, body);
      const created = await headwater.createWebhook(body);
      setMade(created);
      return created;
    },
    onSuccess: (saved) => {
      void forgetWebhooks();
      if (!webhook) return;
      tell('Saved.');
      onDone(saved);
    },
  });
  const faults = faultsOf(mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (made) return <SecretWindow title="The endpoint is ready" secret={made.secret} onClose={() => onDone(made)} />;
  return (
    <Modal opened onClose={onClose} title={webhook ? 'Change the endpoint' : 'New endpoint'} size="lg">
      <form onSubmit={submit}>
        <Stack>
          {mutation.isError && faults.size === 0 && (
            <Alert color="red" variant="light" role="alert">
              {messageOf(mutation.error).detail}
            </Alert>
          )}
          <TextInput
            label="Address"
            description="Reached from the public internet, and answers with a 2xx status"
            placeholder="https://shop.example/webhooks/headwater"
            type="url"
            required
            value={url}
            error={faults.get('/url')}
            onChange={(event) => setUrl(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label="Description"
            value={description}
            error={faults.get('/description')}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Switch
            label="Everything that happens"
            checked={events === null}
            onChange={(event) => setEvents(event.currentTarget.checked ? null : [])}
          />
          {events !== null && (
            <MultiSelect
              label="Told of"
              data={EVENT_OPTIONS}
              value={events}
              onChange={setEvents}
              error={faults.get('/events')}
              searchable
              required
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={mutation.isPending} disabled={url.trim() === '' || events?.length === 0}>
              {webhook ? 'Save' : 'Add the endpoint'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A signing secret, the only time that it is shown. */
export function SecretWindow({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Alert variant="light" color="orange">
          Your address checks by this secret that a message is ours. Copy it now: it is not shown again.
        </Alert>
        <CopyField label="Signing secret" value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
