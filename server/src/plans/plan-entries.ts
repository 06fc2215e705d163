import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Fault, invalid, refuse } from '../shared/errors.ts';
import type { BulkChange, Operation, PlanChange } from './contract.ts';
import type { CallRoute, Draft, PlanKind } from './kind.ts';

const MAX_ENTRIES = 1_000;
const PAGE = 100;

type Values = Readonly<Record<string, unknown>>;
interface Entry {
  id: string;
  values: Values;
  status: string;
  version: number;
  publishedVersion?: number | null;
}

type Versioned = Operation & { version?: number };
/** An operation, and the values that it replaces, to bring them back. */
export interface Planned {
  operation: Versioned;
  before?: Values;
  wasPublished?: boolean;
}
interface Results {
  results: { id: string; version: number }[];
}

const VALUE_MEMBERS = ['values', 'increment', 'append', 'remove', 'merge'] as const;

const fieldsOf = (operation: Operation) => [
  ...new Set(VALUE_MEMBERS.flatMap((name) => Object.keys(operation[name] ?? {}))),
];

/** Plans operations on single entries. */
export async function planEntries(call: CallRoute, operations: readonly Operation[]): Promise<Draft<Planned[]>> {
  const faults: Fault[] = operations.flatMap(({ op, id }, i) => {
    const isMissing = op !== 'create' && id === undefined;
    return isMissing ? [{ pointer: `/operations/${i}/id`, code: 'required', detail: `\`${op}\` needs an ID.` }] : [];
  });
  refuse(faults);
  const entries = new Map<string, Entry>();
  for (const [i, { op, collection, id }] of operations.entries()) {
    if (id === undefined || entries.has(id)) continue;
    const deleted = op === 'restore' ? '?includeDeleted=true' : '';
    const url = `/v1/cms/collections/${encodeURIComponent(collection)}/entries/${encodeURIComponent(id)}${deleted}`;
    const entry = await call<Entry>(`GET ${url}`).catch((error) => unknown(error, `/operations/${i}/id`, faults));
    if (entry) entries.set(id, entry);
  }
  refuse(faults);
  return draftOf(call, operations, entries);
}

/** Plans the same change of all entries that match. */
export async function planBulkChange(
  call: CallRoute,
  { op, collection, where, ...change }: BulkChange,
): Promise<Draft<Planned[]>> {
  const entries = new Map<string, Entry>();
  let pageToken: string | undefined;
  do {
    const faults: Fault[] = [];
    const page = await query(call, collection, { where, ...(pageToken !== undefined && { pageToken }) }).catch(
      (error) => unknown(error, '/collection', faults),
    );
    refuse(faults);
    if (!page) break;
    for (const entry of page.entries) entries.set(entry.id, entry);
    pageToken = page.nextPageToken ?? undefined;
    if (entries.size > MAX_ENTRIES || (entries.size === MAX_ENTRIES && pageToken !== undefined)) throw tooMany();
  } while (pageToken !== undefined);
  if (entries.size === 0) {
    throw invalid([
      { pointer: '/where', code: 'nothing_matches', detail: 'No entry matches, so there is nothing to plan.' },
    ]);
  }
  return draftOf(
    call,
    [...entries.keys()].map((id) => ({ op, collection, id, ...change })),
    entries,
  );
}

const query = (call: CallRoute, collection: string, body: object) =>
  call<{ entries: Entry[]; nextPageToken: string | null }>(
    `POST /v1/cms/collections/${encodeURIComponent(collection)}/entries/query`,
    { ...body, pageSize: PAGE },
  );

/** What is public of the entries that are published again. */
async function readPublished(
  call: CallRoute,
  operations: readonly Operation[],
  entries: ReadonlyMap<string, Entry>,
): Promise<Map<string, Values>> {
  const again = operations.filter(
    ({ op, id = '' }) => op === 'publish' && typeof entries.get(id)?.publishedVersion === 'number',
  );
  const published = new Map<string, Values>();
  for (const [collection, of] of Map.groupBy(again, (operation) => operation.collection)) {
    for (let i = 0; i < of.length; i += PAGE) {
      const where = { id: { in: of.slice(i, i + PAGE).map(({ id }) => id) } };
      const page = await query(call, collection, { where, state: 'published' });
      for (const { id, values } of page.entries) published.set(id, values);
    }
  }
  return published;
}

/** What a body names and does not exist is a fault of the body. */
function unknown(error: unknown, pointer: string, faults: Fault[]): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
  faults.push({ pointer, code: 'not_found', detail: error.message });
}

const tooMany = () =>
  invalid([
    { pointer: '/where', code: 'too_many', detail: `More than ${MAX_ENTRIES} entries match. Plan them in parts.` },
  ]);

