import { Alert, Button, Checkbox, Group, Loader, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { rich, t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { CSV_FILES, FileDrop } from '../shared/file-drop.tsx';
import { formatDateTime, formatNumber } from '../shared/formats.ts';
import { LeaveGuard } from '../shared/leave-guard.tsx';
import { displayTimeZone } from '../shared/time-zone.ts';
import { BatchRun, useRun } from './batch-run.ts';
import { guessTargets, IDENTIFIERS, itemOf, TARGETS, type Target } from './columns.ts';
import { IMPORTS_KEY } from './conversion-imports.tsx';
import { type DateOrder, needsDateOrder, provenDateOrder, readTime } from './conversion-times.ts';
import { readCsv } from './csv.ts';
import { CsvRows } from './csv-rows.tsx';
import { DateOrderSelect } from './date-order-select.tsx';
import { dryRunOutcome, outcomeOf, sendReadable } from './outcomes.ts';
import { findUpload, newRunId, storeUpload, uploadKey } from './upload-progress.ts';
import { UploadResults } from './upload-results.tsx';
import { digestOf, lineOf, type UploadedCsv } from './uploaded-csv.ts';

type Targets = (Target | null)[];

const TIMEOUT_MS = 120_000;

/** A CSV of conversions of any length: column targets, preview by a dry run, import, results. */
export function CsvUpload() {
  const [csv, setCsv] = useState<UploadedCsv>();
  const [isReading, setIsReading] = useState(false);
  const open = async (file: File) => {
    setIsReading(true);
    const text = await file.text();
    const [headings = [], ...rows] = await readCsv(text);
    setCsv({ name: file.name, digest: digestOf(text), headings, rows });
    setIsReading(false);
  };
  if (isReading) {
    return (
      <Group className="surface" p="lg" role="status">
        <Loader size="sm" />
        <Text size="sm">{t('Reading the file')}</Text>
      </Group>
    );
  }
  if (csv) return <OpenCsv key={csv.digest} csv={csv} onClose={() => setCsv(undefined)} />;
  return (
    <FileDrop
      title={t('Drop a CSV of conversions')}
      label={t('CSV file of conversions')}
      accept={CSV_FILES}
      onChoose={open}
    >
      {rich(
        'The first line names the columns, such as <code>gclid</code>, <code>value</code>, <code>currency</code> and <code>order id</code>. Nothing is imported before you have seen a preview.',
        { code: (text) => <code>{text}</code> },
      )}
    </FileDrop>
  );
}

function OpenCsv({ csv, onClose }: { csv: UploadedCsv; onClose: () => void }) {
  const { account } = useSession();
  const [targets, setTargets] = useState(() => guessTargets(csv.headings));
  const [skipsSent, setSkipsSent] = useState(true);
  const [preview, setPreview] = useState<BatchRun>();
  const [upload, setUpload] = useState<BatchRun>();
  const [importId, setImportId] = useState<string>();
  const run = useRun(upload ?? preview);
  const timeColumn = targets.indexOf('createdOn');
  const times = useMemo(() => csv.rows.map((row) => row[timeColumn]?.trim() ?? ''), [csv, timeColumn]);
  const [chosenOrder, setDateOrder] = useState<DateOrder | null>(null);
  const dateOrder = chosenOrder ?? provenDateOrder(times);
  const asksDateOrder = needsDateOrder(times);
  const key = uploadKey(account.id, csv, targets, dateOrder);
  // Read once: the upload itself updates the stored progress.
  const earlier = useMemo(() => findUpload(key), [key]);
  const skipped = earlier && skipsSent ? earlier.sent : 0;
  const total = csv.rows.length;
  const timeOf = (row: number) => readTime(times[row] ?? '', dateOrder);
  /** The conversions of some rows; undefined where the time is unreadable: such a row must not be dated today. */
  const itemsOf = (from: number, to: number) =>
    csv.rows.slice(from, to).map((row, i) => {
      const { createdOn, knownAt, ...item } = itemOf(row, targets);
      const known = typeof knownAt === 'string' ? readTime(knownAt, dateOrder) : undefined;
      if (knownAt !== undefined && known === undefined) return undefined;
      const dated = { ...item, ...(known !== undefined && { knownAt: known }) };
      if (createdOn === undefined) return dated;
      const time = timeOf(from + i);
      return time === undefined ? undefined : { ...dated, createdOn: time };
    });

  const startPreview = () => {
    const lines = new Map<string, number>();
    const next = new BatchRun({
      total,
      skipped,
      finishesBatch: false,
      send: async (from, to, signal) => {
        const items = itemsOf(from, to);
        return sendReadable(
          items,
          (readable) => headwater.dryRunConversion(readable, { signal, timeoutMs: TIMEOUT_MS }),
          (result, item, i) => {
            const { eventId } = item;
            if (eventId == null || result.status !== 'reported') return dryRunOutcome(result, undefined);
            // The service sees one batch at a time and cannot compare order IDs across batches.
            const earlierLine = lines.get(eventId);
            lines.set(eventId, lineOf(from + i));
            return dryRunOutcome(result, earlierLine);
          },
        );
      },
    });
    setPreview(next);
    void next.start();
  };
  const startUpload = async () => {
    const { runId, importId } =
      skipped > 0 && earlier
        ? earlier
        : { runId: newRunId(), importId: (await headwater.createConversionImport({ name: csv.name })).id };
    const store = (sent: number) => storeUpload({ key, runId, importId, sent, total, at: new Date().toISOString() });
    // Stored before the first request: a batch without a response is sent again with the same idempotency key.
    store(skipped);
    const next = new BatchRun({
      total,
      skipped,
      finishesBatch: true,
      send: async (from, to) => {
        const options = { timeoutMs: TIMEOUT_MS, idempotencyKey: `${runId}-${from}` };
        return sendReadable(
          itemsOf(from, to),
          (items) => headwater.reportImportedConversions({ importId }, items, options),
          outcomeOf,
        );
      },
      onProgress: store,
    });
    setImportId(importId);
    setUpload(next);
    await next.start();
    void queryClient.invalidateQueries({ queryKey: IMPORTS_KEY });
  };
  const uploading = useMutation({ mutationFn: startUpload });

  const hasIdentifier = targets.some((target) => target !== null && target in IDENTIFIERS);
  const hasOrderIds = targets.includes('eventId');
  if (run) {
    return (
      <>
        <UploadResults
          csv={csv}
          targets={targets}
          run={run}
          isPreview={upload === undefined}
          hasOrderIds={hasOrderIds}
          importId={importId}
          onImport={() => uploading.mutate()}
          onBack={() => setPreview(undefined)}
          onClose={onClose}
        />
        <LeaveGuard
          shouldBlock={() => upload?.isRunning === true}
          title={t('Stop the import and leave?')}
          action={t('Stop and leave')}
          cancel={t('Stay')}
        >
          {t('The import is still running. You can resume it later with the same file.')}
        </LeaveGuard>
      </>
    );
  }
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
        <Text size="sm" c="dimmed">
          {t('Map each column. Every conversion needs exactly one identifier.')}
        </Text>
        <ColumnTargets csv={csv} targets={targets} onChange={setTargets} />
      </Card>
      {asksDateOrder && <DateOrderSelect value={dateOrder} onChange={setDateOrder} />}
      {timeColumn >= 0 && (
        <Text size="sm" c="dimmed">
          {t('Times without a time zone are in {displayTimeZone}.', { displayTimeZone: displayTimeZone() })}
        </Text>
      )}
      <CsvRows csv={csv} targets={targets} rows={[0, 1, 2, 3].slice(0, total)} timeOf={timeOf} />
      {!hasOrderIds && (
        <Alert variant="light" color="yellow" title={t('No order ID column')}>
          {t('Conversions are deduplicated by order ID. Without it, importing this file again creates them again.')}
        </Alert>
      )}
      {earlier && (
        <Alert
          variant="light"
          color="blue"
          title={t('This file was imported {at}', { at: formatDateTime(earlier.at) })}
        >
          <Checkbox
            checked={skipsSent}
            onChange={(event) => setSkipsSent(event.currentTarget.checked)}
            label={
              earlier.sent === total
                ? t('Skip all {total} rows', { total: formatNumber(total) })
                : t('Skip the first {sent} of {total} rows, which were imported', {
                    sent: formatNumber(earlier.sent),
                    total: formatNumber(total),
                  })
            }
          />
        </Alert>
      )}
      <Group justify="space-between">
        <Text size="sm" role="status">
          {hasIdentifier
            ? t('{total} conversions. The preview does not import anything.', { total: formatNumber(total - skipped) })
            : t('Choose the column with the identifier: a click ID or a session hash.')}
        </Text>
        <Button
          disabled={!hasIdentifier || skipped === total || (asksDateOrder && dateOrder === null)}
          onClick={startPreview}
        >
          {t('Preview')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ColumnTargetsProps {
  csv: UploadedCsv;
  targets: Targets;
  onChange: (targets: Targets) => void;
}

function ColumnTargets({ csv, targets, onChange }: ColumnTargetsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {csv.headings.map((heading, i) => (
        <Select
          // biome-ignore lint/suspicious/noArrayIndexKey: headings are not unique
          key={i}
          label={heading || t('Column {i}', { i: i + 1 })}
          description={csv.rows[0]?.[i] ? t('Example: {rows}', { rows: csv.rows[0][i] }) : t('First row is empty')}
          placeholder={t('Skip')}
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
