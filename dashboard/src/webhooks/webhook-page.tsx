import { type Webhook, waitForJob } from '@headwater/sdk';
import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
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
  const mayEdit = useMayWrite('webhooks');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const close = () => setDialog(undefined);
  const test = useMutation({
    mutationFn: () => headwater.testWebhook({ id }, {}),
    onSuccess: () => notify(t('Test event sent.')),
    onSettled: refreshWebhooks,
  });
  const setStatus = useMutation({
    mutationFn: (next: 'active' | 'disabled') => headwater.updateWebhook({ id }, { status: next }),
    onSettled: refreshWebhooks,
  });
  const retry = useMutation({
    mutationFn: async () => waitForJob(headwater, await headwater.replayWebhook({ id }, { status: 'failed' })),
    onSuccess: () => notify(t('Retrying failed deliveries.')),
    onSettled: refreshWebhooks,
  });
  const actions = [
    {
      label: status === 'active' ? t('Disable') : t('Enable'),
      onClick: () => setStatus.mutate(status === 'active' ? 'disabled' : 'active'),
      loading: setStatus.isPending,
    },
    { label: t('Rotate secret'), onClick: () => setDialog('rotate') },
    { label: t('Retry failed'), onClick: () => retry.mutate(), loading: retry.isPending },
    { label: t('Delete'), onClick: () => setDialog('delete'), color: 'red' },
  ];
  return (
    <Page
      wide
      title={url}
      description={description}
      back={{ to: '/webhooks', label: t('Webhooks') }}
      actions={
        mayEdit && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t('Send test event')}
            </Button>
            <Button variant="default" onClick={() => setDialog('edit')}>
              {t('Edit')}
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
        {mayEdit && (
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
        <SigningSecret title={t('New signing secret')} secret={secret} onClose={() => setSecret(undefined)} />
      )}
      {dialog === 'rotate' && (
        <ConfirmDialog
          title={t('Rotate the signing secret?')}
          action={t('Rotate secret')}
          onClose={close}
          run={async () => {
            setSecret((await headwater.rotateWebhookSecret({ id }, {})).secret);
            void refreshWebhooks();
          }}
        >
          {t('Messages are signed with the old and the new secret for 24 hours. Update your endpoint before then.')}
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('Delete this endpoint?')}
          action={t('Delete endpoint')}
          onClose={close}
          run={async () => {
            await headwater.deleteWebhook({ id });
            void refreshWebhooks();
            notify(t('Endpoint deleted.'));
            void navigate({ to: '/webhooks' });
          }}
        >
          {t('No more events are sent to {url}. Pending deliveries are canceled.', { url })}
        </ConfirmDialog>
      )}
    </Page>
  );
}
