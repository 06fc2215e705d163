import { Alert, Button, Checkbox, Group, Loader, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { headwater, useSession } from '../service/session.ts';
import { CSV_FILES, FileDrop } from '../shared/file-drop.tsx';
import { formatNumber, formatTime } from '../shared/formats.ts';
import { BatchRun, useRun } from './batch-run.ts';
import { guessTargets, IDENTIFIERS, itemOf, TARGETS, type Target } from './columns.ts';
import { readCsv } from './csv.ts';
import { digestOf, type List, lineOf } from './list.ts';
import { outcomeOf, rehearsedOutcome } from './results.ts';
import { RunResults } from './run-results.tsx';
import { findSentList, keepSentList, listKey, newRunId } from './sent-lists.ts';

type Targets = (Target | null)[];

/**
 * A CSV of conversions: what its columns are, what the service would do with each row, and then what became of it. A list
 * may have any number of rows; what is drawn of it is a page.
 */
export function UploadList() {
  const [list, setList] = useState<List>();
  const [isReading, setIsReading] = useState(false);
  const open = async (file: File) => {
    setIsReading(true);
    const text = await file.text();
    const [headings = [], ...rows] = await readCsv(text);
    setList({ name: file.name, digest: digestOf(text), headings, rows });
    setIsReading(false);
  };
  if (isReading) {
    return (
      <Group className="surface" p="lg" role="status">
        <Loader size="sm" />
        <Text size="sm">Reading the list</Text>
      </Group>
    );
  }
  if (!list) return <ChooseFile onChoose={open} />;
  return <OpenList key={list.digest} list={list} onAgain={() => setList(undefined)} />;
}

function OpenList({ list, onAgain }: { list: List; onAgain: () => void }) {
  const { account } = useSession();
  const [targets, setTargets] = useState(() => guessTargets(list.headings));
  const [leavesOut, setLeavesOut] = useState(true);
  const [rehearsal, setRehearsal] = useState<BatchRun>();
  const [report, setReport] = useState<BatchRun>();
  const run = useRun(report ?? rehearsal);
  const key = listKey(account.id, list, targets);
  // As it was when the list was opened: the reporting itself goes on writing it.
  const sent = useMemo(() => findSentList(key), [key]);
  const skipped = sent && leavesOut ? sent.sent : 0;
  const total = list.rows.length;
  const items = (from: number, to: number) => list.rows.slice(from, to).map((row) => itemOf(row, targets));

  useBlocker({
    shouldBlockFn: () =>
      report?.isRunning === true && !window.confirm('The list is still being reported. Stop here and leave?'),
    enableBeforeUnload: () => report?.isRunning === true,
  });

  const check = () => {
    const lines = new Map<string, number>();
    const next = new BatchRun({
      total,
      skipped,
      isKept: false,
      send: async (from, to, signal) => {
        const batch = items(from, to);
        const results = await headwater.rehearseConversion(batch, { signal, timeoutMs: 120_000 });
        return results.map((result, i) => {
          const { eventId } = batch[i] ?? {};
          if (eventId == null || result.status !== 'reported') return rehearsedOutcome(result, undefined);
          // The service sees one batch at a time.
          const earlier = lines.get(eventId);
          lines.set(eventId, lineOf(from + i));
          return rehearsedOutcome(result, earlier);
        });
      },
    });
    setRehearsal(next);
    void next.start();
  };
  const send = () => {
    const runId = skipped > 0 && sent ? sent.runId : newRunId();
    const keep = (done: number) => keepSentList({ key, runId, sent: done, total, at: new Date().toISOString() });
    // From the first request on: what was sent and not answered is to be sent again under the same key.
    keep(skipped);
    const next = new BatchRun({
      total,
      skipped,
      isKept: true,
      send: async (from, to) => {
        const options = { timeoutMs: 120_000, idempotencyKey: `${runId}-${from}` };
        return (await headwater.reportConversion(items(from, to), options)).map(outcomeOf);
      },
      onAnswered: keep,
    });
    setReport(next);
    void next.start();
  };

  const mayFind = targets.some((target) => target !== null && target in IDENTIFIERS);
  const tellsOrders = targets.includes('eventId');
  if (run) {
    return (
      <RunResults
        list={list}
        targets={targets}
        run={run}
        isReport={report !== undefined}
        tellsOrders={tellsOrders}
        onSend={send}
        onBack={() => setRehearsal(undefined)}
        onAgain={onAgain}
      />
    );
  }
  return (
    <Stack>
      <Stack className="surface" p="lg">
        <Group justify="space-between">
          <Title order={2}>{list.name}</Title>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onAgain}>
            Another file
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          What is in the columns? Each conversion needs one identifier, and only one.
        </Text>
        <ColumnTargets list={list} targets={targets} onChange={setTargets} />
      </Stack>
      <Sample list={list} targets={targets} />
      {!tellsOrders && (
        <Alert variant="light" color="yellow" title="No column is the order number">
          Nothing tells these conversions from others: whoever reports the list a second time makes second sales of it.
          With order numbers, a second time changes the first.
        </Alert>
      )}
      {sent && (
        <Alert variant="light" color="blue" title={`This list was reported ${formatTime(sent.at)}`}>
          <Checkbox
            checked={leavesOut}
            onChange={(event) => setLeavesOut(event.currentTarget.checked)}
            label={
              sent.sent === total
                ? `Leave out all of its ${formatNumber(total)} rows`
                : `Go on behind the ${formatNumber(sent.sent)} rows that were answered, of ${formatNumber(total)}`
            }
          />
        </Alert>
      )}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {mayFind
            ? `${formatNumber(total - skipped)} conversions. Nothing is reported before you have seen what would become of them.`
            : 'Say which column tells the visit: a click id or a session.'}
        </Text>
        <Button disabled={!mayFind || skipped === total} onClick={check}>
          Check them
        </Button>
      </Group>
    </Stack>
  );
}

