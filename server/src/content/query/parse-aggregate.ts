import type { Fault } from '../../shared/errors.ts';
import { rawAsText } from '../../shared/json.ts';
import type { Collection } from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import { parseListing } from '../listing/parse-listing.ts';
import type { AggregateBody, GroupKey, Measure } from './contract.ts';
import { type Having, parseHaving } from './having.ts';
import type { Reader } from './parse-where.ts';
import { findPlace, hintOf, ownerOf } from './paths.ts';
import type { SystemColumn } from './where.ts';

/** Where the values of a key or a measure are. */
export type Source =
  | { kind: 'system'; column: SystemColumn }
  | { kind: 'field'; field: Field; jsonPaths: readonly string[]; isMany: boolean }
  /** Through a reference. `isMany`: an entry can have several values, by this reference or by what follows. */
  | {
      kind: 'reference';
      jsonPaths: readonly string[];
      isMany: boolean;
      targets: { view: Collection; source: Source }[];
    };

export interface Key {
  name: string;
  source: Source;
  by: 'day' | 'week' | 'month' | 'year' | undefined;
  timeZone: string;
}

export interface Aggregated {
  name: string;
  kind: keyof Measure;
  source: Source | undefined;
}

/** What a request asks for. */
export interface Query {
  keys: Key[];
  measures: Aggregated[];
  having: Having | undefined;
  sort: { name: string; descending: boolean }[];
}

export async function parseAggregate(collection: Collection, body: AggregateBody, reader: Reader, faults: Fault[]) {
  const { where, q, groupBy = [], measures: sent, having, sort } = body;
  const parsed = await parseListing(
    collection,
    { ...(where !== undefined && { where }), ...(q !== undefined && { q }) },
    faults,
    reader,
  );
  const keys: Key[] = [];
  for (const [i, key] of groupBy.entries()) {
    const found = await parseKey(collection, key, `/groupBy/${i}`, reader, faults);
    if (found) keys.push(found);
  }
  const measures: Aggregated[] = [];
  for (const [name, measure] of Object.entries(sent)) {
    const found = await parseMeasure(collection, name, measure, `/measures/${name}`, reader, faults);
    if (found) measures.push(found);
  }
  const names = [...keys.map(({ name }) => name), ...Object.keys(sent)];
  const order = (sort ?? '')
    .split(',')
    .filter(Boolean)
    .flatMap((part) => {
      const [, name = '', direction] = /^([^:]+):(asc|desc)$/.exec(part.trim()) ?? [];
      if (direction !== undefined && names.includes(name)) return [{ name, descending: direction === 'desc' }];
      const detail = `Sort by a measure or a key, as <name>:asc or <name>:desc: ${names.join(', ')}.`;
      faults.push({ pointer: '/sort', code: direction === undefined ? 'sort_invalid' : 'field_unknown', detail });
      return [];
    });
  const conditions =
    having === undefined ? undefined : parseHaving(rawAsText(having), kindsOf(sent, measures), '/having', faults);
  return { parsed, keys, measures, having: conditions, sort: order };
}

/** What each measure is compared as; one with a fault as a number. */
function kindsOf(sent: AggregateBody['measures'], measures: readonly Aggregated[]): Map<string, 'number' | 'text'> {
  const isText = ({ kind, source }: Aggregated) =>
    source !== undefined && kind !== 'countDistinct' && !isNumeric(source);
  const texts = new Set(measures.filter(isText).map(({ name }) => name));
  return new Map(Object.keys(sent).map((name) => [name, texts.has(name) ? 'text' : 'number']));
}

async function parseKey(
  collection: Collection,
  key: GroupKey,
  pointer: string,
  reader: Reader,
  faults: Fault[],
): Promise<Key | undefined> {
  const { path, by, timeZone = 'UTC' } = typeof key === 'string' ? { path: key } : key;
  const source = await findSource(collection, path, pointer, reader, faults);
  if (!source) return undefined;
  if (by !== undefined && !hasTime(source)) {
    const detail = `"${path}" is no time or date: only these have periods.`;
    faults.push({ pointer: `${pointer}/by`, code: 'operator_not_allowed', detail });
  }
  if (!isTimeZone(timeZone)) {
    faults.push({
      pointer: `${pointer}/timeZone`,
      code: 'time_zone_unknown',
      detail: `"${timeZone.slice(0, 60)}" is no IANA time zone.`,
    });
    return undefined;
  }
  return { name: path, source, by, timeZone };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name);
  } catch {
    return false;
  }
}

