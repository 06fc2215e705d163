import type { GetTrackingSettingsResponse } from '@headwater/sdk';
import { Alert, Button, Group, NumberInput, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, useIsOwner } from '../service/session.ts';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';

const KEY = ['tracking settings'];

export function TrackingPage() {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => headwater.getTrackingSettings({ signal }) });
  return (
    <Page title="Tracking" description="Whose visits are recorded, and for how long. Changes hold within five seconds.">
      <Loaded query={query}>{(settings) => <TrackingForm settings={settings} />}</Loaded>
    </Page>
  );
}

const DAYS = 365;

function TrackingForm({ settings }: { settings: GetTrackingSettingsResponse }) {
  const isOwner = useIsOwner();
  const [origins, setOrigins] = useState(settings.allowedOrigins);
  const [addresses, setAddresses] = useState(settings.excludedAddresses);
  const [days, setDays] = useState(settings.retentionDays);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () =>
      headwater.changeTrackingSettings({ allowedOrigins: origins, excludedAddresses: addresses, retentionDays: days }),
    onSuccess: (changed) => {
      queryClient.setQueryData(KEY, changed);
      tell('Saved.');
    },
  });
  const faults = faultsOf(mutation.error);
  /** A fault of one of a list, with which it is. */
  const faultIn = (name: string, list: readonly string[]) => {
    const [at, detail] =
      [...faults].find(([pointer]) => pointer === `/${name}` || pointer.startsWith(`/${name}/`)) ?? [];
    const which = list[Number(at?.split('/')[2])];
    return detail && (which === undefined ? detail : `${which}: ${detail}`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack className="surface" p="lg" gap="lg">
        {mutation.isError && faults.size === 0 && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(mutation.error).detail}
          </Alert>
        )}
        <TagsInput
          label="Pages that may record"
          description="Origins such as https://shop.example, or https://*.shop.example for every host below it. Without any, all may."
          placeholder={origins.length === 0 ? 'Any page' : 'Add an origin'}
          value={origins}
          onChange={setOrigins}
          error={faultIn('allowedOrigins', origins)}
          acceptValueOnBlur
        />
        <TagsInput
          label="Your own addresses"
          description="Addresses and ranges of your offices, such as 203.0.113.0/24. Their visits are kept, but not counted."
          placeholder="Add an address"
          value={addresses}
          onChange={setAddresses}
          error={faultIn('excludedAddresses', addresses)}
          acceptValueOnBlur
        />
        <div>
          <Switch
            label="Forget visitors after a while"
            description="Sessions, visits, events and leads older than this are erased for good. Conversions stay, without their identifiers."
            checked={days !== null}
            onChange={(event) => setDays(event.currentTarget.checked ? DAYS : null)}
          />
          {days !== null && (
            <NumberInput
              mt="sm"
              maw={200}
              label="Days to keep"
              min={1}
              allowDecimal={false}
              value={days}
              onChange={(next) => setDays(typeof next === 'number' ? next : DAYS)}
              error={faults.get('/retentionDays')}
            />
          )}
        </div>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {isOwner
              ? 'Consent is asked for by the page: the script begins without storing anything where you say so.'
              : 'Owners of the account change these.'}
          </Text>
          <Button type="submit" loading={mutation.isPending} disabled={!isOwner}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
