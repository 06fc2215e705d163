import type { Reconciliation, ReconciliationLine } from '@headwater/sdk';
import { Alert, Button, Checkbox, Group, Progress, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { ConfirmDialog, Dialog } from '../shared/dialogs.tsx';
import { formatDate, formatDateTime, formatMoney, formatNumber } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useMayWrite } from '../users/rights.ts';
import {
  type ComparedOutcome,
  OUTCOME_LABELS,
  OUTCOME_NOTES,
  type Outcome,
  PROVIDER_LABELS,
  reasonOf,
  STATUS_LABELS,
} from './labels.ts';
import { cacheReconciliation, isBusy, linesQuery, reconciliationQuery } from './queries.ts';

const COMPARED = ['different', 'missingHere', 'missingThere', 'equal'] as const satisfies ComparedOutcome[];
const APPLIABLE = ['different', 'missingHere', 'missingThere'] as const;

export function ReconciliationPage() {
  const { reconciliationId } = useParams({ from: '/shell/reconciliation/$reconciliationId' });
  const query = useQuery(reconciliationQuery(reconciliationId));
  return <Loaded query={query}>{(data) => <Details data={data} />}</Loaded>;
}

function Details({ data }: { data: Reconciliation }) {
  const { id, name, status, settings, outcomes, rows, ignored, faulty, error, job, createdAt } = data;
  const [outcome, setOutcome] = useState<Outcome>('different');
  const tabs: Outcome[] = [...COMPARED, ...(faulty > 0 ? (['faulty'] as const) : [])];
  const countOf = (each: Outcome) => (each === 'faulty' ? faulty : outcomes[each].count);
  const lines = useInfiniteQuery(linesQuery(id, outcome, status));
  return (
    <Page
      wide
      title={name}
      description={t('{provider}, uploaded {time}. {status}.', {
        ...{
          provider: PROVIDER_LABELS[settings.provider],
          time: formatDateTime(createdAt),
          status: STATUS_LABELS[status],
        },
      })}
      back={{ to: '/reconciliation', label: t('Reconciliation') }}
      actions={<Actions data={data} />}
    >
      {isBusy(data) && (
        <Stack className="surface" p="lg" gap="xs" role="status">
          <Text size="sm">{STATUS_LABELS[status]}</Text>
          <Progress value={(job?.progress ?? 0) * 100} aria-label={t('Progress')} />
        </Stack>
      )}
      {error && (
        <Alert color="red" variant="light" role="alert" title={t('The statement could not be processed')}>
          {serviceText(error.detail)}
        </Alert>
      )}
      {status !== 'matching' && status !== 'failed' && (
        <>
          <Text size="sm" c="dimmed">
            {t('{rows} rows, {ignored} of fees and payouts ignored.', {
              ...{ rows: formatNumber(rows), ignored: formatNumber(ignored) },
            })}{' '}
            {data.from && data.to
              ? t('Conversions of {from} to {to}.', { from: formatDate(data.from), to: formatDate(data.to) })
              : t('The rows have no dates, so nothing can be missing there.')}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2, md: 4 }}>
            {COMPARED.map((each) => (
              <OutcomeCard key={each} outcome={each} data={data} />
            ))}
          </SimpleGrid>
          <Stack gap="sm">
            <SegmentedControl
              aria-label={t('Outcome')}
              value={outcome}
              onChange={(next) => setOutcome(next as Outcome)}
              data={tabs.map((each) => ({
                value: each,
                label: `${OUTCOME_LABELS[each]} (${formatNumber(countOf(each))})`,
              }))}
              style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
            />
            <DataTable
              label={OUTCOME_LABELS[outcome]}
              minWidth={720}
              query={lines}
              columns={COLUMNS}
              rowKey={({ number }) => number}
              empty={
                <EmptyState icon="check" title={t('Nothing here')}>
                  {t('The statement has no lines with this outcome.')}
                </EmptyState>
              }
            />
          </Stack>
        </>
      )}
    </Page>
  );
}

function OutcomeCard({ outcome, data }: { outcome: ComparedOutcome; data: Reconciliation }) {
  const { count, applied, amounts } = data.outcomes[outcome];
  return (
    <div className="surface" style={{ padding: 'var(--mantine-spacing-md)' }} title={OUTCOME_NOTES[outcome]}>
      <Text size="sm" c="dimmed">
        {OUTCOME_LABELS[outcome]}
      </Text>
      <Text fw={600} size="lg" className="number">
        {formatNumber(count)}
      </Text>
      {amounts.map(({ currency, there, here, difference }) => (
        <Text key={currency} size="xs" c="dimmed" className="number">
          {outcome === 'different'
            ? t('{difference} ({there} there, {here} here)', {
                ...{
                  difference: money(difference, currency),
                  there: money(there, currency),
                  here: money(here, currency),
                },
              })
            : money(outcome === 'missingThere' ? here : there, currency)}
        </Text>
      ))}
      {applied > 0 && (
        <Text size="xs" c="dimmed">
          {t('{count} applied', { count: formatNumber(applied) })}
        </Text>
      )}
    </div>
  );
}

