import type { Webhook } from '@headwater/sdk';
import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { headwater, useIsOwner } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { eventsLabel } from './events.ts';
import { refreshWebhooks, webhookQuery } from './queries.ts';
import { SigningSecret, WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

export function WebhookPage() {
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const query = useQuery(webhookQuery(webhookId));
  return <Loaded query={query}>{(webhook) => <Endpoint webhook={webhook} />}</Loaded>;
}

function Endpoint({ webhook }: { webhook: Webhook }) {
  const { id, url, description, status } = webhook;
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const close = () => setDialog(undefined);
  const test = useMutation({
    mutationFn: () => headwater.testWebhook({ id }, {}),
    onSuccess: () => notify('Test event sent.'),
    onSettled: refreshWebhooks,
  });
  const setStatus = useMutation({
    mutationFn: (next: 'active' | 'disabled') => headwater.updateWebhook({ id }, { status: next }),
    onSettled: refreshWebhooks,
  });
  const retry = useMutation({
    mutationFn: () => headwater.replayWebhook({ id }, { status: 'failed' }),
    onSuccess: () => notify('Retrying failed deliveries.'),
    onSettled: refreshWebhooks,
  });
  const actions = [
    {
      label: status === 'active' ? 'Disable' : 'Enable',
      onClick: () => setStatus.mutate(status === 'active' ? 'disabled' : 'active'),
      loading: setStatus.isPending,
    },
    { label: 'Rotate secret', onClick: () => setDialog('rotate') },
    { label: 'Retry failed', onClick: () => retry.mutate(), loading: retry.isPending },
    { label: 'Delete', onClick: () => setDialog('delete'), color: 'red' },
  ];
  return (
    <Page
      wide
      title={url}
      description={description}
      back={{ to: '/webhooks', label: 'Webhooks' }}
      actions={
        isOwner && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Send test event
            </Button>
            <Button variant="default" onClick={() => setDialog('edit')}>
              Edit
            </Button>
          </>
        )
      }
    >
      <Group className="surface" p="md" justify="space-between">
        <Group gap="sm">
          <WebhookStatus webhook={webhook} />
          <span>{eventsLabel(webhook.events)}</span>
        </Group>
        {isOwner && (
          <Group gap="xs">
            {actions.map(({ label, color = 'gray', ...rest }) => (
              <Button key={label} variant="subtle" color={color} size="compact-sm" {...rest}>
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      <Deliveries webhookId={id} />
      {dialog === 'edit' && <WebhookForm webhook={webhook} onClose={close} onDone={close} />}
      {secret !== undefined && (
        <SigningSecret title="New signing secret" secret={secret} onClose={() => setSecret(undefined)} />
      )}
      {dialog === 'rotate' && (
        <ConfirmDialog
          title="Rotate the signing secret?"
          action="Rotate secret"
          onClose={close}
          run={async () => {
            setSecret((await headwater.rotateWebhookSecret({ id }, {})).secret);
            void refreshWebhooks();
          }}
        >
          Messages are signed with the old and the new secret for 24 hours. Update your endpoint before then.
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this endpoint?"
          action="Delete endpoint"
          onClose={close}
          run={async () => {
            await headwater.deleteWebhook({ id });
            void refreshWebhooks();
            notify('Endpoint deleted.');
            void navigate({ to: '/webhooks' });
          }}
        >
          No more events are sent to {url}. Pending deliveries are canceled.
        </ConfirmDialog>
      )}
    </Page>
  );
}
