import type { Destination, DestinationPlatform } from '@headwater/sdk';
import { Select, Stack, TagsInput, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { headwater } from '../service/session.ts';
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
      mode: destination?.mode ?? 'validate',
      sendAfterHours: (destination ? destination.sendAfter / HOUR_S : undefined) as number | string | undefined,
    },
    mustChange: destination !== undefined,
    save: async ({ name, credentials, mapping, events, sources, minimumValue, consent, mode, sendAfterHours }) => {
      const sent = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''));
      const body = {
        ...{ name, mapping, consent, mode, credentials: sent },
        filter: { events: orNone(events), sources: orNone(sources), minimumValue: minimumValue ?? null },
        sendAfter: Math.round(Number(sendAfterHours ?? 0) * HOUR_S),
      };
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
            Account
          </Title>
          <TextInput label="Name" description="Shown in Headwater only" required {...form.text('name')} />
          {platform.credentials.map((field) => {
            const isKept = destination !== undefined && field.isSecret;
            const Input = field.isSecret && /key|template/i.test(field.name) ? Textarea : TextInput;
            return (
              <Input
                key={field.name}
                label={field.label}
                description={field.description}
                placeholder={isKept ? 'Unchanged' : field.example}
                required={field.isRequired && !isKept}
                autoComplete="off"
                spellCheck={false}
                value={values.credentials[field.name] ?? ''}
                error={form.errors.get(`/credentials/${field.name}`)}
                onChange={(event: { currentTarget: { value: string } }) =>
                  form.set({ credentials: { ...values.credentials, [field.name]: event.currentTarget.value } })
                }
              />
            );
          })}
        </Stack>
        <Stack className="surface" p="lg" id="rules">
          <Title order={2} size="h4">
            Events
          </Title>
          <Text size="sm" c="dimmed">
            {platform.target.description}
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
            Which conversions are sent
          </Title>
          <Select
            label="Consent"
            description="By the consent that the script or your back end recorded for the session"
            data={optionsOf(CONSENT)}
            allowDeselect={false}
            {...form.input('consent')}
          />
          <TagsInput
            label="Only these events"
            placeholder={values.events.length === 0 ? 'All events with a rule' : undefined}
            acceptValueOnBlur
            {...form.input('events')}
            error={form.errors.get('/filter/events')}
          />
          <TagsInput
            label="Only these sources"
            placeholder={values.sources.length === 0 ? 'All sources' : undefined}
            acceptValueOnBlur
            {...form.input('sources')}
            error={form.errors.get('/filter/sources')}
          />
          <NumberField
            label="Minimum value"
            maw={240}
            value={values.minimumValue}
            onChange={(minimumValue) => form.set({ minimumValue })}
            error={form.errors.get('/filter/minimumValue')}
          />
        </Stack>
        <Stack className="surface" p="lg" id="sending">
          <Title order={2} size="h4">
            Sending
          </Title>
          <Select
            label="Mode"
            description={MODES[values.mode].description}
            data={optionsOf(Object.fromEntries(Object.entries(MODES).map(([mode, { label }]) => [mode, label])))}
            allowDeselect={false}
            {...form.input('mode')}
          />
          <NumberField
            label="Delay in hours"
            description={ADJUSTMENT[platform.adjustment]}
            maw={480}
            placeholder="0"
            value={values.sendAfterHours}
            onChange={(sendAfterHours) => form.set({ sendAfterHours })}
            error={form.errorOf('sendAfter')}
          />
        </Stack>
        <FormError form={form} title="Couldn't save" />
        <FormActions form={form} submit={destination ? 'Save' : 'Connect'} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

const numberOf = (text: string | null | undefined): number | string | undefined =>
  text === null || text === undefined ? undefined : Number(text);

const withRuleFor = (event: string | undefined, rules: Rule[]): Rule[] =>
  event === undefined || rules.some((rule) => rule.event === event) ? rules : [...rules, { ...newRule(), event }];
