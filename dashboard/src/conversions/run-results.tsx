import { Alert, Button, Group, Progress, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatNumber } from '../shared/formats.ts';
import { messageOf } from '../shared/messages.ts';
import { saveText } from '../shared/save-text.ts';
import type { BatchRun } from './batch-run.ts';
import { TARGETS, type Target } from './columns.ts';
import { writeCsvRow } from './csv.ts';
import { type List, lineOf } from './list.ts';
import { type Kind, RESULT_TEXTS } from './results.ts';

interface RunResultsProps {
  list: List;
  targets: (Target | null)[];
  run: BatchRun;
  /** Whether it is the reporting itself, not its rehearsal. */
  isReport: boolean;
  tellsOrders: boolean;
  onSend: () => void;
  onBack: () => void;
  onAgain: () => void;
}

/** How far the rehearsal or the reporting of a list has come, what it found, and what can be done next. */
export function RunResults({ list, targets, run, isReport, tellsOrders, onSend, onBack, onAgain }: RunResultsProps) {
  const { counts, done, total, isRunning, isFinished } = run;
  const kinds: Kind[] = isReport ? ['reported', 'unmatched', 'failed'] : ['create', 'restate', 'unmatched', 'failed'];
  const acceptable = total - (counts.failed ?? 0) - (counts.earlier ?? 0);
  return (
    <Stack>
      <Stack className="surface" p="lg">
        <Group gap="xl">
          {[...kinds, ...(counts.earlier ? (['earlier'] as const) : [])].map((kind) => (
            <div key={kind}>
              <Text fz={24} fw={620} className="number">
                {formatNumber(counts[kind] ?? 0)}
              </Text>
              <Text size="sm" c="dimmed">
                {RESULT_TEXTS[kind].title}
              </Text>
            </div>
          ))}
        </Group>
        {isRunning && (
          <Progress
            value={(done / total) * 100}
            aria-label={isReport ? 'Progress of the report' : 'Progress of the check'}
          />
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {statusOf(run, isReport)}
          </Text>
          <Group>
            {isRunning ? (
              <Button variant="default" onClick={() => run.stop()}>
                Stop
              </Button>
            ) : (
              done > 0 && (
                <Button variant="subtle" onClick={() => downloadResults(list, run)}>
                  Download the results
                </Button>
              )
            )}
            {!isRunning && !isFinished && <Button onClick={() => void run.start()}>Go on</Button>}
            {!isRunning && !isReport && (
              <Button variant="default" onClick={onBack}>
                Change the columns
              </Button>
            )}
            {isReport && !isRunning && (
              <Button variant="default" onClick={onAgain}>
                Another list
              </Button>
            )}
            {!isReport && isFinished && (
              <Button disabled={acceptable === 0} onClick={onSend}>
                Report {formatNumber(acceptable)}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
      {!isRunning && run.fault !== undefined && (
        <Alert variant="light" color="red" role="alert" title={messageOf(run.fault).title}>
          {messageOf(run.fault).detail} “Go on” sends the same rows again; none of them counts twice.
        </Alert>
      )}
      {!isReport && isFinished && !tellsOrders && (counts.create ?? 0) > 0 && (
        <Alert variant="light" color="yellow" title="These have no order number">
          Reported once more they are second sales. If this list, or a part of it, was reported before, leave it.
        </Alert>
      )}
      {!isRunning && (counts.unmatched ?? 0) > 0 && (
        <Alert variant="light" color="gray">
          {RESULT_TEXTS.unmatched.detail}
        </Alert>
      )}
      {!isRunning && done > 0 && <Rows list={list} targets={targets} run={run} kinds={kinds} />}
    </Stack>
  );
}

function statusOf({ done, total, isRunning, isFinished }: BatchRun, isReport: boolean): string {
  const rows = `${formatNumber(done)} of ${formatNumber(total)} rows`;
  if (isRunning) return `${isReport ? 'Reporting' : 'Checking'}: ${rows}.`;
  if (isFinished && isReport) return `All ${formatNumber(total)} rows were sent.`;
  if (isFinished) return `All ${formatNumber(total)} rows were checked. Nothing has been reported yet.`;
  if (!isReport) return `The check stopped after ${rows}.`;
  return `Stopped after line ${formatNumber(done + 1)}: ${rows} were sent, the others were not.`;
}

const PAGE = 50;

interface RowsProps {
  list: List;
  targets: (Target | null)[];
  run: BatchRun;
  kinds: Kind[];
}

/** The rows of a kind, a page of them at a time. What is wrong is shown first. */
function Rows({ list, targets, run, kinds }: RowsProps) {
  const found = [...kinds].reverse().filter((kind) => run.counts[kind]);
  const [kind, setKind] = useState<Kind | undefined>(found[0]);
  const [page, setPage] = useState(0);
  const shown = kind !== undefined && found.includes(kind) ? kind : found[0];
  const { done, outcomes } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: outcomes is one array that grows
  const rows = useMemo(
    () => outcomes.flatMap((outcome, row) => (outcome.kind === shown ? [row] : [])),
    [outcomes, done, shown],
  );
  const columns = targets.flatMap((target, i) => (target === null ? [] : [{ target, i }]));
  if (shown === undefined) return null;
  const first = page * PAGE;
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Rows"
        value={shown}
        onChange={(next) => {
          setKind(next as Kind);
          setPage(0);
        }}
        data={found.map((each) => ({
          value: each,
          label: `${RESULT_TEXTS[each].title} (${formatNumber(run.counts[each] ?? 0)})`,
        }))}
        style={{ alignSelf: 'flex-start' }}
      />
      <div className="surface">
        <Table.ScrollContainer minWidth={640}>
          <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Line</Table.Th>
                {columns.map(({ target }) => (
                  <Table.Th key={target}>{TARGETS[target]}</Table.Th>
                ))}
                <Table.Th>Why</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.slice(first, first + PAGE).map((row) => (
                <Table.Tr key={row}>
                  <Table.Td c="dimmed">{lineOf(row)}</Table.Td>
                  {columns.map(({ target, i }) => (
                    <Table.Td key={target}>{list.rows[row]?.[i]}</Table.Td>
                  ))}
                  <Table.Td style={{ whiteSpace: 'normal' }}>{outcomes[row]?.reason}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {rows.length > PAGE && (
        <Group justify="flex-end" gap="xs">
          <Text size="sm" c="dimmed" className="number">
            {formatNumber(first + 1)} to {formatNumber(Math.min(first + PAGE, rows.length))} of{' '}
            {formatNumber(rows.length)}
          </Text>
          <Button variant="default" size="compact-sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Before
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            disabled={first + PAGE >= rows.length}
            onClick={() => setPage(page + 1)}
          >
            Next
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** The list as it came, with what became of each row. */
function downloadResults({ name, headings, rows }: List, { outcomes }: BatchRun): void {
  const lines = rows.map((row, i) => {
    const outcome = outcomes[i];
    const result = outcome ? RESULT_TEXTS[outcome.kind].title : 'Not sent';
    return writeCsvRow([...headings.map((_, at) => row[at] ?? ''), result, outcome?.reason ?? '']);
  });
  saveText(`results of ${name}`, 'text/csv', [writeCsvRow([...headings, 'result', 'reason']), ...lines].join(''));
}
