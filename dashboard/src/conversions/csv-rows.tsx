import { t } from '../languages/translate.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { TARGETS, type Target } from './columns.ts';
import { lineOf, type UploadedCsv } from './uploaded-csv.ts';

interface CsvRowsProps {
  csv: UploadedCsv;
  targets: readonly (Target | null)[];
  /** The indexes of the rows. */
  rows: readonly number[];
  reasonOf?: (row: number) => string | undefined;
  /** Shows the conversion times as they are read. */
  timeOf?: (row: number) => string | undefined;
}

/** Rows of the file with their mapped columns. */
export function CsvRows({ csv, targets, rows, reasonOf, timeOf }: CsvRowsProps) {
  const columns = targets.flatMap((target, i): Column<number>[] => {
    if (target === null) return [];
    const cell = (row: number) => csv.rows[row]?.[i];
    const note = (row: number) => timeOf && cell(row) && formatTime(timeOf(row));
    return [{ id: target, label: TARGETS[target], cell, ...(target === 'createdOn' && { note }) }];
  });
  if (columns.length === 0) return null;
  return (
    <DataTable
      label={t('Rows')}
      query={{ data: rows }}
      isDense
      rowKey={(row) => row}
      columns={[
        { id: 'line', label: t('Line'), isDimmed: true, cell: lineOf },
        ...columns,
        ...(reasonOf ? [{ id: 'reason', label: t('Reason'), isWrapped: true, cell: reasonOf }] : []),
      ]}
    />
  );
}

const formatTime = (time: string | undefined) => (time ? formatDateTime(time) : t('Unreadable'));
