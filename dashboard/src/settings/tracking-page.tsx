import type { GetTrackingSettingsResponse } from '@headwater/sdk';
import { NumberInput, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater, useIsOwner } from '../service/session.ts';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';

const KEY = ['tracking settings'];
const DEFAULT_RETENTION_DAYS = 365;

export function TrackingPage() {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => headwater.getTrackingSettings({ signal }) });
  return (
    <Page
      title="Tracking"
      description="Which visits are recorded, and how long they are kept. Changes take effect within five seconds."
    >
      <Loaded query={query}>{(settings) => <TrackingForm settings={settings} />}</Loaded>
    </Page>
  );
}

function TrackingForm({ settings }: { settings: GetTrackingSettingsResponse }) {
  const isOwner = useIsOwner();
  const form = useForm({
    initial: {
      allowedOrigins: settings.allowedOrigins,
      excludedAddresses: settings.excludedAddresses,
      retentionDays: settings.retentionDays,
    },
    mustChange: true,
    draft: 'tracking',
    save: (values) => headwater.changeTrackingSettings(values),
    onSaved: (saved) => {
      queryClient.setQueryData(KEY, saved);
      notify('Saved.');
    },
  });
  const { allowedOrigins, retentionDays } = form.values;
  /** The error of a list, with the item that it is about. */
  const listErrorOf = (name: 'allowedOrigins' | 'excludedAddresses') => {
    const [pointer, detail] = [...form.errors].find(([each]) => each.startsWith(`/${name}/`)) ?? [];
    const item = form.values[name][Number(pointer?.split('/')[2])];
    return item === undefined ? form.errorOf(name) : `${item}: ${detail}`;
  };
  return (
    <Form form={form}>
      <Stack className="surface" p="lg" gap="lg">
        <FormError form={form} />
        <TagsInput
          label="Allowed domains"
          description="Origins such as https://shop.example, or https://*.shop.example for all subdomains. Leave empty to allow all."
          placeholder={allowedOrigins.length === 0 ? 'All domains' : 'Add an origin'}
          {...form.input('allowedOrigins')}
          error={listErrorOf('allowedOrigins')}
          acceptValueOnBlur
        />
        <TagsInput
          label="Excluded IPs"
          description="IP addresses and ranges of your offices, such as 203.0.113.0/24. Their visits are recorded but not counted."
          placeholder="Add an IP address"
          {...form.input('excludedAddresses')}
          error={listErrorOf('excludedAddresses')}
          acceptValueOnBlur
        />
        <div>
          <Switch
            label="Data retention"
            description="Sessions, visits, events and leads older than this are permanently deleted. Conversions are kept without their identifiers."
            checked={retentionDays !== null}
            onChange={(event) =>
              form.set({ retentionDays: event.currentTarget.checked ? DEFAULT_RETENTION_DAYS : null })
            }
          />
          {retentionDays !== null && (
            <NumberInput
              mt="sm"
              maw={200}
              label="Retention in days"
              min={1}
              allowDecimal={false}
              value={retentionDays}
              onChange={(days) => form.set({ retentionDays: typeof days === 'number' ? days : DEFAULT_RETENTION_DAYS })}
              error={form.errorOf('retentionDays')}
            />
          )}
        </div>
        <FormActions form={form} submit="Save" isDisabled={!isOwner}>
          <Text size="sm" c="dimmed">
            {isOwner
              ? 'Your pages ask for consent: the script can start without storing anything.'
              : 'Only owners of the account can change these settings.'}
          </Text>
        </FormActions>
      </Stack>
    </Form>
  );
}
