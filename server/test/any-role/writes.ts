import type { Oracle, Snapshot, Stored } from './oracle.ts';
import { ACTIONS, pick, type Random } from './random-role.ts';
import type { World, WorldCollection, WorldField } from './world.ts';

export interface Write {
  request: string;
  body?: unknown;
  /** Whether the oracle allows all of it, where that is decided by one rule. */
  isAllowed?: boolean;
}

/** A change of some kind of a random entry, allowed or not. */
export function writeOf(random: Random, world: World, oracle: Oracle, count: number): Write {
  // Mostly what may succeed, so that it can also go too far.
  const mayChange = ({ key }: WorldCollection) =>
    ACTIONS.some((action) => action !== 'read' && oracle.permission(key, action));
  const likely = world.collections.filter(mayChange);
  const isLikely = random() < 0.8;
  const collection = pick(random, isLikely && likely.length > 0 ? likely : world.collections);
  const { id: collectionId, key } = collection;
  const path = `/v1/cms/collections/${collectionId}`;
  const seen = [...oracle.entries.values()].filter((each) => each.collection === key && oracle.sees(each));
  const entryId = pick(random, isLikely && seen.length > 0 ? seen.map((each) => each.id) : collection.entries);
  const entry = oracle.entries.get(entryId);
  const at = `${path}/entries/${entryId}`;
  const isWritable = ({ id }: WorldField) => oracle.mayWrite(key, 'update', id) || oracle.mayWrite(key, 'create', id);
  const writable = collection.fields.filter(isWritable);
  const fields = isLikely && writable.length > 0 ? writable : collection.fields;
  const values = someValues(random, world.me, fields, collection.entries, count);
  const where = pick(random, [{}, { [pick(random, collection.fields).id]: { exists: true } }]);
  const code = collection.fields.find(({ id }) => id.endsWith('_code'))?.id ?? 'x_code';
  const codeOf = pick(random, [`new${count}`, String(entry?.values[code] ?? 'x')]);
  const version = Math.max(1, (entry?.version ?? 1) - 1);
  const patch = (): Write => {
    const [one] = Object.entries(values);
    const sent = one ? { [one[0]]: one[1] } : {};
    return { request: `PATCH ${at}`, body: { values: sent }, ...allowed(oracle, collection, entry, sent) };
  };
  const operation = () =>
    pick(random, [
      { op: 'create', collection: collectionId, values },
      { op: 'update', collection: collectionId, id: entryId, values },
      { op: 'upsert', collection: key, by: { [code]: codeOf }, values },
      { op: 'delete', collection: collectionId, id: entryId },
      { op: 'restore', collection: collectionId, id: entryId },
      { op: 'publish', collection: collectionId, id: entryId },
      { op: 'unpublish', collection: collectionId, id: entryId },
    ]);
  const kinds: (() => Write)[] = [
    patch,
    patch,
    () => ({ request: `POST ${path}/entries`, body: { values } }),
    () => ({ request: `PATCH ${at}`, body: { values } }),
    () => ({ request: `DELETE ${at}` }),
    () => ({ request: `DELETE ${at}?permanently=true` }),
    () => ({ request: `PATCH ${at}`, body: { status: 'active' } }),
    () => ({ request: `PATCH ${at}`, body: { status: 'deleted', values } }),
    () => ({ request: `POST ${at}/publish`, body: pick(random, [{}, { locales: ['de'] }, { locales: ['en'] }]) }),
    () => ({ request: `POST ${at}/unpublish`, body: pick(random, [{}, { locales: ['de'] }]) }),
    () => ({ request: `POST ${at}/discard-draft` }),
    () => ({ request: `POST ${at}/duplicate`, body: pick(random, [{}, { values }]) }),
    () => ({ request: `POST ${at}/versions/${version}/restore`, body: {} }),
    () => ({ request: `PUT ${path}/entries/by/${code}/${codeOf}`, body: { values } }),
    () => ({ request: 'POST /v1/cms/batch', body: { operations: [operation(), operation()] } }),
    () => ({ request: 'POST /v1/cms/batch', body: { operations: [operation()] } }),
    () => ({ request: `POST ${path}/entries/update-many`, body: { where, values } }),
    () => ({ request: `POST ${path}/entries/delete-many`, body: { where } }),
    () => ({ request: `POST ${path}/publish`, body: { entryIds: [entryId] } }),
    () => ({ request: `POST ${path}/unpublish`, body: { entryIds: [entryId] } }),
    () => {
      const numbers = collection.fields.filter(({ kind }) => kind === 'number').map(({ id }) => [id, 1] as const);
      return { request: `PATCH ${at}`, body: { increment: Object.fromEntries(numbers) } };
    },
    () => ({ request: `PATCH ${at}`, body: { append: { a_tags: [`w${count}`] } } }),
    () => ({ request: `PATCH ${at}`, body: { remove: { a_tags: entry?.values.a_tags ?? ['x'] } } }),
    () => ({ request: `PATCH ${at}`, body: { merge: { a_seo: { line: `w${count}` } } } }),
    () => ({ request: `PATCH ${at}`, body: { rows: [{ field: 'a_rows', insert: { line: `w${count}` } }] } }),
    () => ({ request: `POST /v1/cms/releases/${world.releaseId}/publish` }),
    () => {
      const items = [
        {
          collectionId,
          entryId,
          version: pick(random, [null, version]),
          action: pick(random, ['publish', 'unpublish']),
        },
      ];
      return { request: 'POST /v1/cms/releases', body: { name: `r${count}`, items } };
    },
    () => ({ request: `PATCH ${path}`, body: { name: 'Other' } }),
    () => ({ request: `DELETE ${path}` }),
    () => ({ request: 'PUT /v1/schema', body: { collections: [] } }),
    () => ({ request: `PUT ${at}/review`, body: { state: 'approved' } }),
    () => ({ request: `POST ${at}/move`, body: { first: true } }),
    () => ({ request: `POST ${at}/move`, body: { parentId: pick(random, [null, ...collection.entries]), last: true } }),
    () => ({
      request: `PATCH ${at}`,
      body: { rows: [{ field: 'a_blocks', insert: { _block: 'hero', line: `w${count}` } }] },
    }),
  ];
  return pick(random, kinds)();
}

