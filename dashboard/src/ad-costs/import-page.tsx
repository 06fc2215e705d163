import { Alert, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type DateOrder, needsDateOrder, provenDateOrder } from '../conversions/conversion-times.ts';
import { readCsv } from '../conversions/csv.ts';
import { DateOrderSelect } from '../conversions/date-order-select.tsx';
import { lineOf } from '../conversions/uploaded-csv.ts';
import { rich, t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { DataTable } from '../shared/data-table.tsx';
import { CSV_FILES, FileDrop } from '../shared/file-drop.tsx';
import { formatDay, formatMoney, formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { COLUMNS, type ColumnName, guessColumns, readCost, sumCosts } from './cost-rows.ts';
import { refreshPerformance } from './queries.ts';

const BATCH = 1_000;
const SHOWN_ERRORS = 10;
const SHOWN_ROWS = 5;

interface Csv {
  name: string;
  headings: string[];
  rows: string[][];
}

/** Imports the CSV of an ad platform: columns, preview with every error, import. */
export function ImportAdCostsPage() {
  const [csv, setCsv] = useState<Csv>();
  const open = async (file: File) => {
    const [headings = [], ...rows] = await readCsv(await file.text());
    setCsv({ name: file.name, headings, rows });
  };
  return (
    <Page
      title={t('Import ad spend')}
      description={t('Costs that were imported before are replaced, so you can import the same days again.')}
      back={{ to: '/ad-costs', label: t('Ad spend') }}
    >
      {csv ? (
        <ImportCsv csv={csv} onClose={() => setCsv(undefined)} />
      ) : (
        <FileDrop
          title={t('Drop a CSV of ad spend')}
          label={t('CSV file of ad spend')}
          accept={CSV_FILES}
          onChoose={open}
        >
          {rich(
            'Export a report by day from your ad platform. The first line names the columns, such as <code>Day</code>, <code>Campaign</code>, <code>Cost</code> and <code>Clicks</code>.',
            { code: (text) => <code>{text}</code> },
          )}
        </FileDrop>
      )}
    </Page>
  );
}

function ImportCsv({ csv, onClose }: { csv: Csv; onClose: () => void }) {
  const { account } = useSession();
  const navigate = useNavigate();
  const guessed = useMemo(() => guessColumns(csv.headings), [csv]);
  const [columns, setColumns] = useState(guessed.columns);
  const [source, setSource] = useState('');
  const [currency, setCurrency] = useState(guessed.currency ?? account.currency ?? '');
  const [chosenOrder, setOrder] = useState<DateOrder | null>(null);
  const [skipsErrors, setSkipsErrors] = useState(false);
  const dates = useMemo(() => csv.rows.map((row) => row[columns.indexOf('date')]?.trim() ?? ''), [csv, columns]);
  const order = chosenOrder ?? provenDateOrder(dates);
  const read = useMemo(
    () => csv.rows.map((row) => readCost(row, columns, order, { source: source.trim(), currency: currency.trim() })),
    [csv, columns, order, source, currency],
  );
  const costs = useMemo(() => sumCosts(read.flatMap((each) => ('cost' in each ? [each.cost] : []))), [read]);
  const errors = read.flatMap((each, row) => ('error' in each ? [{ row, ...each.error }] : []));
  const isMissing = (['date', 'cost'] as const).filter((name) => !columns.includes(name));
  const asksOrder = needsDateOrder(dates);
  const upload = useMutation({
    mutationFn: async () => {
      for (let at = 0; at < costs.length; at += BATCH) {
        await headwater.putAdCosts({}, { costs: costs.slice(at, at + BATCH) });
      }
    },
    onSuccess: () => {
      void refreshPerformance();
      notify(t('Imported {count} costs.', { count: formatNumber(costs.length) }));
      void navigate({ to: '/ad-costs' });
    },
  });
  const isReady =
    isMissing.length === 0 &&
    (!asksOrder || order !== null) &&
    costs.length > 0 &&
    (errors.length === 0 || skipsErrors);
  return (
    <Stack>
      <Card
        title={csv.name}
        controls={
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onClose}>
            {t('Choose another file')}
          </Button>
        }
      >
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          {csv.headings.map((heading, i) => (
            <Select
              // biome-ignore lint/suspicious/noArrayIndexKey: headings are not unique
              key={i}
              label={heading || t('Column {i}', { i: i + 1 })}
              description={csv.rows[0]?.[i] ? t('Example: {rows}', { rows: csv.rows[0][i] }) : t('First row is empty')}
              placeholder={t('Skip')}
              clearable
              data={Object.entries(COLUMNS)
                .filter(([name]) => columns[i] === name || !columns.includes(name as ColumnName))
                .map(([value, label]) => ({ value, label }))}
              value={columns[i] ?? null}
              onChange={(next) =>
                setColumns(columns.map((each, at) => (at === i ? (next as ColumnName | null) : each)))
              }
            />
          ))}
        </SimpleGrid>
        <Group align="flex-start">
          {!columns.includes('source') && (
            <TextInput
              label={t('Source')}
              description={t('As in utm_source of your ads, such as google')}
              required
              value={source}
              onChange={(event) => setSource(event.currentTarget.value)}
            />
          )}
          {!columns.includes('currency') && (
            <TextInput
              label={t('Currency')}
              description={t('Three letters, such as EUR')}
              required
              maxLength={3}
              value={currency}
              onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
            />
          )}
        </Group>
        {asksOrder && <DateOrderSelect value={order} onChange={setOrder} />}
      </Card>
      <DataTable
        label={t('Preview')}
        query={{ data: costs.slice(0, SHOWN_ROWS) }}
        minWidth={560}
        rowKey={(_, i) => i}
        empty={
          <Text p="md" size="sm" c="dimmed">
            {t('No readable row yet.')}
          </Text>
        }
        columns={[
          { id: 'date', label: t('Day'), cell: ({ date }) => formatDay(date) },
          { id: 'source', label: t('Source'), cell: (cost) => cost.source },
          { id: 'campaign', label: t('Campaign'), cell: ({ campaign }) => campaign ?? '' },
          {
            id: 'cost',
            label: t('Cost'),
            isNumber: true,
            cell: (cost) => formatMoney(cost.cost ?? 0, cost.currency),
          },
          { id: 'clicks', label: t('Clicks'), isNumber: true, cell: ({ clicks }) => (clicks == null ? '' : clicks) },
        ]}
      />
      {isMissing.length === 0 && errors.length > 0 && (
        <Alert
          variant="light"
          color="orange"
          title={t('{count} rows cannot be read', { count: formatNumber(errors.length) })}
        >
          <Stack gap={4}>
            {errors.slice(0, SHOWN_ERRORS).map(({ row, column, cell }) => (
              <div key={row}>
                {t('Line {row}, {columns}: {cell}', {
                  row: lineOf(row),
                  columns: COLUMNS[column],
                  cell: cell === '' ? t('empty') : `“${cell}”`,
                })}
              </div>
            ))}
            {errors.length > SHOWN_ERRORS && (
              <div>{t('and {count} more', { count: formatNumber(errors.length - SHOWN_ERRORS) })}</div>
            )}
            <Checkbox
              mt="xs"
              label={t('Skip these rows')}
              checked={skipsErrors}
              onChange={(event) => setSkipsErrors(event.currentTarget.checked)}
            />
          </Stack>
        </Alert>
      )}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {isMissing.length > 0
            ? t('Choose the columns: {isMissing}.', { isMissing: isMissing.map((name) => COLUMNS[name]).join(', ') })
            : t('{count} costs. Rows of the same day, source, campaign and currency are added up.', {
                count: formatNumber(costs.length),
              })}
        </Text>
        <Button disabled={!isReady} loading={upload.isPending} onClick={() => upload.mutate()}>
          {t('Import {count}', { count: formatNumber(costs.length) })}
        </Button>
      </Group>
    </Stack>
  );
}
