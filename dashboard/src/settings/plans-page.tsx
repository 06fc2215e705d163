import type { Plan } from '@headwater/sdk';
import { Alert, Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';

const KEY = ['plans'];

const STATUS: Record<Plan['status'], string> = {
  waiting: t('Waits for a decision'),
  applying: t('Being applied'),
  applied: t('Applied'),
  undone: t('Undone'),
  dismissed: t('Dismissed'),
  stale: t('Outdated'),
};

const COLUMNS: Column<Plan>[] = [
  timeColumn('time', t('Time'), ({ createdAt }) => createdAt),
  {
    id: 'change',
    label: t('Change'),
    isWrapped: true,
    cell: ({ summary }) => summary,
    note: ({ money }) =>
      money.map(({ currency, before, after }) => `${before} → ${after} ${currency ?? ''}`).join(', '),
  },
  {
    id: 'author',
    label: t('Asked by'),
    cell: ({ createdBy }) => createdBy?.name ?? createdBy?.id,
    note: ({ client }) => client,
  },
  {
    id: 'status',
    label: t('Status'),
    cell: ({ status }) => (
      <Badge variant="light" color={status === 'waiting' ? 'orange' : 'gray'}>
        {STATUS[status]}
      </Badge>
    ),
    note: ({ decidedBy }) => decidedBy?.name,
  },
];

/** What agents and people propose, to apply or dismiss it. */
export function PlansPage() {
  const query = useInfiniteQuery({
    ...pagedQuery(
      KEY,
      (pageToken, signal) => headwater.listPlans({ pageToken }, { signal }),
      ({ plans }) => plans,
    ),
    refetchInterval: 15_000,
  });
  return (
    <Page
      wide
      title={t('Plans')}
      description={t(
        'Changes that agents propose. Nothing is changed before somebody applies a plan, and it can be undone.',
      )}
    >
      <DataTable
        label={t('Plans')}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowName={({ summary }) => summary}
        details={(plan) => <Details plan={plan} />}
        empty={
          <EmptyState icon="check" title={t('No plans')}>
            {t('Agents that are connected by MCP plan changes here, with what they would change field by field.')}
          </EmptyState>
        }
      />
    </Page>
  );
}

type Decision = 'apply' | 'undo' | 'dismiss';
const DECISIONS: Record<Decision, { label: string; title: string; run: (planId: string) => Promise<unknown> }> = {
  apply: { label: t('Apply'), title: t('Apply this plan?'), run: (planId) => headwater.applyPlan({ planId }) },
  undo: { label: t('Undo'), title: t('Undo this plan?'), run: (planId) => headwater.undoPlan({ planId }) },
  dismiss: { label: t('Discard'), title: t('Discard this plan?'), run: (planId) => headwater.dismissPlan({ planId }) },
};
const POSSIBLE: Partial<Record<Plan['status'], Decision[]>> = {
  waiting: ['apply', 'dismiss'],
  // Its process may have ended.
  applying: ['apply'],
  applied: ['undo'],
};

function Details({ plan }: { plan: Plan }) {
  const mayEdit = useMayEdit();
  const [decision, setDecision] = useState<Decision>();
  const asked = decision && DECISIONS[decision];
  const refresh = () => queryClient.invalidateQueries({ queryKey: KEY });
  return (
    <Stack gap="sm">
      {plan.warnings.map((warning) => (
        <Alert key={warning} color="orange">
          {warning}
        </Alert>
      ))}
      {plan.reason !== null && <Text size="sm">{plan.reason}</Text>}
      {plan.changes.map(({ id, action, label, fields }, i) => (
        // The same thing can occur twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <Stack key={`${id} ${i}`} gap={2}>
          <Text size="sm" fw={600}>
            {action} {label}
          </Text>
          {fields.length > 0 && (
            <Table layout="fixed">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Field')}</Table.Th>
                  <Table.Th>{t('Before')}</Table.Th>
                  <Table.Th>{t('After')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {fields.map(({ field, before, after }) => (
                  <Table.Tr key={field}>
                    <Table.Td>{field}</Table.Td>
                    <Table.Td>{textOf(before)}</Table.Td>
                    <Table.Td>{textOf(after)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Stack>
      ))}
      {mayEdit && (
        <Group>
          {(POSSIBLE[plan.status] ?? []).map((each) => (
            <Button key={each} variant={each === 'apply' ? 'filled' : 'default'} onClick={() => setDecision(each)}>
              {DECISIONS[each].label}
            </Button>
          ))}
        </Group>
      )}
      {asked && (
        <ConfirmDialog
          title={asked.title}
          action={asked.label}
          onClose={() => setDecision(undefined)}
          run={() => asked.run(plan.id).finally(refresh)}
        >
          {plan.summary}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** Values are data of the account: shown as they are, never as markup. */
function textOf(value: unknown) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return <Code style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{JSON.stringify(value, null, 2)}</Code>;
}