async function parseMeasure(
  collection: Collection,
  name: string,
  measure: Measure,
  pointer: string,
  reader: Reader,
  faults: Fault[],
): Promise<Aggregated | undefined> {
  const fault = (at: string, detail: string): undefined =>
    void faults.push({ pointer: at, code: 'not_allowed', detail });
  if (name === 'key') return fault(pointer, 'Each group has its "key" under this name. Name the measure otherwise.');
  const [found] = Object.entries(measure) as [keyof Measure, string | boolean][];
  const [kind, path] = found ?? (['count', true] as const);
  if (kind === 'count') {
    if (path !== true) return fault(`${pointer}/count`, 'Write count as `{"count": true}`.');
    return { name, kind, source: undefined };
  }
  const at = `${pointer}/${kind}`;
  const source = await findSource(collection, String(path), at, reader, faults);
  if (!source) return undefined;
  const isAllowed =
    kind === 'countDistinct' || (kind === 'sum' || kind === 'avg' ? isNumeric(source) : isOrdered(source));
  if (!isAllowed) {
    faults.push({ pointer: at, code: 'operator_not_allowed', detail: `"${String(path)}" has no ${kind}.` });
    return undefined;
  }
  return { name, kind, source };
}

async function findSource(
  collection: Collection,
  path: string,
  pointer: string,
  reader: Reader,
  faults: Fault[],
  references = 0,
): Promise<Source | undefined> {
  const fault = (code: string, detail: string): undefined => void faults.push({ pointer, code, detail });
  const place = findPlace(ownerOf(collection, reader.isPublic), path.split('.'));
  switch (place.kind) {
    case 'system':
      return place;
    case 'unknown':
      return fault(
        'field_unknown',
        `There is no active field with the ID "${place.name.slice(0, 100)}".${hintOf(place)}`,
      );
    case 'rows':
      return fault('operator_not_allowed', `Name a field of "${place.field.label}".`);
    case 'field': {
      const { field, jsonPaths, isInRows } = place;
      if (typeOf(field).structure === 'fields')
        return fault('operator_not_allowed', `Name a field of "${field.label}".`);
      if (typeOf(field).structure === 'reference' && reader.isPublic) {
        // By the entries that everyone can read: a reference to another one does not exist.
        const views = await reader.load(field.collectionIds ?? []);
        if (views.length === 0)
          return fault('field_unknown', `"${path.slice(0, 200)}" leads to nothing that can be read.`);
        const targets = views.map((view) => ({ view, source: { kind: 'system', column: 'id' } as const }));
        return { kind: 'reference', jsonPaths, isMany: isInRows || field.repeated, targets };
      }
      return { kind: 'field', field, jsonPaths, isMany: isInRows || field.repeated };
    }
    case 'reference': {
      if (references >= LIMITS.expandDepth) {
        return fault('too_deep', `A path leads through at most ${LIMITS.expandDepth} references.`);
      }
      const targets: Extract<Source, { kind: 'reference' }>['targets'] = [];
      let failed: Fault[] = [];
      for (const view of await reader.load(place.field.collectionIds ?? [])) {
        const own: Fault[] = [];
        const source = await findSource(view, place.rest.join('.'), pointer, reader, own, references + 1);
        if (source) targets.push({ view, source });
        else failed = own;
      }
      if (targets.length === 0) {
        if (failed.length === 0)
          return fault('field_unknown', `"${path.slice(0, 200)}" leads to nothing that can be read.`);
        faults.push(...failed);
        return undefined;
      }
      const { field, jsonPaths, isInRows } = place;
      const isMany = isInRows || field.repeated || targets.some(({ source }) => isManyOf(source));
      return { kind: 'reference', jsonPaths, isMany, targets };
    }
  }
}

const isManyOf = (source: Source): boolean => source.kind !== 'system' && source.isMany;

/** Whether something holds of what a path leads to, in every collection. */
export const every = (
  source: Source,
  ofField: (field: Field) => boolean,
  ofColumn: (column: SystemColumn) => boolean,
): boolean =>
  source.kind === 'system'
    ? ofColumn(source.column)
    : source.kind === 'field'
      ? ofField(source.field)
      : source.targets.every((target) => every(target.source, ofField, ofColumn));
export const isNumeric = (source: Source) =>
  every(
    source,
    ({ type }) => type === 'number',
    (column) => column === 'version',
  );
const isOrdered = (source: Source) =>
  every(
    source,
    (field) => typeOf(field).isSortable,
    () => true,
  );
export const isTime = (column: SystemColumn) => column.endsWith('At');
const hasTime = (source: Source) =>
  every(source, ({ type, format }) => (type === 'date' || type === 'timestamp') && format === undefined, isTime);
export const isDate = (source: Source) =>
  every(
    source,
    ({ type }) => type === 'date',
    () => false,
  );
export const isSystem = (source: Source, is: (column: SystemColumn) => boolean) => every(source, () => false, is);
