import type { ConversionResult } from '@headwater/sdk';
import {
  Alert,
  Badge,
  Box,
  Button,
  Group,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { headwater } from '../service/session.ts';
import { formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { saveText } from '../shared/save-text.ts';
import { Empty } from '../shared/states.tsx';
import { faultOf, guessTargets, itemOf, TARGETS, type Target } from './columns.ts';
import { readCsv, writeCsv } from './csv.ts';
import { RESULT_TEXTS, reportAll } from './results.ts';

interface List {
  name: string;
  headings: string[];
  rows: string[][];
}

/** A CSV of conversions: what its columns are, what is wrong with it, and then, row by row, what became of it. */
export function UploadList() {
  const [list, setList] = useState<List>();
  const [targets, setTargets] = useState<(Target | null)[]>([]);
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: ({ rows }: List) =>
      reportAll(
        (items) => headwater.reportConversion(items, { timeoutMs: 120_000 }),
        rows.map((row) => itemOf(row, targets)),
        setDone,
      ),
  });
  const open = async (file: File) => {
    const [headings = [], ...rows] = readCsv(await file.text());
    setList({ name: file.name, headings, rows });
    setTargets(guessTargets(headings));
    setDone(0);
    mutation.reset();
  };
  if (!list) return <ChooseFile onChoose={open} />;
  if (mutation.data) return <Results list={list} results={mutation.data} onAgain={() => setList(undefined)} />;
  const faults = list.rows.map((row) => faultOf(itemOf(row, targets)));
  const faulty = faults.filter((fault) => fault !== undefined).length;
  return (
    <Stack>
      <Stack className="surface" p="lg">
        <Group justify="space-between">
          <Title order={2}>{list.name}</Title>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setList(undefined)}>
            Another file
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          What is in the columns? Each conversion needs one identifier, and only one.
        </Text>
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
              onChange={(next) =>
                setTargets(targets.map((target, at) => (at === i ? (next as Target | null) : target)))
              }
              clearable
              searchable
            />
          ))}
        </SimpleGrid>
      </Stack>
      <Preview list={list} targets={targets} faults={faults} />
      {mutation.isPending && <Progress value={(done / list.rows.length) * 100} aria-label="Progress of the report" />}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {formatNumber(list.rows.length)} conversions
          {faulty > 0
            ? `, of which ${formatNumber(faulty)} will not be accepted as they are`
            : ', nothing wrong with any'}
          .
        </Text>
        <Button
          loading={mutation.isPending}
          disabled={list.rows.length === faulty}
          onClick={() => mutation.mutate(list)}
        >
          Report them
        </Button>
      </Group>
    </Stack>
  );
}

function ChooseFile({ onChoose }: { onChoose: (file: File) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = [...(files ?? [])];
    if (file) onChoose(file);
  };
  return (
    <Box
      className="drop-zone"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        ref={picker}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        aria-label="A list of conversions"
        onChange={(event) => take(event.currentTarget.files)}
      />
      <Empty
        icon="upload"
        title="Drop a CSV of conversions"
        action={
          <Button leftSection={<Icon name="upload" size={16} />} onClick={() => picker.current?.click()}>
            Choose a file
          </Button>
        }
      >
        Its first line names the columns, such as <code>gclid</code>, <code>value</code>, <code>currency</code> and{' '}
        <code>order id</code>. Nothing is reported before you have looked at it.
      </Empty>
    </Box>
  );
}

const SHOWN = 8;

function Preview({
  list,
  targets,
  faults,
}: {
  list: List;
  targets: (Target | null)[];
  faults: (string | undefined)[];
}) {
  // What is wrong comes first: it is what somebody has to look at.
  const order = list.rows
    .map((_, i) => i)
    .sort((a, b) => Number(faults[a] === undefined) - Number(faults[b] === undefined) || a - b);
  return (
    <div className="surface">
      <Table.ScrollContainer minWidth={520}>
        <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              {targets.map((target, i) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                target === null ? null : <Table.Th key={i}>{TARGETS[target]}</Table.Th>,
              )}
              <Table.Th>Check</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {order.slice(0, SHOWN).map((at) => (
              <Table.Tr key={at}>
                <Table.Td c="dimmed">{at + 2}</Table.Td>
                {targets.map((target, i) =>
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                  target === null ? null : <Table.Td key={i}>{list.rows[at]?.[i]}</Table.Td>,
                )}
                <Table.Td c={faults[at] ? 'var(--worse)' : 'var(--better)'}>{faults[at] ?? 'Ready'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

const COLORS = { reported: 'teal', unmatched: 'gray', failed: 'red' };

function Results({ list, results, onAgain }: { list: List; results: ConversionResult[]; onAgain: () => void }) {
  const count = (status: ConversionResult['status']) => results.filter((each) => each.status === status).length;
  const others = results.flatMap((result, i) => (result.status === 'reported' ? [] : [{ result, line: i + 2 }]));
  const csv = writeCsv([
    [...list.headings, 'status', 'reason'],
    ...list.rows.map((row, i) => [
      ...list.headings.map((_, at) => row[at] ?? ''),
      results[i]?.status ?? '',
      results[i]?.reason ?? '',
    ]),
  ]);
  return (
    <Stack>
      <Group className="surface" p="lg" justify="space-between" role="status">
        <Group gap="lg">
          {(['reported', 'unmatched', 'failed'] as const).map((status) => (
            <div key={status}>
              <Text fz={24} fw={620} className="number">
                {formatNumber(count(status))}
              </Text>
              <Text size="sm" c="dimmed">
                {RESULT_TEXTS[status].title}
              </Text>
            </div>
          ))}
        </Group>
        <Group>
          <Button variant="subtle" onClick={() => saveText(`results of ${list.name}`, 'text/csv', csv)}>
            Download the results
          </Button>
          <Button variant="default" onClick={onAgain}>
            Another list
          </Button>
        </Group>
      </Group>
      {count('unmatched') > 0 && (
        <Alert variant="light" color="gray">
          {RESULT_TEXTS.unmatched.detail}
        </Alert>
      )}
      {others.length > 0 && (
        <div className="surface">
          <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={80}>Line</Table.Th>
                <Table.Th w={140}>Result</Table.Th>
                <Table.Th>Why</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {others.slice(0, 100).map(({ result, line }) => (
                <Table.Tr key={line}>
                  <Table.Td c="dimmed">{line}</Table.Td>
                  <Table.Td>
                    <Badge variant="light" color={COLORS[result.status]} tt="none" fw={500}>
                      {RESULT_TEXTS[result.status].title}
                    </Badge>
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'normal' }}>
                    {result.reason ?? RESULT_TEXTS[result.status].detail}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {others.length > 100 && (
        <Text size="sm" c="dimmed">
          The first 100 of {formatNumber(others.length)}; the download has them all.
        </Text>
      )}
    </Stack>
  );
}
