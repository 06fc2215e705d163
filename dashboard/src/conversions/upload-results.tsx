import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { t } from '../languages/translate.ts';
import { downloadText } from '../shared/download-text.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import type { BatchRun } from './batch-run.ts';
import type { Target } from './columns.ts';
import { writeCsvRow } from './csv.ts';
import { CsvRows } from './csv-rows.tsx';
import { OUTCOME_LABELS, type OutcomeType, UNMATCHED_HINT } from './outcomes.ts';
import type { UploadedCsv } from './uploaded-csv.ts';

interface UploadResultsProps {
  csv: UploadedCsv;
  targets: (Target | null)[];
  run: BatchRun;
  /** The run is the dry run, not the import. */
  isPreview: boolean;
  hasOrderIds: boolean;
  /** Of the upload, once it has started. */
  importId: string | undefined;
  onImport: () => void;
  onBack: () => void;
  onClose: () => void;
}

/** Progress and results of the preview or the import of a file, with the next steps. */
export function UploadResults(props: UploadResultsProps) {
  const { csv, targets, run, isPreview, hasOrderIds, importId, onImport, onBack, onClose } = props;
  const { counts, done, total, isRunning, isFinished } = run;
  const types: OutcomeType[] = isPreview
    ? ['create', 'update', 'unmatched', 'failed']
    : ['reported', 'unmatched', 'failed'];
  const importable = total - (counts.failed ?? 0) - (counts.skipped ?? 0);
  return (
    <Stack>
      <Stack className="surface" p="lg">
        <Group gap="xl">
          {[...types, ...(counts.skipped ? (['skipped'] as const) : [])].map((type) => (
            <div key={type}>
              <Text fz={24} fw={620} className="number">
                {formatNumber(counts[type] ?? 0)}
              </Text>
              <Text size="sm" c="dimmed">
                {OUTCOME_LABELS[type]}
              </Text>
            </div>
          ))}
        </Group>
        {isRunning && (
          <Progress
            value={(done / total) * 100}
            aria-label={isPreview ? t('Progress of the preview') : t('Progress of the import')}
          />
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {statusOf(run, isPreview)}
          </Text>
          <Group>
            {isRunning && (
              <Button variant="default" onClick={() => run.stop()}>
                {t('Stop')}
              </Button>
            )}
            {!isRunning && done > 0 && (
              <Button variant="subtle" onClick={() => downloadResults(csv, run)}>
                {t('Download results')}
              </Button>
            )}
            {!isRunning && importId !== undefined && (
              <IconButton icon="restore" variant="default" to={`/conversions/imports/${importId}`}>
                {t('View import')}
              </IconButton>
            )}
            {!isRunning && !isFinished && <Button onClick={() => void run.start()}>{t('Resume')}</Button>}
            {!isRunning && (
              <Button variant="default" onClick={isPreview ? onBack : onClose}>
                {isPreview ? t('Edit columns') : t('Upload another file')}
              </Button>
            )}
            {isPreview && isFinished && (
              <Button disabled={importable === 0} onClick={onImport}>
                {t('Import {importable}', { importable: formatNumber(importable) })}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
      {!isRunning && run.error !== undefined && (
        <Alert variant="light" color="red" role="alert" title={errorMessage(run.error).title}>
          {t('{detail} Resume sends the last rows again. They are not counted twice.', {
            detail: errorMessage(run.error).detail,
          })}
        </Alert>
      )}
      {isPreview && isFinished && !hasOrderIds && (counts.create ?? 0) > 0 && (
        <Alert variant="light" color="yellow" title={t('No order IDs')}>
          {t(
            'If this file or a part of it was imported before, importing it again creates the same conversions again.',
          )}
        </Alert>
      )}
      {!isRunning && (counts.unmatched ?? 0) > 0 && (
        <Alert variant="light" color="gray">
          {UNMATCHED_HINT}
        </Alert>
      )}
      {!isRunning && done > 0 && <ResultRows csv={csv} targets={targets} run={run} types={types} />}
    </Stack>
  );
}

function statusOf({ done, total, isRunning, isFinished }: BatchRun, isPreview: boolean): string {
  const rows = t('{done} of {total} rows', { done: formatNumber(done), total: formatNumber(total) });
  if (isRunning) return isPreview ? t('Checking: {rows}.', { rows }) : t('Importing: {rows}.', { rows });
  if (isFinished && !isPreview) return t('Imported all {total} rows.', { total: formatNumber(total) });
  if (isFinished) return t('Checked all {total} rows. Nothing has been imported yet.', { total: formatNumber(total) });
  if (isPreview) return t('The preview stopped after {rows}.', { rows });
  return t('Stopped after line {done}: {rows} were sent.', { done: formatNumber(done + 1), rows });
}

const PAGE_SIZE = 50;

interface ResultRowsProps {
  csv: UploadedCsv;
  targets: (Target | null)[];
  run: BatchRun;
  types: OutcomeType[];
}

/** The rows of one outcome, page by page; the most severe outcome first. */
function ResultRows({ csv, targets, run, types }: ResultRowsProps) {
  const found = [...types].reverse().filter((type) => run.counts[type]);
  const [type, setType] = useState<OutcomeType | undefined>(found[0]);
  const [page, setPage] = useState(0);
  const shown = type !== undefined && found.includes(type) ? type : found[0];
  const { done, outcomes } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: outcomes is one array that grows with done
  const rows = useMemo(
    () => outcomes.flatMap((outcome, row) => (outcome.type === shown ? [row] : [])),
    [outcomes, done, shown],
  );
  if (shown === undefined) return null;
  const first = page * PAGE_SIZE;
  const last = Math.min(first + PAGE_SIZE, rows.length);
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t('Rows')}
        value={shown}
        onChange={(next) => {
          setType(next as OutcomeType);
          setPage(0);
        }}
        data={found.map((value) => ({
          value,
          label: `${OUTCOME_LABELS[value]} (${formatNumber(run.counts[value] ?? 0)})`,
        }))}
        style={{ alignSelf: 'flex-start' }}
      />
      <CsvRows csv={csv} targets={targets} rows={rows.slice(first, last)} reasonOf={(row) => outcomes[row]?.reason} />
      {rows.length > PAGE_SIZE && (
        <Group justify="flex-end" gap="xs">
          <Text size="sm" c="dimmed" className="number">
            {t('{first} to {last} of {count}', {
              first: formatNumber(first + 1),
              last: formatNumber(last),
              count: formatNumber(rows.length),
            })}
          </Text>
          <Button variant="default" size="compact-sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t('Previous')}
          </Button>
          <Button variant="default" size="compact-sm" disabled={last === rows.length} onClick={() => setPage(page + 1)}>
            {t('Next')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** The uploaded file with the result of each row. */
function downloadResults({ name, headings, rows }: UploadedCsv, { outcomes }: BatchRun): void {
  const lines = rows.map((row, i) => {
    const outcome = outcomes[i];
    const result = outcome ? OUTCOME_LABELS[outcome.type] : t('Not sent');
    return writeCsvRow([...headings.map((_, at) => row[at] ?? ''), result, outcome?.reason ?? '']);
  });
  downloadText(
    t('results of {name}', { name }),
    'text/csv',
    [writeCsvRow([...headings, 'result', 'reason']), ...lines].join(''),
  );
}
