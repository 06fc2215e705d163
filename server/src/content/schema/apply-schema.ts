import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Fault } from '../../shared/errors.ts';
import { newUuid, parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { type Database, type Tx, within } from '../../shared/postgres/database.ts';
import { type CollectionRow, isActive, serializeCollection } from '../collections/collection.ts';
import type { Component } from '../collections/components/contract.ts';
import {
  createComponent,
  deleteComponent,
  listComponents,
  updateComponent,
} from '../collections/components/manage-components.ts';
import { createCollection } from '../collections/create-collection.ts';
import { updateCollection } from '../collections/update-collection.ts';
import { getLocales } from '../locales/queries.ts';
import { setLocales } from '../locales/set-locales.ts';
import type { ContentSchema, SchemaCollection, SchemaComponent } from './contract.ts';
import {
  collectionChange,
  collectionDefinition,
  componentChanges,
  componentDefinition,
  type Names,
} from './definitions.ts';
import { detachComponents } from './detach-components.ts';
import {
  clearCollectionKeys,
  clearComponentKeys,
  findEveryCollection,
  findUsedIds,
  lockSomeCollections,
} from './queries.ts';

interface AppliedSchema {
  /** By pointers into the schema. */
  faults: Fault[];
  /** Whether the index of new fields was left to the worker. */
  needsBackfill: boolean;
}

const MAX_FAULTS = 1_000;
/** So many collections are changed together. More would block the event loop for long. */
const AT_A_TIME = 20;
/** By how much the clocks of two installations can differ. */
const MAX_SKEW_MS = 600_000;

/**
 * Makes the content model of an account what a schema says, in a transaction. What the schema does not have is deleted; a section
 * that is absent stays as it is. Goes on after a fault, to find all others; the transaction must not commit if there are any.
 */
export async function applyContentSchema(
  db: Database,
  tx: Tx,
  accountId: string,
  sent: Partial<ContentSchema>,
  now: number,
  keepsReview = false,
): Promise<AppliedSchema> {
  return new Application(within(db, tx), tx, accountId, now, keepsReview).apply(sent);
}

interface Target<Sent> {
  sent: Sent;
  /** UUID. */
  id: string;
  pointer: string;
}

class Application {
  readonly #db: Database;
  readonly #tx: Tx;
  readonly #accountId: string;
  readonly #now: number;
  readonly #keepsReview: boolean;
  readonly #faults: Fault[] = [];
  #needsBackfill = false;

  constructor(db: Database, tx: Tx, accountId: string, now: number, keepsReview: boolean) {
    this.#db = db;
    this.#tx = tx;
    this.#accountId = accountId;
    this.#now = now;
    this.#keepsReview = keepsReview;
  }

  async apply({ locales, components, collections }: Partial<ContentSchema>): Promise<AppliedSchema> {
    const rows = await findEveryCollection(this.#tx, this.#scope);
    const stored = await listComponents(this.#tx, this.#accountId);
    const collectionTargets = collections && (await this.#match(collections, rows));
    const componentTargets = components && this.#matchComponents(components, stored);
    const names = namesOf(collectionTargets ?? [], componentTargets ?? [], rows, stored);
    if (locales) await this.#setLocales(locales);
    const changed = (collectionTargets ?? []).filter((target) => isOther(target, rows, names));
    const removed = collectionTargets && rows.filter((row) => isActive(row) && !has(collectionTargets, row.id));
    const existing = changed.filter(({ id }) => rows.some((row) => row.id === id));
    await this.#lock([...existing.map(({ id }) => id), ...(removed ?? []).map(({ id }) => id)]);
    await this.#prepare(changed, removed ?? [], rows);
    if (componentTargets) await this.#applyComponents(componentTargets, stored, names);
    await this.#attemptAll(changed, async ({ sent, id, pointer }) => {
      const known = rows.find((row) => row.id === id);
      if (this.#keepsReview && known && known.review !== (sent.review ?? null)) {
        this.#fault(`${pointer}/review`, 'role_insufficient', 'Only owners change the review of a collection.');
      }
      const change = collectionChange(collectionDefinitionFor(sent, names), known && serializeCollection(known));
      await this.#update(id, change);
    });
    for (const { id } of removed ?? [])
      await this.#attempt('/collections', () => this.#update(id, { status: 'deleted' }));
    if (componentTargets) await this.#removeComponents(componentTargets, stored);
    return { faults: inOrderOfCollections(this.#faults), needsBackfill: this.#needsBackfill };
  }

  get #scope() {
    return { account_id: this.#accountId };
  }

  async #update(id: string, change: Parameters<typeof updateCollection>[3]): Promise<void> {
    const { needsBackfill } = await updateCollection(this.#db, this.#accountId, publicId('col', id), change, this.#now);
    if (needsBackfill) this.#needsBackfill = true;
  }

  async #setLocales(locales: ContentSchema['locales']): Promise<void> {
    if (isDeepStrictEqual(withFallbacks(locales), await getLocales(this.#tx, this.#accountId))) return;
    await this.#attempt('/locales', async () => {
      const { needsBackfill } = await setLocales(this.#tx, this.#accountId, locales);
      if (needsBackfill) this.#needsBackfill = true;
    });
  }

  async #lock(ids: string[]): Promise<void> {
    if (ids.length > 0) await lockSomeCollections(this.#tx, { ...this.#scope, ids });
  }

  /** Frees the keys that others get, and makes new collections without fields, so that those of others can refer to them. */
  async #prepare(changed: Target<SchemaCollection>[], removed: CollectionRow[], rows: CollectionRow[]): Promise<void> {
    const known = new Map(rows.map((row) => [row.id, row]));
    const rekeyed = changed.filter(({ id, sent }) => (sent.key ?? null) !== (known.get(id)?.key ?? null));
    const ids = [...rekeyed, ...removed].map(({ id }) => id);
    if (ids.length > 0) await clearCollectionKeys(this.#tx, { ...this.#scope, ids });
    await this.#attemptAll(changed, async ({ sent: { name }, id }) => {
      const row = known.get(id);
      if (!row) await createCollection(this.#tx, this.#accountId, { name }, this.#now, id);
      else if (!isActive(row)) await this.#update(id, { status: 'active', key: null });
    });
  }

  /** The collection of each definition: by ID, else by key, else a new one. */
  async #match(sent: SchemaCollection[], rows: CollectionRow[]): Promise<Target<SchemaCollection>[]> {
    const byKey = new Map(rows.filter(isActive).map((row) => [row.key, row.id]));
    const wanted = sent.flatMap(({ id }) => (id === undefined ? [] : (parseId('col', id) ?? [])));
    const used = new Set((await findUsedIds(this.#tx, { ...this.#scope, ids: wanted })).map(({ id }) => id));
    const known = new Set(rows.map(({ id }) => id));
    const named = new Set(wanted.filter((id) => known.has(id)));
    return this.#targets(sent, '/collections', ({ id, key }, pointer) => {
      const uuid = this.#idIn('col', id, pointer, known);
      if (uuid !== undefined && known.has(uuid)) return uuid;
      const holder = key == null ? undefined : byKey.get(key);
      if (holder !== undefined && !named.has(holder)) return holder;
      if (uuid !== undefined && !used.has(uuid)) return uuid;
      return newUuid(this.#now);
    });
  }

  #matchComponents(sent: SchemaComponent[], stored: Component[]): Target<SchemaComponent>[] {
    const byKey = new Map(stored.map(({ key, id }) => [key, id]));
    const known = new Set(stored.map(({ id }) => parseId('cmp', id) ?? ''));
    const named = new Set(sent.map(({ id }) => id));
    return this.#targets(sent, '/components', ({ id, key }, pointer) => {
      const uuid = this.#idIn('cmp', id, pointer, known);
      const holder = key == null ? undefined : byKey.get(key);
      if (holder !== undefined && !(uuid !== undefined && known.has(uuid)) && !named.has(holder)) {
        return parseId('cmp', holder) ?? '';
      }
      return uuid ?? newUuid(this.#now);
    });
  }

  #targets<Sent extends SchemaCollection | SchemaComponent>(
    sent: Sent[],
    section: string,
    idOf: (each: Sent, pointer: string) => string,
  ): Target<Sent>[] {
    const taken = new Set<string>();
    return sent.map((each, i) => {
      const pointer = `${section}/${i}`;
      this.#requireFieldIds(each.fields ?? [], pointer);
      const id = idOf(each, pointer);
      if (taken.has(id)) this.#fault(pointer, 'duplicate', `"${each.name}" is defined twice.`);
      taken.add(id);
      return { sent: each, id, pointer };
    });
  }

  /** @param known IDs (UUIDs) of this account */
  #idIn(kind: 'col' | 'cmp', id: string | undefined, pointer: string, known: ReadonlySet<string>): string | undefined {
    if (id === undefined) return undefined;
    const uuid = parseId(kind, id);
    if (uuid !== undefined && known.has(uuid)) return uuid;
    const isValid = uuid?.[14] === '7' && uuidTime(uuid) <= this.#now + MAX_SKEW_MS;
    if (!isValid)
      this.#fault(`${pointer}/id`, 'id_invalid', `"${id.slice(0, 64)}" is no ID that the service has made.`);
    return isValid ? uuid : undefined;
  }

  /** Without an ID, a field would be another one with each push. */
  #requireFieldIds(fields: readonly Nested[], pointer: string): void {
    for (const [i, { id, fields: nested, blocks }] of fields.entries()) {
      const at = `${pointer}/fields/${i}`;
      if (id === undefined) this.#fault(`${at}/id`, 'required', 'A field in a schema needs an ID.');
      this.#requireFieldIds(nested ?? [], at);
      for (const [j, block] of (blocks ?? []).entries()) {
        const within_ = `${at}/blocks/${j}`;
        if (block.id === undefined) this.#fault(`${within_}/id`, 'required', 'A block in a schema needs an ID.');
        this.#requireFieldIds(block.fields ?? [], within_);
      }
    }
  }

  async #applyComponents(targets: Target<SchemaComponent>[], stored: Component[], names: Names): Promise<void> {
    const known = new Map(stored.map((component) => [component.id, component]));
    const changed = inOrder(targets, names).flatMap(({ sent, id, pointer }) => {
      const before = known.get(publicId('cmp', id));
      const after = componentDefinition(sent, names, publicId('cmp', id));
      const isSame = before && isDeepStrictEqual(componentDefinition(before, names), after);
      return isSame ? [] : [{ before, after, id, pointer }];
    });
    const ids = changed.flatMap(({ before, after, id }) => (before && before.key !== (after.key ?? null) ? [id] : []));
    const removed = stored.flatMap(({ id }) => (has(targets, parseId('cmp', id)) ? [] : (parseId('cmp', id) ?? [])));
    await clearComponentKeys(this.#tx, { ...this.#scope, ids: [...ids, ...removed] });
    for (const { before, after, id, pointer } of changed) {
      const { id: _, ...values } = after;
      await this.#attempt(pointer, async () => {
        if (!before) {
          await createComponent(this.#tx, this.#accountId, values, this.#now, id);
          return;
        }
        const { needsBackfill } = await updateComponent(
          this.#tx,
          this.#accountId,
          publicId('cmp', id),
          { key: null, ...values, fields: componentChanges(values, before), allowDataLoss: true },
          this.#now,
        );
        if (needsBackfill) this.#needsBackfill = true;
      });
    }
  }

  /** What only deleted fields still have is theirs from now on. */
  async #removeComponents(targets: Target<SchemaComponent>[], stored: Component[]): Promise<void> {
    const removed = stored.filter(({ id }) => !has(targets, parseId('cmp', id)));
    if (removed.length === 0) return;
    await detachComponents(this.#tx, this.#accountId, new Set(removed.map(({ id }) => id)));
    // Those that contain others first.
    const sent = removed.map((each) => ({
      sent: each as SchemaComponent,
      id: parseId('cmp', each.id) ?? '',
      pointer: '',
    }));
    const ordered = inOrder(sent, { collection: String, component: String }).reverse();
    for (const {
      sent: { id = '' },
    } of ordered)
      await this.#attempt('/components', () => deleteComponent(this.#tx, this.#accountId, id));
  }

  /**
   * Changes collections, several at a time: their statements are sent together, since each wait for an answer is long on a busy
   * machine. Of those that want the same key, the first one gets it.
   */
  async #attemptAll(
    targets: Target<SchemaCollection>[],
    work: (target: Target<SchemaCollection>) => Promise<void>,
  ): Promise<void> {
    const first = new Map(targets.toReversed().map((target) => [target.sent.key ?? target.id, target.id]));
    const isFirst = ({ sent: { key }, id }: Target<SchemaCollection>) => first.get(key ?? id) === id;
    for (const some of [targets.filter(isFirst), targets.filter((target) => !isFirst(target))]) {
      for (let from = 0; from < some.length; from += AT_A_TIME) {
        const attempts = some
          .slice(from, from + AT_A_TIME)
          .map((target) => this.#attempt(target.pointer, () => work(target)));
        // All end before the transaction does.
        for (const attempt of await Promise.allSettled(attempts)) {
          if (attempt.status === 'rejected') throw attempt.reason;
        }
      }
    }
  }

  async #attempt(pointer: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
      // What a fault prevented from being made is missing afterwards.
      if (error.status === 404 && this.#faults.length > 0) return;
      const faults =
        error.errors.length > 0 ? error.errors : [{ pointer: '', code: error.code, detail: error.message }];
      for (const each of faults) this.#fault(pointer + each.pointer, each.code, each.detail);
    }
  }

  #fault(pointer: string, code: string, detail: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ pointer, code, detail });
  }
}

