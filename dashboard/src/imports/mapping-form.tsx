import type { Collection, Import } from '@headwater/sdk';
import { Alert, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { columnFormats, readCsvDay } from '../field-types/csv-cells.ts';
import { fieldTypeOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { DataTable } from '../shared/data-table.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { Form, FormActions } from '../shared/form.tsx';
import { formatDay } from '../shared/formats.ts';
import { timeZones } from '../shared/time-zone.ts';
import { useForm } from '../shared/use-form.ts';
import {
  findAmbiguousDate,
  ID,
  type Mapping,
  NEW,
  type Target,
  targetsOf,
  toMapping,
  toRequest,
  withColumn,
} from './mapping.ts';
import { cacheImport } from './queries.ts';

/** Maps columns to fields and starts the preview. */
export function MappingForm({ collection, data }: { collection: Collection; data: Import }) {
  const targets = targetsOf(collection);
  const form = useForm({
    initial: toMapping(data),
    draft: 'mapping',
    save: (mapping: Mapping) =>
      headwater.dryRunImport({ collectionId: collection.id, importId: data.id }, toRequest(mapping, targets)),
    onSaved: cacheImport,
  });
  const { values: mapping, set } = form;
  const mapped = targets.filter(({ name }) => mapping.columns.includes(name));
  const ambiguousDate = findAmbiguousDate(data, targets, mapping);
  const missing = targets.filter((target) => target.isRequired && !mapped.includes(target));
  return (
    <Form form={form} isGuarded={false}>
      <Stack>
        <ColumnsTable data={data} targets={targets} mapping={mapping} set={set} />
        <Card title={t('Rows and formats')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <RowSettings targets={mapped} mapping={mapping} set={set} />
          </SimpleGrid>
          <FormatSettings targets={mapped} mapping={mapping} set={set} ambiguousDate={ambiguousDate} />
        </Card>
        {mapping.match === NEW && missing.length > 0 && (
          <Alert color="orange" variant="light" title={t('Required fields without a column')}>
            {missing.map(({ label }) => label).join(', ')}
          </Alert>
        )}
        {form.error && (
          <Alert color="red" variant="light" role="alert" title={errorMessage(form.error).title}>
            {[...form.errors.values()].join(' ') || errorMessage(form.error).detail}
          </Alert>
        )}
        <FormActions
          form={form}
          submit={t('Preview')}
          isDisabled={mapped.length === 0 || (ambiguousDate !== undefined && mapping.dateOrder === null)}
        >
          <Text size="sm" c="dimmed">
            {t('The preview reads every row and writes nothing.')}
          </Text>
        </FormActions>
      </Stack>
    </Form>
  );
}

interface PartProps {
  targets: Target[];
  mapping: Mapping;
  set: (part: Partial<Mapping>) => void;
}

const MAX_SAMPLES = 3;

function ColumnsTable({ data, targets, mapping, set }: PartProps & { data: Import }) {
  const rows = data.columns.map((column, index) => {
    const chosen = mapping.columns[index] ?? null;
    return { ...column, index, chosen, target: targets.find(({ name }) => name === chosen) };
  });
  const options = [{ value: ID, label: t('Entry ID') }, ...targets.map(({ name, label }) => ({ value: name, label }))];
  return (
    <DataTable
      label={t('Columns')}
      isDense
      minWidth={320}
      query={{ data: rows }}
      rowKey={({ index }) => index}
      columns={[
        {
          id: 'column',
          label: t('Column'),
          isWrapped: true,
          cell: ({ name, index }) => <b>{name || t('Column {index}', { index: index + 1 })}</b>,
          note: ({ samples, target }) => samplesText(samples, target, mapping),
        },
        {
          id: 'field',
          label: t('Field'),
          width: '55%',
          cell: ({ name, index, chosen, target, samples }) => (
            <>
              <Select
                aria-label={
                  name ? t('Field of {name}', { name }) : t('Field of column {number}', { number: index + 1 })
                }
                placeholder={t('Skip')}
                data={options.filter(({ value }) => value === chosen || !mapping.columns.includes(value))}
                value={chosen}
                onChange={(next) => set(withColumn(mapping, index, next, samples))}
                clearable
                searchable
              />
              {target?.isRepeated && target.type !== 'group' && (
                <Select
                  mt={6}
                  aria-label={t('Separator of {label}', { label: target.label })}
                  data={SEPARATORS}
                  value={mapping.separators[target.name] ?? ''}
                  onChange={(next) => set({ separators: { ...mapping.separators, [target.name]: next ?? '' } })}
                />
              )}
            </>
          ),
        },
      ]}
    />
  );
}

/** The first cells of a column, with the values the import reads in them where they look different. */
function samplesText(samples: readonly string[], target: Target | undefined, mapping: Mapping): string {
  const { csv } = target && !target.isRepeated ? fieldTypeOf(target) : {};
  const formats = csv && columnFormats(samples, mapping, csv);
  const texts = samples
    .filter((sample) => sample.trim() !== '')
    .slice(0, MAX_SAMPLES)
    .map((sample) => {
      const value = (formats && csv?.preview?.(sample, formats)) ?? sample;
      return value === sample ? sample : `${sample} → ${value}`;
    });
  return texts.join(' · ') || '(empty)';
}

const SEPARATORS = [
  { value: '', label: t('JSON array') },
  { value: ',', label: t('Comma-separated') },
  { value: ';', label: t('Semicolon-separated') },
  { value: '|', label: t('Pipe-separated') },
  { value: '\n', label: t('One value per line') },
];

function RowSettings({ targets, mapping, set }: PartProps) {
  return (
    <>
      <Select
        label={t('Import mode')}
        description={t('Rows without a matching entry create a new one.')}
        data={[
          { value: NEW, label: t('Create new entries') },
          ...(mapping.columns.includes(ID) ? [{ value: ID, label: t('Update entries by ID') }] : []),
          ...targets
            .filter(({ canMatch }) => canMatch)
            .map(({ name, label }) => ({ value: name, label: t('Update entries by {label}', { label }) })),
        ]}
        value={mapping.match}
        onChange={(next) => set({ match: next ?? NEW })}
      />
      {mapping.match !== NEW && (
        <Select
          label={t('Empty cells')}
          description={t('In rows that update an entry.')}
          data={[
            { value: 'clear', label: t('Clear the value') },
            { value: 'keep', label: t('Keep the value') },
          ]}
          value={mapping.emptyCells}
          onChange={(next) => set({ emptyCells: next === 'keep' ? 'keep' : 'clear' })}
        />
      )}
    </>
  );
}

/** Asks only for the formats that the mapped fields need. */
function FormatSettings({ targets, mapping, set, ambiguousDate }: PartProps & { ambiguousDate: string | undefined }) {
  const formats = new Set(targets.flatMap((target) => fieldTypeOf(target).csv.formats));
  if (formats.size === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {formats.has('decimal') && (
        <Select
          label={t('Number format')}
          data={[
            { value: '.', label: '1,234.5' },
            { value: ',', label: '1.234,5' },
          ]}
          placeholder={t('Choose a format')}
          value={mapping.decimal}
          onChange={(decimal) => set({ decimal })}
          clearable
        />
      )}
      {formats.has('dateOrder') && (
        <Select
          label={t('Date format')}
          data={(['dmy', 'mdy'] as const).map((order) => ({
            value: order,
            label: dateOrderLabel(order, ambiguousDate),
          }))}
          placeholder={t('Choose a format')}
          error={
            ambiguousDate !== undefined &&
            mapping.dateOrder === null &&
            t('{ambiguousDate} has two meanings. Choose one.', { ambiguousDate })
          }
          value={mapping.dateOrder}
          onChange={(dateOrder) => set({ dateOrder })}
          clearable
        />
      )}
      {formats.has('timeZone') && (
        <Select
          label={t('Time zone')}
          description={t('For times without an offset.')}
          data={timeZones()}
          placeholder={t('Choose a time zone')}
          value={mapping.timeZone}
          onChange={(timeZone) => set({ timeZone })}
          clearable
          searchable
          limit={50}
        />
      )}
    </SimpleGrid>
  );
}

function dateOrderLabel(order: 'dmy' | 'mdy', example = '03/04/2026'): string {
  const day = readCsvDay(example, order);
  const as = day === undefined ? t('unreadable') : formatDay(day);
  return order === 'dmy'
    ? t('Day first: {example} is {as}', { example, as })
    : t('Month first: {example} is {as}', { example, as });
}
