import type { Experiment } from '@headwater/sdk';
import { Badge, Button, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatMoney, formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { outcomeOf, outlookOf } from './outcome.ts';
import { experimentsQuery, resultsQuery, STATUS } from './queries.ts';

const COLUMNS: Column<Experiment>[] = [
  { id: 'name', label: t('Experiment'), cell: ({ name }) => name, note: ({ hypothesis }) => hypothesis },
  {
    id: 'status',
    label: t('Status'),
    cell: ({ status }) => (
      <Badge variant="light" color={STATUS[status].color}>
        {STATUS[status].label}
      </Badge>
    ),
    note: ({ shippedVariant }) => shippedVariant,
  },
  { id: 'result', label: t('Result'), isWrapped: true, cell: (experiment) => <Outcome experiment={experiment} /> },
  { id: 'money', label: t('Settled revenue'), isNumber: true, cell: (experiment) => <Money experiment={experiment} /> },
  timeColumn('started', t('Started'), ({ startedAt }) => startedAt),
];

/** Experiments with their hypothesis, what came out, and the money that stays. */
export function ExperimentsPage() {
  const query = useInfiniteQuery(experimentsQuery());
  const create = useMayWrite('analytics') && (
    <Button component={Link} to="/experiments/new" leftSection={<Icon name="plus" size={16} />}>
      {t('Create experiment')}
    </Button>
  );
  return (
    <Page
      wide
      title={t('Experiments')}
      description={t('Variants of pages, decided by the money that stays after refunds.')}
      actions={query.data && query.data.length > 0 && create}
    >
      <DataTable
        label={t('Experiments')}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/experiments/${id}`}
        empty={
          <EmptyState icon="filter" title={t('No experiments yet')} action={create}>
            {t(
              'Show visitors different variants of a page, and keep the one that earns more once refunds have arrived.',
            )}
          </EmptyState>
        }
      />
    </Page>
  );
}

const useResults = ({ id, status }: Experiment) => useQuery({ ...resultsQuery(id), enabled: status !== 'draft' }).data;

function Outcome({ experiment }: { experiment: Experiment }) {
  const results = useResults(experiment);
  return (
    <Text size="sm" maw={480}>
      {results ? [outcomeOf(experiment.status, results), outlookOf(results)].filter(Boolean).join(' ') : '–'}
    </Text>
  );
}

function Money({ experiment }: { experiment: Experiment }) {
  const results = useResults(experiment);
  if (!results || experiment.metric.kind !== 'revenue') return '–';
  const sum = results.arms.reduce((total, arm) => total + Number(arm.settledRevenue), 0);
  return results.currency ? formatMoney(sum, results.currency) : formatNumber(sum);
}