interface Nested {
  id?: string | undefined;
  fields?: readonly Nested[] | null | undefined;
  blocks?: readonly { id?: string | undefined; fields?: readonly Nested[] | null | undefined }[] | null | undefined;
}

/** As collections are changed together, their faults are found in any order. */
const inOrderOfCollections = (faults: readonly Fault[]): Fault[] => {
  const position = ({ pointer }: Fault) => Number(/^\/collections\/(\d+)/.exec(pointer)?.[1] ?? -1);
  return faults.toSorted((a, b) => position(a) - position(b));
};

const has = (targets: readonly { id: string }[], id: string | undefined) => targets.some((each) => each.id === id);

/** As the service stores them. */
const withFallbacks = ({ default: main, locales }: ContentSchema['locales']) => ({
  default: main,
  locales: locales.map(({ locale, fallback }) => ({ locale, fallback: locale === main ? null : (fallback ?? main) })),
});

/** IDs for what definitions name by ID or key: those in the schema first, which may have another ID where it came from. */
function namesOf(
  collections: readonly Target<SchemaCollection>[],
  components: readonly Target<SchemaComponent>[],
  rows: readonly CollectionRow[],
  stored: readonly Component[],
): Names {
  const collection = new Map<string, string>();
  for (const { id, key } of rows.filter(isActive)) if (key !== null) collection.set(key, publicId('col', id));
  const component = new Map<string, string>();
  for (const { id, key } of stored) if (key !== null) component.set(key, id);
  const add = (
    map: Map<string, string>,
    kind: 'col' | 'cmp',
    { sent, id }: Target<{ id?: string; key?: string | null }>,
  ) => {
    if (sent.id !== undefined) map.set(sent.id, publicId(kind, id));
    if (sent.key != null) map.set(sent.key, publicId(kind, id));
  };
  for (const each of collections) add(collection, 'col', each);
  for (const each of components) add(component, 'cmp', each);
  return { collection: (name) => collection.get(name) ?? name, component: (name) => component.get(name) ?? name };
}

