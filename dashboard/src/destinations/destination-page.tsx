import type { DestinationWithCounts } from '@headwater/sdk';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { attemptErrorLabel } from '../shared/attempt-errors.ts';
import { DataTable } from '../shared/data-table.tsx';
import { DescriptionList } from '../shared/description-list.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatDateTime, formatMoney, formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { Deliveries } from './deliveries.tsx';
import { DestinationStatus } from './destination-status.tsx';
import { CONSENT, MODES, PAUSES } from './labels.ts';
import { destinationQuery, platformsQuery, refreshDestinations } from './queries.ts';
import { VersionEnds } from './version-ends.tsx';

export function DestinationPage() {
  const { destinationId } = useParams({ from: '/shell/destinations/$destinationId' });
  const query = useQuery(destinationQuery(destinationId));
  return <Loaded query={query}>{(destination) => <Details destination={destination} />}</Loaded>;
}

function Details({ destination }: { destination: DestinationWithCounts }) {
  const { id, name, platform, mode, mapping, filter, consent, connection, startAt, sendAfter } = destination;
  const mayEdit = useMayWrite('destinations');
  const navigate = useNavigate();
  const { data: platforms } = useQuery(platformsQuery());
  const [isDeleting, setIsDeleting] = useState(false);
  const isPaused = destination.status === 'paused';
  const pause = PAUSES[destination.pauseReason ?? 'credentials'];
  const form = platforms?.find((each) => each.platform === platform);
  const purges = form?.purges ?? false;
  const ofConversions: [string, string | null][] = [
    [t('Consent'), CONSENT[consent]],
    [t('Conversions from'), formatDateTime(startAt)],
    [t('Delay'), sendAfter === 0 ? null : `${formatNumber(sendAfter / 3_600)} h`],
    [t('Value'), { current: null, expected: t('As expected'), settled: t('Once settled') }[destination.value]],
    [t('Values of pages'), destination.trustPublicValues ? t('Sent') : t('Not sent')],
    [t('Events'), filter.events?.join(', ') ?? null],
    [t('Sources'), filter.sources?.join(', ') ?? null],
    [t('Minimum value'), filter.minimumValue],
  ];
  const test = useMutation({
    mutationFn: () => headwater.testDestination({ id }, {}),
    onSettled: refreshDestinations,
  });
  const setMode = useMutation({
    mutationFn: (next: DestinationWithCounts['mode']) => headwater.updateDestination({ id }, { mode: next }),
    onSuccess: (saved) => notify(`${MODES[saved.mode].label}: ${MODES[saved.mode].description}`),
    onSettled: refreshDestinations,
  });
  const labelOf = (credential: string) =>
    serviceText(form?.credentials.find((each) => each.name === credential)?.label ?? credential);
  return (
    <Page
      wide
      title={name}
      description={form?.name}
      back={{ to: '/destinations', label: t('Ad platforms') }}
      actions={
        mayEdit && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t('Test connection')}
            </Button>
            <Button component={Link} variant="default" to={`/destinations/${id}/edit`}>
              {t('Edit')}
            </Button>
            {mode === 'validate' && (
              <Button loading={setMode.isPending} onClick={() => setMode.mutate('live')}>
                {t('Go live')}
              </Button>
            )}
          </>
        )
      }
    >
      {test.data && (
        <Alert
          role="status"
          variant="light"
          color={test.data.success ? 'teal' : 'red'}
          title={test.data.success ? t('The connection works') : t('The connection does not work')}
          withCloseButton
          closeButtonLabel={t('Close')}
          onClose={() => test.reset()}
        >
          {serviceText(test.data.detail)}
        </Alert>
      )}
      {destination.error !== null && destination.failingSince !== null && (
        <Alert role="alert" variant="light" color="red" title={isPaused ? pause.title : t('The latest request failed')}>
          {attemptErrorLabel(destination.error)}
          {isPaused && <Text size="sm">{pause.fix}</Text>}
          {mayEdit && isPaused && (
            <Group mt="xs">
              <Button component={Link} size="compact-sm" to={`/destinations/${id}/edit`} hash="account">
                {t('Update credentials')}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                loading={setMode.isPending}
                onClick={() => setMode.mutate(mode)}
              >
                {t('Resume')}
              </Button>
            </Group>
          )}
        </Alert>
      )}
      {form && <VersionEnds platform={form} />}
      <Group className="surface" p="md" justify="space-between">
        <Group gap="sm">
          <DestinationStatus destination={destination} />
          <span>{MODES[mode].description}</span>
        </Group>
        {mayEdit && (
          <Group gap="xs">
            {mode !== 'off' && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setMode.mutate('off')}>
                {t('Disable')}
              </Button>
            )}
            {mode !== 'validate' && !purges && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setMode.mutate('validate')}>
                {t('Validate only')}
              </Button>
            )}
            {mode === 'off' && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setMode.mutate('live')}>
                {t('Go live')}
              </Button>
            )}
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => setIsDeleting(true)}>
              {t('Delete')}
            </Button>
          </Group>
        )}
      </Group>
      <DescriptionList
        items={[
          ...Object.entries(connection).map(([key, value]): [string, string] => [labelOf(key), value]),
          ...(purges ? [] : ofConversions),
        ]}
      />
      {!purges && (
        <>
          <DataTable
            label={t('Rules')}
            query={{ data: mapping }}
            minWidth={420}
            rowKey={({ event }) => event}
            columns={[
              { id: 'event', label: t('Event'), cell: ({ event }) => (event === '*' ? t('All others') : event) },
              {
                id: 'target',
                label: form ? serviceText(form.target.label) : t('Target'),
                cell: ({ target }) => target,
              },
              { id: 'value', label: t('Value'), cell: valueRule },
            ]}
          />
          <Deliveries destination={destination} />
        </>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('Disconnect this platform?')}
          action={t('Delete')}
          onClose={() => setIsDeleting(false)}
          run={async () => {
            await headwater.deleteDestination({ id });
            void refreshDestinations();
            notify(t('Disconnected.'));
            void navigate({ to: '/destinations' });
          }}
        >
          {t(
            'Nothing more is sent to {name}, and its log can no longer be read. What the platform has received stays there.',
            { name },
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function valueRule({ value, amount, currency }: DestinationWithCounts['mapping'][number]): string {
  if (value === 'omit') return t('None');
  if (value === 'send')
    return currency ? t('Of the conversion ({currency} if none)', { currency }) : t('Of the conversion');
  return currency ? formatMoney(amount ?? 0, currency) : `${amount}`;
}
