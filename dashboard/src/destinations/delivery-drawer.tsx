import { type DestinationDelivery, waitForJob } from '@headwater/sdk';
import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatDateTime, formatRelativeTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useMayWrite } from '../users/rights.ts';
import { DeliveryStatusBadge, sentValue } from './destination-status.tsx';
import { useFixAction } from './fix-action.ts';
import { fixOf, reasonLabel, STATUSES } from './labels.ts';
import { refreshDestinations } from './queries.ts';

interface DeliveryDrawerProps {
  delivery: DestinationDelivery | undefined;
  onClose: () => void;
}

/** One conversion at one platform: its attempts, the response, and the request that would be sent now. */
export function DeliveryDrawer({ delivery, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer
      opened={delivery !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={delivery?.eventId ?? t('Conversion')}
    >
      {delivery && <Delivery delivery={delivery} />}
    </Drawer>
  );
}

type Attempt = DestinationDelivery['attempts'][number];

const ACTIONS: Record<Attempt['action'], string> = {
  send: t('Send'),
  adjust: t('Adjust'),
  retract: t('Retract'),
  none: t('None'),
};

const COLUMNS: Column<Attempt>[] = [
  { id: 'time', label: t('Time'), cell: ({ at }) => formatDateTime(at) },
  { id: 'action', label: t('Action'), cell: ({ action }) => ACTIONS[action] },
  { id: 'value', label: t('Value'), isNumber: true, cell: sentValue },
  {
    id: 'outcome',
    label: t('Result'),
    isWrapped: true,
    cell: ({ status, reason }) => (reason === null ? STATUSES[status].label : reasonLabel(reason)),
  },
];

function Delivery({ delivery }: { delivery: DestinationDelivery }) {
  const { destinationId: id, conversionId, status, reason, response, attempts, nextAttemptAt } = delivery;
  const mayEdit = useMayWrite('destinations');
  const fix = fixOf(delivery);
  const fixAction = useFixAction()(delivery);
  const retry = useMutation({
    mutationFn: async () => waitForJob(headwater, await headwater.replayDestination({ id }, { conversionId })),
    onSuccess: () => notify(t('Retrying the conversion.')),
    onSettled: refreshDestinations,
  });
  const preview = useMutation({ mutationFn: () => headwater.dryRunDestination({ id }, { conversionId }) });
  const { data: planned } = preview;
  return (
    <Stack>
      <Group justify="space-between">
        <DeliveryStatusBadge status={status} />
        <Group gap="xs">
          {mayEdit && (
            <>
              <Button variant="default" size="compact-sm" loading={preview.isPending} onClick={() => preview.mutate()}>
                {t('Preview request')}
              </Button>
              {status !== 'queued' && (
                <Button variant="default" size="compact-sm" loading={retry.isPending} onClick={() => retry.mutate()}>
                  {t('Retry')}
                </Button>
              )}
            </>
          )}
        </Group>
      </Group>
      {reason !== null && (
        <div>
          <Text fw={600}>{reasonLabel(reason)}</Text>
          {fix && <Text size="sm">{fix.text}</Text>}
        </div>
      )}
      <Group gap="md">
        {mayEdit && fixAction && (
          <Button size="compact-sm" onClick={fixAction.onClick}>
            {fixAction.label}
          </Button>
        )}
        <TextLink to={`/conversions/${conversionId}`}>{t('View conversion')}</TextLink>
      </Group>
      {nextAttemptAt !== null && (
        <Text size="sm" c="dimmed">
          {t('Next attempt {nextAttemptAt}.', { nextAttemptAt: formatRelativeTime(nextAttemptAt) })}
        </Text>
      )}
      {response !== null && (
        <>
          <Title order={3} size="h5">
            {t('Response of the platform')}
          </Title>
          <Code block tabIndex={0} fz="xs">
            {response}
          </Code>
        </>
      )}
      {planned && (
        <>
          <Title order={3} size="h5">
            {t('Request')}
          </Title>
          {planned.request ? (
            <Code block tabIndex={0} fz="xs">
              {`${planned.request.method} ${planned.request.url}\n\n${JSON.stringify(planned.request.body, null, 2)}`}
            </Code>
          ) : (
            <Text size="sm">
              {planned.reason === null
                ? t('Nothing would be sent.')
                : t('Nothing would be sent: {reason}.', { reason: reasonLabel(planned.reason) })}
            </Text>
          )}
        </>
      )}
      {attempts.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('Attempts')}
          </Title>
          <DataTable
            label={t('Attempts')}
            query={{ data: attempts }}
            columns={COLUMNS}
            minWidth={420}
            rowKey={(_, i) => i}
            isBare
          />
        </>
      )}
    </Stack>
  );
}