/** A definition with IDs in place of keys, and otherwise as it was sent, so that faults have its positions. */
function collectionDefinitionFor(sent: SchemaCollection, names: Names): SchemaCollection {
  return { ...sent, fields: (sent.fields ?? []).map((field) => withIds(field, names)) };
}

type SentField = NonNullable<SchemaCollection['fields']>[number];

function withIds<Field extends SentField>(field: Field, names: Names): Field {
  const { componentId, fields, blocks } = field;
  const { collectionIds } = field as { collectionIds?: string[] };
  return {
    ...field,
    ...(collectionIds && { collectionIds: collectionIds.map((name) => names.collection(name)) }),
    ...(componentId != null && { componentId: names.component(componentId) }),
    ...(fields && { fields: fields.map((each) => withIds(each, names)) }),
    ...(blocks && {
      blocks: blocks.map((block) => ({
        ...block,
        ...(block.componentId != null && { componentId: names.component(block.componentId) }),
        ...(block.fields && { fields: block.fields.map((each) => withIds(each, names)) }),
      })),
    }),
  };
}

function isOther({ sent, id }: Target<SchemaCollection>, rows: readonly CollectionRow[], names: Names): boolean {
  const row = rows.find((each) => each.id === id);
  if (!row || !isActive(row)) return true;
  const own = publicId('col', id);
  const before = collectionDefinition(serializeCollection(row), names);
  return !isDeepStrictEqual(before, collectionDefinition(sent, names, own));
}

/** Components after those that they contain. Of a cycle, whichever comes first: it is refused when it is made. */
function inOrder(targets: readonly Target<SchemaComponent>[], names: Names): Target<SchemaComponent>[] {
  const byId = new Map(targets.map((target) => [publicId('cmp', target.id), target]));
  const ordered = new Set<Target<SchemaComponent>>();
  const visiting = new Set<Target<SchemaComponent>>();
  const visit = (target: Target<SchemaComponent>) => {
    if (ordered.has(target) || visiting.has(target)) return;
    visiting.add(target);
    for (const name of componentsIn(target.sent.fields)) {
      const inner = byId.get(names.component(name));
      if (inner) visit(inner);
    }
    ordered.add(target);
  };
  for (const target of targets) visit(target);
  return [...ordered];
}

function componentsIn(fields: readonly SentField[]): string[] {
  return fields.flatMap(({ componentId, fields: nested, blocks }) => [
    ...((componentId ?? false) ? [componentId as string] : []),
    ...componentsIn(nested ?? []),
    ...(blocks ?? []).flatMap((block) => [
      ...(block.componentId ? [block.componentId] : []),
      ...componentsIn(block.fields ?? []),
    ]),
  ]);
}
