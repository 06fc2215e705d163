import { Alert, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';
import { decimalOf, IDENTIFIERS, type Identifier } from './columns.ts';
import { OUTCOME_LABELS, UNMATCHED_HINT } from './outcomes.ts';

export function SingleConversion() {
  const form = useForm({
    initial: {
      identifier: 'gclid' as Identifier,
      identifierValue: '',
      value: '',
      currency: '',
      eventId: '',
      event: '',
    },
    draft: 'conversion',
    isValid: ({ identifierValue }) => identifierValue.trim() !== '',
    save: ({ identifier, identifierValue, value, ...rest }) => {
      const filled = Object.entries(rest).filter(([, text]) => text.trim() !== '');
      return headwater.reportConversion({
        [identifier]: identifierValue.trim(),
        ...(value.trim() !== '' && { value: decimalOf(value.trim()) }),
        ...Object.fromEntries(filled.map(([name, text]) => [name, text.trim()])),
      });
    },
  });
  const { identifier } = form.values;
  const result = form.result;
  return (
    <Form form={form}>
      <Stack className="surface" p="lg">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={t('Match by')}
            data={Object.entries(IDENTIFIERS).map(([value, label]) => ({ value, label }))}
            {...form.input('identifier')}
            searchable
          />
          <TextInput
            label={IDENTIFIERS[identifier]}
            required
            {...form.text('identifierValue')}
            error={form.errorOf(identifier)}
          />
          <TextInput label={t('Value')} placeholder="129.90" inputMode="decimal" {...form.text('value')} />
          <TextInput label={t('Currency')} placeholder="EUR" maxLength={3} {...form.text('currency')} />
          <TextInput
            label={t('Order ID')}
            description={t('Conversions are deduplicated by order ID')}
            {...form.text('eventId')}
          />
          <TextInput label={t('Event name')} description={t('Default: conversion')} {...form.text('event')} />
        </SimpleGrid>
        {result && (
          <Alert
            color={result.status === 'reported' ? 'teal' : 'gray'}
            variant="light"
            role="status"
            title={OUTCOME_LABELS[result.status]}
          >
            {result.reason ?? (result.status === 'unmatched' ? UNMATCHED_HINT : t('Matched to its session.'))}
          </Alert>
        )}
        <FormError form={form} />
        <FormActions form={form} submit={t('Add conversion')} />
      </Stack>
    </Form>
  );
}
