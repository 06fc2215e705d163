import type { TrackingSettings } from '@headwater/sdk';
import { NumberInput, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRights } from '../users/rights.ts';

const KEY = ['tracking settings'];
const DEFAULT_RETENTION_DAYS = 365;

export function TrackingPage() {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => headwater.getTrackingSettings({ signal }) });
  return (
    <Page
      title={t('Tracking')}
      description={t('Which visits are recorded, and how long they are kept. Changes take effect within five seconds.')}
    >
      <Loaded query={query}>{(settings) => <TrackingForm settings={settings} />}</Loaded>
    </Page>
  );
}

function TrackingForm({ settings }: { settings: TrackingSettings }) {
  const { managesAnalytics: maySet } = useRights();
  const form = useForm({
    initial: {
      allowedOrigins: settings.allowedOrigins,
      excludedAddresses: settings.excludedAddresses,
      retentionDays: settings.retentionDays,
      firstPartyId: settings.firstPartyId,
    },
    mustChange: true,
    draft: 'tracking',
    save: (values) => headwater.changeTrackingSettings(values),
    onSaved: (saved) => {
      queryClient.setQueryData(KEY, saved);
      notify(t('Saved.'));
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
          label={t('Allowed domains')}
          description={t(
            'Origins such as https://shop.example, or https://*.shop.example for all subdomains. Leave empty to allow all.',
          )}
          placeholder={allowedOrigins.length === 0 ? t('All domains') : t('Add an origin')}
          {...form.input('allowedOrigins')}
          error={listErrorOf('allowedOrigins')}
          acceptValueOnBlur
        />
        <TagsInput
          label={t('Excluded IPs')}
          description={t(
            'IP addresses and ranges of your offices, such as 203.0.113.0/24. Their visits are recorded but not counted.',
          )}
          placeholder={t('Add an IP address')}
          {...form.input('excludedAddresses')}
          error={listErrorOf('excludedAddresses')}
          acceptValueOnBlur
        />
        <Switch
          label={t('First-party ID')}
          description={t(
            'Keeps the visitor in the cookie hw_id for 400 days where the service runs under your own domain, only with consent. Name it in your privacy notice.',
          )}
          checked={form.values.firstPartyId}
          onChange={(event) => form.set({ firstPartyId: event.currentTarget.checked })}
        />
        <div>
          <Switch
            label={t('Data retention')}
            description={t(
              'Sessions, visits, events and leads older than this are permanently deleted. Conversions are kept without their identifiers.',
            )}
            checked={retentionDays !== null}
            onChange={(event) =>
              form.set({ retentionDays: event.currentTarget.checked ? DEFAULT_RETENTION_DAYS : null })
            }
          />
          {retentionDays !== null && (
            <NumberInput
              mt="sm"
              maw={200}
              label={t('Retention in days')}
              min={1}
              allowDecimal={false}
              value={retentionDays}
              onChange={(days) => form.set({ retentionDays: typeof days === 'number' ? days : DEFAULT_RETENTION_DAYS })}
              error={form.errorOf('retentionDays')}
            />
          )}
        </div>
        <FormActions form={form} submit={t('Save')} isDisabled={!maySet}>
          <Text size="sm" c="dimmed">
            {maySet
              ? t('Your pages ask for consent: the script can start without storing anything.')
              : t('Only owners of the account can change these settings.')}
          </Text>
        </FormActions>
      </Stack>
    </Form>
  );
}