function someValues(
  random: Random,
  me: string,
  fields: readonly WorldField[],
  entries: readonly string[],
  count: number,
): Record<string, unknown> {
  const chosen = fields.filter(() => random() < 0.35);
  const some = chosen.length > 0 ? chosen : [pick(random, fields)];
  return Object.fromEntries(
    some.map(({ id, kind, to }) => {
      const text = `w${count}${id}`;
      if (kind === 'number') return [id, count];
      if (kind === 'owner') return [id, pick(random, ['me', 'them', null, me])];
      if (kind === 'tags') return [id, [text]];
      if (kind === 'group') return [id, { line: text }];
      if (kind === 'blocks') return [id, [{ _block: 'hero', line: text }]];
      if (kind === 'rows') return [id, [{ line: text }]];
      if (kind === 'localized') return [pick(random, [id, `${id}@de`]), text];
      if (kind === 'references') return [id, []];
      // References within the collection alone: those to others may be to what the role does not read.
      if (kind === 'reference') return [id, to?.[0] === 'people' && id.startsWith('p_') ? pick(random, entries) : null];
      return [id, text];
    }),
  );
}

/** Of a change of one plain value of an existing entry: whether it is within the role. */
function allowed(
  oracle: Oracle,
  { key, publishing, fields }: WorldCollection,
  entry: Stored | undefined,
  values: Record<string, unknown>,
): Pick<Write, 'isAllowed'> {
  const plain = fields.filter(({ kind }) => kind === 'text' || kind === 'number' || kind === 'owner');
  const isPlain = Object.keys(values).every((name) => plain.some(({ id }) => id === name));
  if (entry?.status !== 'active' || !isPlain || publishing) return {};
  const after = { ...entry.values, ...values };
  const isWithin = (all: Record<string, unknown>) => oracle.meets(key, 'update', all) && oracle.meets(key, 'read', all);
  return {
    isAllowed:
      Object.keys(values).every((name) => oracle.mayWrite(key, 'update', name)) &&
      isWithin(entry.values) &&
      isWithin(after),
  };
}

/** What changed between two reads by the owner that the role may not do. */
export function excessOf(oracle: Oracle, before: Snapshot, after: Snapshot): string[] {
  const excess: string[] = [];
  for (const [id, now] of after) {
    const was = before.get(id);
    const say = (what: string) => excess.push(`${now.collection} ${id}: ${what}`);
    if (!was) checkCreated(oracle, now, say);
    else checkChanged(oracle, was, now, say);
  }
  for (const [id, { collection, status, values }] of before) {
    const isWithin =
      status === 'deleted' && oracle.meets(collection, 'delete', values) && oracle.meets(collection, 'read', values);
    if (!after.has(id) && !isWithin) excess.push(`${collection} ${id}: deleted for ever`);
  }
  return excess;
}

function checkCreated(oracle: Oracle, now: Stored, say: (what: string) => void): void {
  const { collection, values, published } = now;
  for (const name of Object.keys(values)) {
    if (values[name] !== null && !oracle.mayWrite(collection, 'create', name)) say(`created with ${name}`);
  }
  for (const action of ['create', 'read'] as const) {
    if (!oracle.meets(collection, action, values)) say(`created against the condition of ${action}`);
  }
  if (published) checkPublished(oracle, collection, published, say);
}

function checkChanged(oracle: Oracle, was: Stored, now: Stored, say: (what: string) => void): void {
  const { collection } = now;
  const within = (action: 'update' | 'delete' | 'publish', values: Record<string, unknown>, when: string) => {
    for (const each of [action, 'read'] as const) {
      if (!oracle.meets(collection, each, values)) say(`${action} against the condition of ${each} ${when}`);
    }
  };
  const names = new Set([...Object.keys(was.values), ...Object.keys(now.values)]);
  const changed = [...names].filter((name) => text(was.values[name]) !== text(now.values[name]));
  for (const name of changed) if (!oracle.mayWrite(collection, 'update', name)) say(`changed ${name}`);
  if (changed.length > 0) {
    within('update', was.values, 'before');
    if (now.status === 'active') within('update', now.values, 'after');
  }
  if (was.status !== now.status) within('delete', was.values, 'before');
  else if (was.parentId !== now.parentId || was.position !== now.position) within('update', was.values, 'before');
  if (text(was.published) === text(now.published)) return;
  // A deleted entry is not published any more; one that was restored by who may not publish is not, either.
  const wasDeletable = oracle.meets(collection, 'delete', was.values) && oracle.meets(collection, 'read', was.values);
  if (now.published === null && wasDeletable) return;
  within('publish', was.values, 'before');
  if (now.published) checkPublished(oracle, collection, now.published, say);
}

function checkPublished(oracle: Oracle, key: string, published: Record<string, unknown>, say: (what: string) => void) {
  for (const each of ['publish', 'read'] as const) {
    if (!oracle.meets(key, each, published)) say(`published against the condition of ${each}`);
  }
}

const text = (value: unknown) => JSON.stringify(value ?? null);