const money = (value: string | null, currency: string | null) =>
  value === null ? '' : currency ? formatMoney(value, currency) : formatNumber(Number(value));

const COLUMNS: Column<ReconciliationLine>[] = [
  {
    id: 'order',
    label: t('Order'),
    cell: ({ identifier, conversionId, rows }) =>
      conversionId ? (
        <TextLink to={`/conversions/${conversionId}`}>{identifier ?? t('Conversion')}</TextLink>
      ) : (
        (identifier ?? t('Row {row}', { row: rows[0] }))
      ),
    note: ({ rows }) =>
      rows.length === 0
        ? ''
        : t('{count, plural, one {Row} other {Rows}} {rows}', {
            count: rows.length,
            rows: rows.slice(0, 5).join(', '),
          }),
  },
  { id: 'there', label: t('In the file'), isNumber: true, cell: ({ there, currency }) => money(there, currency) },
  {
    id: 'here',
    label: t('Conversion'),
    isNumber: true,
    cell: ({ here, hereCurrency, currency }) => money(here, hereCurrency ?? currency),
  },
  { id: 'date', label: t('Date'), cell: ({ at }) => (at ? formatDate(at) : '') },
  { id: 'reason', label: t('Reason'), cell: reasonOf },
  {
    id: 'state',
    label: t('Can be applied'),
    cell: ({ isApplied, canApply }) => (isApplied ? t('Applied') : canApply ? t('Yes') : t('No')),
  },
];

function Actions({ data }: { data: Reconciliation }) {
  const mayEdit = useMayWrite('conversions');
  const navigate = useNavigate();
  const [open, setOpen] = useState<'apply' | 'undo' | 'delete'>();
  const { id, name, status } = data;
  if (!mayEdit || isBusy(data)) return null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setOpen('delete')}>
        {t('Delete')}
      </Button>
      {(status === 'applied' || status === 'stopped') && (
        <Button variant="default" onClick={() => setOpen('undo')}>
          {t('Undo')}
        </Button>
      )}
      {(status === 'ready' || status === 'stopped') && <Button onClick={() => setOpen('apply')}>{t('Apply')}</Button>}
      {open === 'apply' && <ApplyDialog data={data} onClose={close} />}
      {open === 'undo' && (
        <ConfirmDialog
          title={t('Undo what {name} applied?', { name })}
          action={t('Undo')}
          onClose={close}
          run={async () => cacheReconciliation(await headwater.undoReconciliation({ reconciliationId: id }))}
        >
          {t('Conversions get the values of their other reports back. The report history keeps everything.')}
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('Delete {name}?', { name })}
          action={t('Delete')}
          onClose={close}
          run={async () => {
            await headwater.deleteReconciliation({ reconciliationId: id });
            await navigate({ to: '/reconciliation' });
          }}
        >
          {t('The statement and its comparison are deleted. What it applied stays.')}
        </ConfirmDialog>
      )}
    </>
  );
}

const APPLY_LABELS: Record<(typeof APPLIABLE)[number], string> = {
  different: t('Set conversions to the value of the file'),
  missingHere: t('Report conversions that are missing here, by their click ID'),
  missingThere: t('Set conversions that are missing there to 0'),
};

function ApplyDialog({ data, onClose }: { data: Reconciliation; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>(['different', 'missingHere']);
  const apply = useMutation({
    mutationFn: () =>
      headwater.applyReconciliation(
        { reconciliationId: data.id },
        { outcomes: APPLIABLE.filter((each) => chosen.includes(each)) },
      ),
    onSuccess: (started) => {
      cacheReconciliation(started);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('Apply the statement')}>
      <Stack>
        <Checkbox.Group value={chosen} onChange={setChosen} label={t('What to change')}>
          <Stack gap="xs" mt={6}>
            {APPLIABLE.map((each) => (
              <Checkbox
                key={each}
                value={each}
                label={`${APPLY_LABELS[each]} (${formatNumber(data.outcomes[each].appliable)})`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Text size="sm" c="dimmed">
          {t('Ad platforms and webhooks receive the new values. You can undo it.')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button disabled={chosen.length === 0} loading={apply.isPending} onClick={() => apply.mutate()}>
            {t('Apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
