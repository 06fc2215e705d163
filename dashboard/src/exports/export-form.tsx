import type { StartExportRequest } from '@headwater/sdk';
import { Button, Group, Select } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { addDays } from '../shared/days.ts';
import { Form, FormError } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';

export const DATASETS: Record<StartExportRequest['dataset'], string> = {
  conversions: t('Conversions'),
  sessions: t('Sessions'),
  visits: t('Visits'),
  events: t('Events'),
  leads: t('Leads'),
  unmatched: t('Unmatched conversions'),
};
const FORMATS: Record<StartExportRequest['format'], string> = {
  csv: t('CSV, for spreadsheets'),
  ndjson: t('NDJSON, for programs'),
  parquet: t('Parquet, for data warehouses'),
};
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export const refreshJobs = () => queryClient.invalidateQueries({ queryKey: ['jobs'] });

interface ExportForm extends Pick<StartExportRequest, 'dataset' | 'format'> {
  from: string | null;
  to: string | null;
}

export function ExportForm() {
  const form = useForm({
    initial: { dataset: 'conversions', format: 'csv', from: null, to: null } as ExportForm,
    save: ({ dataset, format, from, to }) =>
      // The API's `to` is exclusive.
      headwater.startExport({
        ...{ dataset, format, bom: format === 'csv' },
        ...(from && { from }),
        ...(to && { to: addDays(to, 1) }),
      }),
    onSaved: refreshJobs,
  });
  const { from, to } = form.values;
  return (
    <Form form={form} isGuarded={false}>
      <Group className="surface" p="lg" align="flex-start" gap="md">
        <Select label={t('Dataset')} data={optionsOf(DATASETS)} {...form.input('dataset')} flex={1} miw={170} />
        <Select label={t('Format')} data={optionsOf(FORMATS)} {...form.input('format')} flex={1} miw={170} />
        <DateInput
          label={t('From')}
          placeholder={t('Earliest')}
          {...form.input('from')}
          clearable
          maxDate={to ?? undefined}
          flex={1}
          miw={140}
        />
        <DateInput
          label={t('To')}
          placeholder={t('Now')}
          {...form.input('to')}
          clearable
          minDate={from ?? undefined}
          flex={1}
          miw={140}
        />
        <Button type="submit" loading={form.isPending} mt={25}>
          {t('Start export')}
        </Button>
        <FormError form={form} />
      </Group>
    </Form>
  );
}
