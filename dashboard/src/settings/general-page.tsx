import type { Account } from '@headwater/sdk';
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LANGUAGE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery, useIsOwner } from '../service/session.ts';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { Icon } from '../shared/icons.tsx';
import { formatInputNumber, parseDecimal } from '../shared/locale.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { timeZones } from '../shared/time-zone.ts';
import { useForm } from '../shared/use-form.ts';
import { DeleteAccount } from './delete-account.tsx';

const KEY = ['account'];

export function GeneralPage() {
  const isOwner = useIsOwner();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => headwater.getAccount({ signal }) });
  return (
    <Page title={t('General')} description={t('The name of the account, and how reports count days and money.')}>
      <Loaded query={query}>{(account) => <GeneralForm account={account} />}</Loaded>
      {isOwner && <DeleteAccount />}
    </Page>
  );
}

interface Rate {
  currency: string | null;
  /** As typed. */
  rate: string;
}

/** A row without a currency or with an unreadable rate is sent as it is, so that the response names its fault. */
const toRates = (rates: readonly Rate[]) =>
  Object.fromEntries(
    rates
      .filter(({ currency, rate }) => currency !== null || rate.trim() !== '')
      .map(({ currency, rate }) => [currency ?? '', parseDecimal(rate) ?? rate]),
  );

function GeneralForm({ account }: { account: Account }) {
  const isOwner = useIsOwner();
  const { name, timeZone, currency, exchangeRates } = account;
  const form = useForm({
    initial: {
      ...{ name, timeZone, currency },
      rates: Object.entries(exchangeRates).map(([of, rate]): Rate => ({ currency: of, rate: formatInputNumber(rate) })),
    },
    mustChange: true,
    draft: 'account',
    isValid: (values) => values.name.trim() !== '',
    save: ({ rates, ...values }) => headwater.changeAccount({ ...values, exchangeRates: toRates(rates) }),
    onSaved: (saved) => {
      queryClient.setQueryData(KEY, saved);
      void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
      notify(t('Saved.'));
    },
  });
  const { rates } = form.values;
  const base = form.values.currency;
  const setRate = (at: number, part: Partial<Rate>) =>
    form.set({ rates: rates.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  const optionsOf = (own: string | null) =>
    currencies().filter(
      ({ value }) => value === own || (value !== base && !rates.some((each) => each.currency === value)),
    );
  return (
    <Form form={form}>
      <Stack className="surface" p="lg" gap="lg">
        <FormError form={form} />
        <TextInput label={t('Account name')} required {...form.text('name')} />
        <Select
          label={t('Time zone')}
          description={t(
            'The days of reports, exports and CSV files. Members can view the dashboard in their own time zone.',
          )}
          data={timeZones()}
          searchable
          limit={50}
          allowDeselect={false}
          {...form.input('timeZone')}
        />
        <Select
          label={t('Currency')}
          description={t('Reports show revenue in this currency, beside the amounts in other currencies.')}
          placeholder={t('No conversion')}
          data={currencies()}
          searchable
          clearable
          limit={50}
          {...form.input('currency')}
        />
        {base !== null && (
          <Stack gap="xs" role="group" aria-label={t('Exchange rates')}>
            <Text size="sm" fw={500}>
              {t('Exchange rates')}
            </Text>
            <Text size="sm" c="dimmed">
              {t(
                'The value of one unit of another currency in {base}. Amounts without a rate are shown separately. A changed rate applies to all periods.',
                { base },
              )}
            </Text>
            {rates.map((each, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity while they are edited
              <Group key={i} gap="xs" align="flex-start" wrap="nowrap">
                <Select
                  aria-label={t('Currency {i}', { i: i + 1 })}
                  placeholder={t('Currency')}
                  data={optionsOf(each.currency)}
                  value={each.currency}
                  onChange={(next) => setRate(i, { currency: next })}
                  searchable
                  limit={50}
                  flex={1}
                />
                <TextInput
                  aria-label={t('Rate of {name}', { name: each.currency ?? t('currency {number}', { number: i + 1 }) })}
                  placeholder={formatInputNumber('0.92')}
                  inputMode="decimal"
                  value={each.rate}
                  onChange={(event) => setRate(i, { rate: event.currentTarget.value })}
                  error={form.errors.get(`/exchangeRates/${each.currency ?? ''}`)}
                  w={{ base: 110, sm: 160 }}
                />
                <ActionIcon
                  aria-label={t('Remove {name}', { name: each.currency ?? t('currency {number}', { number: i + 1 }) })}
                  mt={4}
                  onClick={() => form.set({ rates: rates.filter((_, at) => at !== i) })}
                >
                  <Icon name="close" size={16} />
                </ActionIcon>
              </Group>
            ))}
            <Group>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<Icon name="plus" size={16} />}
                onClick={() => form.set({ rates: [...rates, { currency: null, rate: '' }] })}
              >
                {t('Add exchange rate')}
              </Button>
            </Group>
          </Stack>
        )}
        <FormActions form={form} submit={t('Save')} isDisabled={!isOwner}>
          {!isOwner && (
            <Text size="sm" c="dimmed">
              {t('Only owners of the account can change these settings.')}
            </Text>
          )}
        </FormActions>
      </Stack>
    </Form>
  );
}

const names = new Intl.DisplayNames(LANGUAGE, { type: 'currency', fallback: 'code' });

/** Currencies that the browser knows. */
const currencies = () =>
  Intl.supportedValuesOf('currency').map((code) => ({ value: code, label: `${code} · ${names.of(code)}` }));
