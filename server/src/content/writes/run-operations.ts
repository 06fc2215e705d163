import { ApiError, escapePointer, type Fault, invalid, notFound, refuse } from '../../shared/errors.ts';
import { FIRST_ID, parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { mapInTurns, takingTurns } from '../../shared/turns.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { acceptValues, deriveSlugs } from '../entries/accept-values.ts';
import { type CheckedValues, checkNewValues, MAX_FAULTS, type Values } from '../entries/check-values.ts';
import type { Entry } from '../entries/contract.ts';
import { lockEntries } from '../entries/queries.ts';
import { serializeEntry, serializeValues } from '../entries/serialize-entry.ts';
import { findTaken } from '../entries/unique-keys.ts';
import { changeable } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { type EntryUpdate, insertEntries, updateEntries } from '../entries/write-entries.ts';
import { changeEntries } from '../publishing/publish-entries.ts';
import { findDeleteFaults } from '../references/reference-uses.ts';
import { checkEntryChange } from './check-entry-change.ts';
import { type EntryKeyValue, findByKey, lockKeys, readKey } from './find-by-key.ts';
import { mapReferences } from './map-references.ts';
import type { Operation } from './operation.ts';
import { memberFaults } from './operation-members.ts';

export interface OperationResult {
  entry: Entry;
  /** Whether the operation created it. */
  created: boolean;
  /** As it was before a change. */
  before?: Entry;
}

/** What an operation does to which entry, after its key was looked up. */
interface Step {
  operation: Operation;
  index: number;
  action: 'create' | 'update' | 'publish' | 'unpublish';
  /** UUID, if the entry exists. */
  id: string | undefined;
  status?: 'active' | 'deleted';
  values: Values;
}

/**
 * Runs operations in order in one transaction: all of them, or none. Operations of one kind on one collection that follow each
 * other, and do not need each other's results, are one statement.
 * @throws ApiError 400 with the faults of every operation
 */
export async function runOperations(
  tx: Tx,
  context: CachedWriteContext,
  operations: readonly Operation[],
): Promise<OperationResult[]> {
  return new Run(tx, context, operations).run();
}

/** Stands for an entry whose operation was refused, where only the rest of an operation is checked. */
const UNKNOWN_ENTRY = publicId('ent', FIRST_ID);

class Run {
  readonly #tx: Tx;
  readonly #context: CachedWriteContext;
  readonly #operations: readonly Operation[];
  readonly #faults: Fault[] = [];
  readonly #results: OperationResult[] = [];
  readonly #before = new Map<number, Entry>();
  /** The created entries (public IDs) by ref; null: its operation was refused. */
  readonly #refs = new Map<string, string | null>();

  constructor(tx: Tx, context: CachedWriteContext, operations: readonly Operation[]) {
    this.#tx = tx;
    this.#context = context;
    this.#operations = operations;
  }

  async run(): Promise<OperationResult[]> {
    this.#checkRefs();
    await this.#lockUpserts();
    for (let at = 0; at < this.#operations.length; ) {
      const count = this.#countTogether(at);
      const together = this.#operations.slice(at, at + count);
      try {
        await this.#runTogether(at, count);
      } catch (error) {
        // The next ones can have faults, too; what was written is rolled back in the end.
        const isUnknown = error instanceof ApiError && error.status === 404;
        for (const { pointer } of isUnknown ? together : together.slice(0, 1)) {
          this.#faults.push(...faultsOf(error, isUnknown ? `${pointer}/collection` : pointer));
        }
      }
      for (const { ref } of together) {
        if (ref !== undefined && !this.#refs.has(ref)) this.#refs.set(ref, null);
      }
      at += count;
    }
    refuse(this.#faults.slice(0, MAX_FAULTS));
    return this.#results;
  }

  /** A ref stands for one entry. */
  #checkRefs(): void {
    const refs = new Set<string>();
    for (const { ref, pointer } of this.#operations) {
      if (ref === undefined) continue;
      const detail = `An earlier operation has the ref "${ref}". Give each a ref of its own.`;
      if (refs.has(ref)) this.#faults.push({ pointer: `${pointer}/ref`, code: 'ref_repeated', detail });
      refs.add(ref);
    }
  }

  /** In one order, before anything is written, so that two batches do not deadlock. */
  async #lockUpserts(): Promise<void> {
    const keys: EntryKeyValue[] = [];
    for (const operation of this.#operations) {
      if (operation.op !== 'upsert' || memberFaults(operation).length > 0) continue;
      const add = this.#use(operation.collection, async (collection) => {
        keys.push(keyOf(collection, operation));
        return undefined;
      });
      // What is wrong is found again, and named, when the operation runs.
      await add.catch((error: unknown) => faultsOf(error, ''));
    }
    await lockKeys(this.#tx, this.#context.author.accountId, keys);
  }

  /** How many operations from one on are written together: an entry named by a value may be one that they create or change. */
  #countTogether(from: number): number {
    const first = this.#operations[from];
    if (!first || first.by !== undefined) return 1;
    const [ids, refs] = [new Set<string>(), new Set<string>()];
    let count = 0;
    for (const operation of this.#operations.slice(from)) {
      const { op, collection, id, by, ref } = operation;
      const isOther = op !== first.op || collection !== first.collection || by !== undefined;
      if (isOther || (id !== undefined && ids.has(id)) || usesRef(operation, refs)) break;
      if (id !== undefined) ids.add(id);
      if (ref !== undefined) refs.add(ref);
      count++;
    }
    return count;
  }

  #runTogether(from: number, count: number): Promise<void> {
    const operations = this.#operations.slice(from, from + count);
    return this.#use(operations[0]?.collection ?? '', async (collection) => {
      const faults: Fault[] = [];
      const steps: Step[] = [];
      const pause = takingTurns();
      for (const [i, operation] of operations.entries()) {
        await pause();
        try {
          const step = await this.#stepOf(collection, operation, from + i);
          if (step) steps.push(step);
        } catch (error) {
          faults.push(...faultsOf(error, operation.pointer, nameIn(operation)));
        }
      }
      const [first] = steps;
      const written = first && (await this.#write(collection, steps, faults));
      if (written === STALE) return STALE;
      refuse(faults);
      for (const [i, entry] of (written ?? []).entries()) {
        const step = steps[i];
        if (!step) continue;
        const before = this.#before.get(step.index);
        this.#results[step.index] = { entry, created: step.action === 'create', ...(before && { before }) };
        if (step.operation.ref !== undefined) this.#refs.set(step.operation.ref, entry.id);
      }
      return undefined;
    });
  }

  /** Undefined if it depends on an operation that was refused. */
  async #stepOf(collection: Collection, operation: Operation, index: number): Promise<Step | undefined> {
    const { op, pointer, valuesPointer } = operation;
    refuse(memberFaults(operation));
    const unknown: Fault[] = [];
    let isRefused = false;
    const resolve = (value: unknown, at: string) => {
      if (typeof value !== 'string' || !value.startsWith('@')) return value;
      const id = this.#refs.get(value.slice(1));
      if (id === null) isRefused = true;
      if (id !== undefined) return id ?? UNKNOWN_ENTRY;
      const detail = `No earlier operation has the ref "${value.slice(1)}".`;
      unknown.push({ pointer: at, code: 'ref_unknown', detail });
      return value;
    };
    const values = mapReferences(collection, operation.values ?? {}, (value, _field, at) =>
      resolve(value, at.replace('/values', valuesPointer)),
    );
    const named = resolve(operation.id, `${pointer}/id`);
    refuse(unknown);
    if (isRefused) {
      if (op === 'create') refuse(within(operation, checkNewValues(collection, values, this.#context)).faults);
      return undefined;
    }
    const step = { operation, index, values };
    if (op === 'create') return { ...step, action: 'create', id: undefined };
    const id = await this.#idOf(collection, operation, named);
    if (op === 'upsert') refuseOtherKey(collection, operation, values);
    if (op === 'upsert' && id === undefined) {
      if (operation.version !== undefined) {
        const detail = 'There is no entry with this value, so it has no version.';
        throw invalid([{ pointer: `${pointer}/version`, code: 'version_conflict', detail }]);
      }
      return { ...step, action: 'create', id, values: { ...operation.by, ...values } };
    }
    if (id === undefined) throw notFound('entry');
    if (op === 'publish' || op === 'unpublish') return { ...step, action: op, id };
    const status = op === 'delete' ? 'deleted' : op === 'restore' ? 'active' : undefined;
    return { ...step, action: 'update', id, ...(status && { status }) };
  }

  async #idOf(collection: Collection, operation: Operation, named: unknown): Promise<string | undefined> {
    const { by, pointer } = operation;
    if (by === undefined) return typeof named === 'string' ? parseId('ent', named) : undefined;
    const key = keyOf(collection, operation);
    return findByKey(this.#tx, this.#context.author.accountId, collection, key, `${pointer}/by`);
  }

  async #write(collection: Collection, steps: readonly Step[], faults: Fault[]): Promise<Entry[] | typeof STALE> {
    const action = steps[0]?.action;
    if (action === 'create') return this.#create(collection, steps, faults);
    if (action === 'update') return this.#update(collection, steps, faults);
    const changes = steps.map(({ id, operation }) => ({
      id,
      action: action === 'publish' ? ('publish' as const) : ('unpublish' as const),
      version: operation.version,
      pointer: operation.pointer,
      name: nameIn(operation),
    }));
    let changed: Awaited<ReturnType<typeof changeEntries>> = [];
    try {
      changed = await changeEntries(this.#tx, this.#context, collection, changes);
    } catch (error) {
      faults.push(...faultsOf(error, steps[0]?.operation.pointer ?? ''));
    }
    if (changed === STALE) return STALE;
    const byId = new Map(changed.map((entry) => [parseId('ent', entry.id), entry]));
    return steps.flatMap(({ id }) => byId.get(id) ?? []);
  }

  async #create(collection: Collection, steps: readonly Step[], faults: Fault[]): Promise<Entry[] | typeof STALE> {
    const all = await mapInTurns(steps, ({ values, operation }) =>
      within(operation, checkNewValues(collection, values, this.#context)),
    );
    await this.#accept(all, faults);
    if (faults.length > 0) {
      faults.push(...(await this.#findTaken(collection, steps, all)));
      return [];
    }
    const createdAt = this.#context.now;
    const entries = all.map(({ values }) => ({ values, createdAt }));
    const written = await insertEntries(this.#tx, this.#context, collection, entries, {
      pointer: (field, _id, i) => pointerTo(steps[i]?.operation, field),
    });
    return written === STALE ? STALE : written.map(({ entry }) => entry);
  }

  /** Faults of values that others have, of entries without other faults. */
  async #findTaken(collection: Collection, steps: readonly Step[], all: readonly CheckedValues[]): Promise<Fault[]> {
    const entries = all.map(({ values, faults }) => ({ id: undefined, values: faults.length === 0 ? values : {} }));
    const taken = await findTaken(this.#tx, this.#context.author.accountId, collection, entries);
    return taken.flatMap((faults, i) => {
      const { operation } = steps[i] ?? {};
      return faults.map((fault) => ({
        ...fault,
        pointer: fault.pointer.replace('/values', operation?.valuesPointer ?? ''),
      }));
    });
  }

  async #update(collection: Collection, steps: readonly Step[], faults: Fault[]): Promise<Entry[] | typeof STALE> {
    const { accountId } = this.#context.author;
    const ids = steps.flatMap(({ id }) => id ?? []);
    const locked = await lockEntries(this.#tx, accountId, collection, ids);
    if (locked[0] && locked[0].collection_version !== collection.version) return STALE;
    const rows = new Map(locked.map((row) => [row.id, row]));
    const updates: EntryUpdate[] = [];
    const all: CheckedValues[] = [];
    await mapInTurns(steps, ({ operation, id = '', status, values }) => {
      try {
        const before = changeable(rows.get(id), { version: operation.version, status });
        const change = { ...operation, values };
        const checked = within(operation, checkEntryChange(collection, change, readJson(before.values)));
        all.push(checked);
        updates.push({ before, values: checked.values, status: status ?? before.status });
      } catch (error) {
        faults.push(...faultsOf(error, operation.pointer, nameIn(operation)));
      }
    });
    const deleted = updates.filter(({ before, status }) => isActive(before) && status === 'deleted');
    const kept = await findDeleteFaults(
      this.#tx,
      accountId,
      collection.id,
      deleted.map(({ before }) => before.id),
    );
    for (const [id, fault] of kept) {
      const pointer = steps.find((step) => step.id === id)?.operation.pointer ?? '';
      faults.push({ ...fault, pointer });
    }
    await this.#accept(all, faults);
    if (faults.length > 0) return [];
    await this.#keepBefore(collection, steps, updates);
    const pointers = new Map(steps.map(({ id, operation }) => [id, operation]));
    const written = await updateEntries(this.#tx, this.#context, collection, updates, this.#tx, (field, id) =>
      pointerTo(pointers.get(id), field),
    );
    return written.map(({ entry }) => entry);
  }

  /** Changes by users are audited with what was there before. */
  async #keepBefore(collection: Collection, steps: readonly Step[], updates: readonly EntryUpdate[]): Promise<void> {
    const { author, publicUrl } = this.#context;
    if (author.type !== 'user') return;
    const stored = await mapInTurns(updates, ({ before }): Values => readJson(before.values));
    const values = await serializeValues(this.#tx, author.accountId, collection, stored, publicUrl);
    for (const [i, { before }] of updates.entries()) {
      const index = steps.find(({ id }) => id === before.id)?.index;
      if (index !== undefined) this.#before.set(index, serializeEntry(collection, before, values[i] ?? {}));
    }
  }

  /** Checks the assets and references of several entries at once, and derives their slugs. */
  async #accept(all: readonly CheckedValues[], faults: Fault[]): Promise<void> {
    const { accountId } = this.#context.author;
    const together = {
      values: {},
      slugs: [],
      faults: all.flatMap((checked) => checked.faults).slice(0, MAX_FAULTS),
      assets: all.flatMap(({ assets }) => assets),
      references: all.flatMap(({ references }) => references),
      ...(this.#context.cache.access && { schema: this.#context.cache }),
    };
    try {
      await acceptValues(this.#tx, accountId, together);
    } catch (error) {
      faults.push(...faultsOf(error, ''));
      return;
    }
    await deriveSlugs(this.#tx, accountId, all);
  }

  #use(collectionId: string, work: (collection: Collection) => Promise<undefined | typeof STALE>): Promise<void> {
    return this.#context.cache.use(this.#tx, this.#context.author.accountId, collectionId, work);
  }
}

/** The member of an operation that names its entry. */
function nameIn({ id, by }: Operation): string {
  const [fieldId] = Object.keys(by ?? {});
  return id === undefined && fieldId !== undefined ? `/by/${escapePointer(fieldId)}` : '/id';
}

/** @param unknown within the pointer, what names something that is not there @throws errors of other kinds */
function faultsOf(error: unknown, pointer: string, unknown = ''): Fault[] {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) return [{ pointer: pointer + unknown, code: 'not_found', detail: error.message }];
  if (error.status !== 400) throw error;
  return error.errors.map((fault) =>
    fault.pointer === '' || fault.pointer.startsWith('/version')
      ? { ...fault, pointer: pointer + fault.pointer }
      : fault,
  );
}

function keyOf(collection: Collection, { by, pointer }: Operation): EntryKeyValue {
  const [[fieldId, value] = [], second] = Object.entries(by ?? {});
  if (fieldId === undefined || second !== undefined) {
    throw invalid([
      { pointer: `${pointer}/by`, code: 'key_invalid', detail: '"by" names one unique field and its value.' },
    ]);
  }
  return readKey(collection, fieldId, value, `${pointer}/by/${fieldId}`);
}

/** An upsert does not change the value by which it finds the entry. */
function refuseOtherKey(collection: Collection, { by = {}, valuesPointer }: Operation, values: Values): void {
  for (const [fieldId, value] of Object.entries(by)) {
    if (!Object.hasOwn(values, fieldId)) continue;
    const pointer = `${valuesPointer}/${fieldId}`;
    const sent = readKey(collection, fieldId, values[fieldId], pointer);
    if (sent.sortKey === readKey(collection, fieldId, value, pointer).sortKey) continue;
    const detail = `"${sent.field.label}" must be the value by which the entry is found. Leave it out.`;
    throw invalid([{ pointer, code: 'key_conflict', detail }]);
  }
}

/** What was checked, with the pointers of the request. */
function within({ valuesPointer, pointer }: Operation, checked: CheckedValues): CheckedValues {
  const at = <Item extends { pointer: string }>(item: Item): Item => ({
    ...item,
    pointer: item.pointer.startsWith('/values')
      ? item.pointer.replace('/values', valuesPointer)
      : pointer + item.pointer,
  });
  return {
    ...checked,
    faults: checked.faults.map(at),
    assets: checked.assets.map(at),
    references: checked.references.map(at),
  };
}

const pointerTo = (operation: Operation | undefined, field: string) =>
  `${operation?.valuesPointer ?? '/values'}/${field}`;

function usesRef({ id, values }: Operation, refs: ReadonlySet<string>): boolean {
  if (refs.size === 0) return false;
  if (id !== undefined && refs.has(id.slice(1))) return true;
  const sent = JSON.stringify(values ?? {});
  return [...sent.matchAll(/"@([^"\\\\]+)"/g)].some(([, name = '']) => refs.has(name));
}