interface ColumnTargetsProps {
  list: List;
  targets: Targets;
  onChange: (targets: Targets) => void;
}

function ColumnTargets({ list, targets, onChange }: ColumnTargetsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {list.headings.map((heading, i) => (
        <Select
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one heading
          key={i}
          label={heading || `Column ${i + 1}`}
          description={list.rows[0]?.[i] ? `such as ${list.rows[0][i]}` : 'empty at first'}
          placeholder="Left out"
          data={Object.entries(TARGETS)
            .filter(([target]) => targets[i] === target || !targets.includes(target as Target))
            .map(([value, label]) => ({ value, label }))}
          value={targets[i] ?? null}
          onChange={(next) => onChange(targets.map((target, at) => (at === i ? (next as Target | null) : target)))}
          clearable
          searchable
        />
      ))}
    </SimpleGrid>
  );
}

const SAMPLE = 4;

function Sample({ list, targets }: { list: List; targets: Targets }) {
  const columns = targets.flatMap((target, i) => (target === null ? [] : [{ target, i }]));
  if (columns.length === 0) return null;
  return (
    <div className="surface">
      <Table.ScrollContainer minWidth={520}>
        <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              {columns.map(({ target }) => (
                <Table.Th key={target}>{TARGETS[target]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.rows.slice(0, SAMPLE).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
              <Table.Tr key={at}>
                <Table.Td c="dimmed">{lineOf(at)}</Table.Td>
                {columns.map(({ target, i }) => (
                  <Table.Td key={target}>{row[i]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function ChooseFile({ onChoose }: { onChoose: (file: File) => void }) {
  return (
    <FileDrop title="Drop a CSV of conversions" label="A list of conversions" accept={CSV_FILES} onChoose={onChoose}>
      Its first line names the columns, such as <code>gclid</code>, <code>value</code>, <code>currency</code> and{' '}
      <code>order id</code>. Nothing is reported before you have looked at it.
    </FileDrop>
  );
}
