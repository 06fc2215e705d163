import { type Fault, refuse } from '../shared/errors.ts';
import { isDate, isoTime, parseTimestamp } from '../shared/time.ts';
import { DATASET_NAMES, type ExportParams, type Format, MAX_FIELDS } from './contract.ts';
import { type Column, DATASETS } from './datasets.ts';

/**
 * The body of an export as the job keeps it. Its shape has been checked before; `known` are the faults found there, and
 * what they touch is not looked at again.
 * @throws ApiError 400 with every fault of the request
 */
export function readExportRequest(body: unknown, known: Fault[]): ExportParams {
  const faults = [...known];
  const asked = (body !== null && typeof body === 'object' ? body : {}) as Record<string, unknown>;
  const from = readTime(asked, 'from', faults);
  const to = readTime(asked, 'to', faults);
  if (from !== null && to !== null && from >= to) {
    faults.push({ pointer: '/to', code: 'range_empty', detail: 'must be later than `from`' });
  }
  const dataset = DATASET_NAMES.find((name) => name === asked.dataset);
  const columns: Column[] | undefined = dataset && DATASETS[dataset].columns;
  const fields = Array.isArray(asked.fields) ? asked.fields : undefined;
  if (columns && fields)
    faults.push(
      ...faultsOfFields(
        fields.slice(0, MAX_FIELDS),
        columns.map(({ name }) => name),
      ),
    );
  refuse(faults);
  if (!dataset || !columns) throw new Error('an unknown dataset was not refused');
  return {
    dataset,
    format: asked.format as Format,
    from: from === null ? null : isoTime(from),
    to: to === null ? null : isoTime(to),
    fields: fields ?? columns.flatMap(({ name, onRequest }) => (onRequest ? [] : name)),
  };
}

function readTime(asked: Record<string, unknown>, name: 'from' | 'to', faults: Fault[]): number | null {
  const text = asked[name];
  if (typeof text !== 'string') return null;
  const at = parseTimestamp(isDate(text) ? `${text}T00:00:00Z` : text);
  if (at !== undefined) return at;
  const detail =
    'must be an RFC 3339 time with its offset, such as 2026-11-20T08:00:00Z, or a date, such as 2026-11-20';
  faults.push({ pointer: `/${name}`, code: 'timestamp_invalid', detail });
  return null;
}

function faultsOfFields(fields: unknown[], columns: string[]): Fault[] {
  return fields.flatMap((field, i) => {
    if (typeof field !== 'string') return [];
    const pointer = `/fields/${i}`;
    if (!columns.includes(field)) {
      return [{ pointer, code: 'field_unknown', detail: 'is no column of this dataset' }];
    }
    return fields.indexOf(field) < i ? [{ pointer, code: 'field_repeated', detail: 'is named twice' }] : [];
  });
}
