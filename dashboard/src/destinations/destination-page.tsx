import type { DestinationWithCounts } from '@headwater/sdk';
import { Alert, Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { headwater, useIsOwner } from '../service/session.ts';
import { attemptErrorLabel } from '../shared/attempt-errors.ts';
import { DataTable } from '../shared/data-table.tsx';
import { DescriptionList } from '../shared/description-list.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatDateTime, formatMoney, formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { DestinationStatus } from './destination-status.tsx';
import { CONSENT, MODES } from './labels.ts';
import { destinationQuery, platformsQuery, refreshDestinations } from './queries.ts';

export function DestinationPage() {
  const { destinationId } = useParams({ from: '/shell/destinations/$destinationId' });
  const query = useQuery(destinationQuery(destinationId));
  return <Loaded query={query}>{(destination) => <Details destination={destination} />}</Loaded>;
}

function Details({ destination }: { destination: DestinationWithCounts }) {
  const { id, name, platform, mode, mapping, filter, consent, connection, startAt, sendAfter } = destination;
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const { data: platforms } = useQuery(platformsQuery());
  const [isDeleting, setIsDeleting] = useState(false);
  const isPaused = destination.status === 'paused';
  const form = platforms?.find((each) => each.platform === platform);
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
    form?.credentials.find((each) => each.name === credential)?.label ?? credential;
  return (
    <Page
      wide
      title={name}
      description={form?.name}
      back={{ to: '/destinations', label: 'Ad platforms' }}
      actions={
        isOwner && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Test connection
            </Button>
            <Button component={Link} variant="default" to={`/destinations/${id}/edit`}>
              Edit
            </Button>
            {mode === 'validate' && (
              <Button loading={setMode.isPending} onClick={() => setMode.mutate('live')}>
                Go live
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
          title={test.data.success ? 'The connection works' : 'The connection does not work'}
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => test.reset()}
        >
          {test.data.detail}
        </Alert>
      )}
      {destination.error !== null && destination.failingSince !== null && (
        <Alert
          role="alert"
          variant="light"
          color="red"
          title={isPaused ? 'The platform refuses the credentials' : 'The latest request failed'}
        >
          {attemptErrorLabel(destination.error)}
          {isOwner && isPaused && (
            <Group mt="xs">
              <Button component={Link} size="compact-sm" to={`/destinations/${id}/edit`} hash="account">
                Update credentials
              </Button>
            </Group>
          )}
        </Alert>
      )}
      <Group className="surface" p="md" justify="space-between">
        <Group gap="sm">
          <DestinationStatus destination={destination} />
          <span>{MODES[mode].description}</span>
        </Group>
        {isOwner && (
          <Group gap="xs">
            {mode !== 'off' && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setMode.mutate('off')}>
                Disable
              </Button>
            )}
            {mode !== 'validate' && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setMode.mutate('validate')}>
                Validate only
              </Button>
            )}
            {mode === 'off' && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setMode.mutate('live')}>
                Go live
              </Button>
            )}
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => setIsDeleting(true)}>
              Delete
            </Button>
          </Group>
        )}
      </Group>
      <DescriptionList
        items={[
          ...Object.entries(connection).map(([key, value]): [string, string] => [labelOf(key), value]),
          ['Consent', CONSENT[consent]],
          ['Conversions from', formatDateTime(startAt)],
          ['Delay', sendAfter === 0 ? null : `${formatNumber(sendAfter / 3_600)} h`],
          ['Events', filter.events?.join(', ') ?? null],
          ['Sources', filter.sources?.join(', ') ?? null],
          ['Minimum value', filter.minimumValue],
        ]}
      />
      <DataTable
        label="Rules"
        query={{ data: mapping }}
        minWidth={420}
        rowKey={({ event }) => event}
        columns={[
          { id: 'event', label: 'Event', cell: ({ event }) => (event === '*' ? 'All others' : event) },
          { id: 'target', label: form?.target.label ?? 'Target', cell: ({ target }) => target },
          { id: 'value', label: 'Value', cell: valueRule },
        ]}
      />
      <Deliveries destination={destination} />
      {isDeleting && (
        <ConfirmDialog
          title="Disconnect this platform?"
          action="Delete"
          onClose={() => setIsDeleting(false)}
          run={async () => {
            await headwater.deleteDestination({ id });
            void refreshDestinations();
            notify('Disconnected.');
            void navigate({ to: '/destinations' });
          }}
        >
          Nothing more is sent to {name}, and its log can no longer be read. What the platform has received stays there.
        </ConfirmDialog>
      )}
    </Page>
  );
}

function valueRule({ value, amount, currency }: DestinationWithCounts['mapping'][number]): string {
  if (value === 'omit') return 'None';
  if (value === 'send') return currency ? `Of the conversion (${currency} if none)` : 'Of the conversion';
  return currency ? formatMoney(amount ?? 0, currency) : `${amount}`;
}
