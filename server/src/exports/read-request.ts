import { type Fault, refuse } from '../shared/errors.ts';
import { isDate, isoTime, parseTimestamp, startOfDay } from '../shared/time.ts';
import { DATASET_NAMES, type ExportParams, type ExportRequest } from './contract.ts';
import { DATASETS } from './datasets/index.ts';
import { LIMITS } from './limits.ts';

export const BOM_NOT_ALLOWED: Fault = {
  pointer: '/bom',
  code: 'not_allowed',
  detail: 'Only a CSV can start with a byte order mark. Leave out `bom`.',
};

/**
 * Turns the body of an export request into the parameters of its job. The body may have failed schema validation with
 * `known` faults: only members of the right type are checked further, so that one response lists every fault.
 * @param timeZone in which days start
 * @throws ApiError 400 with every fault of the request
 */
export function readExportRequest(body: unknown, known: Fault[], timeZone: string): ExportParams {
  const faults = [...known];
  const sent: Record<string, unknown> = body !== null && typeof body === 'object' ? { ...body } : {};
  const from = readTime(sent.from, '/from', timeZone, faults);
  const to = readTime(sent.to, '/to', timeZone, faults);
  if (from !== null && to !== null && from >= to) {
    faults.push({ pointer: '/to', code: 'range_empty', detail: '`to` must be later than `from`.' });
  }
  const asKnownOn = readTime(sent.asKnownOn, '/asKnownOn', timeZone, faults);
  const name = DATASET_NAMES.find((each) => each === sent.dataset);
  const { columns } = name ? DATASETS[name] : { columns: [] };
  if (sent.asKnownOn !== undefined && name && !DATASETS[name].tableAt) {
    const detail = 'Only `conversions` can be exported as they were known at a time. Leave out `asKnownOn`.';
    faults.push({ pointer: '/asKnownOn', code: 'not_allowed', detail });
  }
  const names = columns.map((column) => column.name);
  if (name && Array.isArray(sent.fields)) checkFields(sent.fields.slice(0, LIMITS.fields), names, faults);
  if (sent.bom === true && sent.format !== 'csv') faults.push(BOM_NOT_ALLOWED);
  refuse(faults);
  // Valid from here on.
  const { dataset, format, fields, bom } = sent as ExportRequest;
  return {
    dataset,
    format,
    from: from === null ? null : isoTime(from),
    to: to === null ? null : isoTime(to),
    ...(asKnownOn !== null && { asKnownOn: isoTime(asKnownOn) }),
    fields: fields ?? columns.flatMap((column) => (column.isOptional ? [] : column.name)),
    ...(bom && { bom }),
  };
}

function readTime(text: unknown, pointer: string, timeZone: string, faults: Fault[]): number | null {
  if (typeof text !== 'string') return null;
  const time = isDate(text) ? startOfDay(text, timeZone) : parseTimestamp(text);
  if (time !== undefined) return time;
  const detail =
    'The time is unreadable. Use RFC 3339 with an offset, such as 2026-11-20T08:00:00Z, or a date, such as 2026-11-20.';
  faults.push({ pointer, code: 'timestamp_invalid', detail });
  return null;
}

function checkFields(fields: unknown[], columns: string[], faults: Fault[]): void {
  for (const [i, field] of fields.entries()) {
    if (typeof field !== 'string') continue;
    const pointer = `/fields/${i}`;
    if (!columns.includes(field)) {
      const detail = `The dataset has no column "${field}". Use one of: ${columns.join(', ')}.`;
      faults.push({ pointer, code: 'field_unknown', detail });
    } else if (fields.indexOf(field) < i) {
      faults.push({ pointer, code: 'field_repeated', detail: `Name each column once: "${field}" is repeated.` });
    }
  }
}
