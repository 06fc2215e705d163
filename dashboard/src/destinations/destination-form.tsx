import type { Destination, DestinationPlatform } from '@headwater/sdk';
import { Select, Stack, Switch, TagsInput, Text, TextInput, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { CredentialInput } from '../shared/credential-input.tsx';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { NumberField } from '../shared/number-field.tsx';
import { useForm } from '../shared/use-form.ts';
import { ADJUSTMENT, CONSENT, MODES } from './labels.ts';
import { MappingRules, newRule, type Rule } from './mapping-rules.tsx';
import { refreshDestinations } from './queries.ts';

const HOUR_S = 3_600;

interface DestinationFormProps {
  platform: DestinationPlatform;
  /** The destination to edit; a new one if undefined. */
  destination?: Destination;
  /** An event without a rule, for which one is added. */
  newEvent?: string | undefined;
  onCancel: () => void;
  onSaved: (destination: Destination) => void;
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const orNone = (list: string[]) => (list.length === 0 ? null : list);

export function DestinationForm({ platform, destination, newEvent, onCancel, onSaved }: DestinationFormProps) {
  const form = useForm({
    initial: {
      name: destination?.name ?? platform.name,
      credentials: { ...destination?.connection } as Record<string, string>,
      mapping: withRuleFor(newEvent, destination?.mapping ?? [newRule()]),
      events: destination?.filter.events ?? [],
      sources: destination?.filter.sources ?? [],
      minimumValue: numberOf(destination?.filter.minimumValue),
      consent: destination?.consent ?? 'required',
      mode: destination?.mode ?? (platform.purges ? 'live' : 'validate'),
      trustPublicValues: destination?.trustPublicValues ?? false,
      value: destination?.value ?? ('current' as Destination['value']),
      sendAfterHours: (destination ? destination.sendAfter / HOUR_S : undefined) as number | string | undefined,
    },
    mustChange: destination !== undefined,
    draft: `destination ${platform.platform}`,
    toDraft: (values) => {
      const secret = new Set(platform.credentials.filter(({ isSecret }) => isSecret).map(({ name }) => name));
      const kept = Object.entries(values.credentials).filter(([name]) => !secret.has(name));
      return { ...values, credentials: Object.fromEntries(kept) };
    },
    save: async ({ name, credentials, mapping, events, sources, minimumValue, consent, mode, ...sending }) => {
      // An empty text removes a credential that is shown; a secret that is left empty stays as it is.
      const isSent = ([name, value]: [string, string]) => value !== '' || destination?.connection[name] !== undefined;
      const sent = Object.fromEntries(Object.entries(credentials).filter(isSent));
      const ofConversions = {
        ...{ mapping, consent },
        filter: { events: orNone(events), sources: orNone(sources), minimumValue: minimumValue ?? null },
        sendAfter: Math.round(Number(sending.sendAfterHours ?? 0) * HOUR_S),
        trustPublicValues: sending.trustPublicValues,
        value: sending.value,
      };
      const body = { ...{ name, mode, credentials: sent }, ...(!platform.purges && ofConversions) };
      return destination
        ? headwater.updateDestination({ id: destination.id }, body)
        : headwater.createDestination({ ...body, platform: platform.platform });
    },
    onSaved: (saved) => {
      void refreshDestinations();
      onSaved(saved);
    },
  });
  const { values } = form;
  const modes = Object.entries(MODES).filter(([mode]) => mode !== 'validate' || !platform.purges);
  const isSentElsewhere = platform.credentials.some(
    ({ name, decidesHost }) => decidesHost && values.credentials[name] !== destination?.connection[name],
  );
  const { hash } = useLocation();
  useEffect(() => {
    // The router scrolls before the form has loaded.
    const part = document.getElementById(hash);
    part?.scrollIntoView();
    const inputs = [...(part?.querySelectorAll('input') ?? [])];
    const missing = inputs.find(({ required, value }) => required && value === '');
    (missing ?? inputs[0])?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <Form form={form} noValidate>
      <Stack gap="lg">
        <Stack className="surface" p="lg" id="account">
          <Title order={2} size="h4">
            {t('Account')}
          </Title>
          <TextInput label={t('Name')} description={t('Shown in Headwater only')} required {...form.text('name')} />
          {platform.credentials.map((field) => (
            <CredentialInput
              key={field.name}
              field={field}
              isKept={destination !== undefined && field.isSecret && !isSentElsewhere}
              value={values.credentials[field.name] ?? ''}
              error={form.errors.get(`/credentials/${field.name}`)}
              onChange={(value) => form.set({ credentials: { ...values.credentials, [field.name]: value } })}
            />
          ))}
        </Stack>
        {!platform.purges && (
          <>
            <Stack className="surface" p="lg" id="rules">
              <Title order={2} size="h4">
                {t('Events')}
              </Title>
              <Text size="sm" c="dimmed">
                {serviceText(platform.target.description)}
              </Text>
              <MappingRules
                target={platform.target}
                rules={values.mapping}
                errors={form.errors}
                onChange={(mapping: Rule[]) => form.set({ mapping })}
              />
            </Stack>
            <Stack className="surface" p="lg" id="filter">
              <Title order={2} size="h4">
                {t('Which conversions are sent')}
              </Title>
              <Select
                label={t('Consent')}
                description={t('By the consent that the script or your back end recorded for the session')}
                data={optionsOf(CONSENT)}
                allowDeselect={false}
                {...form.input('consent')}
              />
              <TagsInput
                label={t('Only these events')}
                placeholder={values.events.length === 0 ? t('All events with a rule') : undefined}
                acceptValueOnBlur
                {...form.input('events')}
                error={form.errors.get('/filter/events')}
              />
              <TagsInput
                label={t('Only these sources')}
                placeholder={values.sources.length === 0 ? t('All sources') : undefined}
                acceptValueOnBlur
                {...form.input('sources')}
                error={form.errors.get('/filter/sources')}
              />
              <NumberField
                label={t('Minimum value')}
                maw={240}
                value={values.minimumValue}
                onChange={(minimumValue) => form.set({ minimumValue })}
                error={form.errors.get('/filter/minimumValue')}
              />
            </Stack>
          </>
        )}
        <Stack className="surface" p="lg" id="sending">
          <Title order={2} size="h4">
            {t('Sending')}
          </Title>
          <Select
            label={t('Mode')}
            description={MODES[values.mode].description}
            data={optionsOf(Object.fromEntries(modes.map(([mode, { label }]) => [mode, label])))}
            allowDeselect={false}
            {...form.input('mode')}
          />
          {!platform.purges && (
            <>
              <NumberField
                label={t('Delay in hours')}
                description={ADJUSTMENT[platform.adjustment]}
                maw={480}
                placeholder="0"
                value={values.sendAfterHours}
                onChange={(sendAfterHours) => form.set({ sendAfterHours })}
                error={form.errorOf('sendAfter')}
              />
              <Select
                label={t('Value')}
                description={VALUES_SENT[values.value]}
                maw={480}
                data={[
                  { value: 'current', label: t('As known') },
                  ...(platform.adjustment === 'none' ? [{ value: 'expected', label: t('As expected') }] : []),
                  { value: 'settled', label: t('Once settled') },
                ]}
                allowDeselect={false}
                {...form.input('value')}
              />
              <Switch
                label={t('Send values that pages report')}
                description={t(
                  'Anyone can record events with the publishable key. Otherwise only values from your back end and postbacks are sent',
                )}
                checked={values.trustPublicValues}
                onChange={({ currentTarget }) => form.set({ trustPublicValues: currentTarget.checked })}
              />
            </>
          )}
        </Stack>
        <FormError form={form} title={t("Couldn't save")} />
        <FormActions form={form} submit={destination ? t('Save') : t('Connect')} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

const VALUES_SENT: Record<Destination['value'], string> = {
  current: t('The value that is known when it is sent'),
  expected: t('Scaled by how values of its source develop after the sale, through refunds and restatements'),
  settled: t('Sent after the delay, or else after 30 days, with the value that it has by then'),
};

const numberOf = (text: string | null | undefined): number | string | undefined =>
  text === null || text === undefined ? undefined : Number(text);

const withRuleFor = (event: string | undefined, rules: Rule[]): Rule[] =>
  event === undefined || rules.some((rule) => rule.event === event) ? rules : [...rules, { ...newRule(), event }];