async function draftOf(
  call: CallRoute,
  operations: readonly Operation[],
  entries: ReadonlyMap<string, Entry>,
): Promise<Draft<Planned[]>> {
  const versions = new Map<string, number>();
  const planned = operations.map((operation): Planned => {
    const entry = entries.get(operation.id ?? '');
    if (entry === undefined) return { operation };
    // An entry that occurs twice has the next version then.
    const version = versions.get(entry.id) ?? entry.version;
    versions.set(entry.id, operation.op === 'publish' || operation.op === 'unpublish' ? version : version + 1);
    const before = Object.fromEntries(fieldsOf(operation).map((field) => [field, entry.values[field] ?? null]));
    const wasPublished = typeof entry.publishedVersion === 'number';
    return { operation: { ...operation, version }, before, wasPublished };
  });
  const warnings = await check(call, planned);
  const published = await readPublished(call, operations, entries);
  // As the operations before it in the plan leave them.
  const left = new Map([...entries].map(([id, { values }]) => [id, values]));
  const changes = planned.map(({ operation }) => {
    const { op, id = '' } = operation;
    const values = left.get(id) ?? {};
    const after = { ...values, ...changedValues(operation) };
    if (op !== 'create') left.set(id, after);
    // What was not public becomes so as a whole.
    const before = op === 'publish' ? (published.get(id) ?? after) : values;
    return changeOf(operation, entries.get(id), before, after);
  });
  if (changes.some(({ action }) => action === 'publish'))
    warnings.push('Publishing makes entries visible to everyone who may read the collection.');
  if (planned.some(({ operation, wasPublished }) => operation.op === 'publish' && wasPublished)) {
    warnings.push('Undoing leaves entries published that were published before, with the new version.');
  }
  if (planned.some(({ operation, wasPublished }) => operation.op === 'delete' && wasPublished))
    warnings.push('Entries that are public are deleted.');
  return {
    request: planned,
    preview: { summary: summaryOf(operations), rows: planned.length, changes, money: [], warnings },
    state: '',
  };
}

/** Lets the API check the operations. Who may not make the change may propose it all the same. */
async function check(call: CallRoute, planned: readonly Planned[]): Promise<string[]> {
  try {
    await call('POST /v1/cms/batch', { operations: planned.map(({ operation }) => operation), dryRun: true });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'role_insufficient') throw error;
    return ['The values were not checked, as whoever asked may not make this change.'];
  }
}

/** The new values; of an amount to add and the like that, by its name. */
function changedValues(operation: Operation): Values {
  const changed: Record<string, object> = {};
  for (const name of ['increment', 'append', 'remove', 'merge'] as const) {
    for (const [field, value] of Object.entries(operation[name] ?? {}))
      changed[field] = { ...changed[field], [name]: value };
  }
  return { ...changed, ...operation.values };
}

function changeOf(
  { op, id, collection, values }: Operation,
  entry: Entry | undefined,
  before: Values,
  after: Values,
): PlanChange {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => ({
    field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  }));
  const label = Object.values(entry?.values ?? values ?? {}).find((value) => typeof value === 'string' && value !== '');
  return {
    action: op,
    type: 'entry',
    id: id ?? null,
    label: `${collection}: ${String(label ?? id ?? '').slice(0, 100)}`,
    fields: fields.filter((each) => !isDeepStrictEqual(each.before, each.after)),
  };
}

function summaryOf(operations: readonly Operation[]): string {
  const counts = Map.groupBy(operations, ({ op, collection }) => `${op} in ${collection}`);
  return [...counts].map(([what, { length }]) => `${length} × ${what}`).join(', ');
}

const INVERSE = {
  create: 'delete',
  delete: 'restore',
  restore: 'delete',
  publish: 'unpublish',
  unpublish: 'publish',
  update: 'update',
} as const;

/** Operations on entries are one batch: all of them at the versions that were planned, or none. */
export const entriesKind: PlanKind<Planned[], Results['results']> = {
  async apply(call, planned, key) {
    const operations = planned.map(({ operation }) => operation);
    return (await call<Results>('POST /v1/cms/batch', { operations }, { 'idempotency-key': key })).results;
  },
  async undo(call, planned, results, key) {
    const last = new Map(results.map(({ id, version }) => [id, version]));
    const operations = planned.toReversed().flatMap(({ operation, before, wasPublished }, i) => {
      const { op, collection } = operation;
      const { id = '' } = results[planned.length - 1 - i] ?? {};
      if (op === 'publish' && wasPublished) return [];
      // Only the first inverse of an entry finds the version that the plan left.
      const version = last.get(id);
      last.delete(id);
      return [
        {
          op: INVERSE[op],
          collection,
          id,
          ...(version !== undefined && { version }),
          ...(op === 'update' && { values: before }),
        },
      ];
    });
    if (operations.length > 0) await call('POST /v1/cms/batch', { operations }, { 'idempotency-key': key });
  },
};
