import { createHash } from 'node:crypto';
import type { Client } from '@headwater/sdk';
import { ConfigError } from '../shared/config.ts';
import { convertValues, type Known, namesOf } from './convert-values.ts';
import type { TargetCollection } from './import-collections.ts';
import type { ProgressLine } from './progress.ts';
import type { ImportReport } from './report.ts';
import { entryKey, type Source, type SourceCollection, type SourceEntry, type Values } from './source.ts';
import { batchesOf, type Item, writeItems } from './write-items.ts';

type Report = Pick<ImportReport, 'entries' | 'updated' | 'skipped' | 'failed'>;

interface EntryContext {
  existing: ExistingEntries;
  targets: ReadonlyMap<string, TargetCollection>;
  known: Known;
  report: Report;
  dryRun: boolean;
  tell: ProgressLine;
}

/** By the ids of collections and of entries in the other system. */
export type ExistingEntries = ReadonlyMap<string, ReadonlyMap<string, Existing>>;

/** An entry that exists. */
interface Existing {
  id: string;
  /** What its version field says: a hash of what it was made from, and a line for each value that was refused. Empty: it is not whole. */
  version: string;
}

/** An entry of the export, and what becomes of it. */
interface Planned {
  entry: SourceEntry;
  collection: SourceCollection;
  target: TargetCollection;
  existing: Existing | undefined;
}

/**
 * Creates the entries of an export that do not exist, and updates those that changed there since. What an entry was made from is stored with
 * it, so nothing but the service has to know what earlier runs did. An entry is created with what is published of it, published, and given its draft
 * in one batch; if it refers to entries that are created after it, that is done once these exist, and until then it has no version.
 */
export async function importEntries(client: Client, source: Source, context: EntryContext): Promise<void> {
  await new EntryImport(client, source, context).run();
}

/** The entries that earlier runs created. */
export async function readExisting(
  client: Client,
  collections: readonly SourceCollection[],
  targets: ReadonlyMap<string, TargetCollection>,
): Promise<ExistingEntries> {
  const all = new Map<string, Map<string, Existing>>();
  for (const { id: there, singleton } of collections) {
    const { id: collectionId, idField = '', versionField = '' } = targets.get(there) ?? {};
    if (collectionId === undefined) continue;
    const existing = new Map<string, Existing>();
    const query = { collectionId, pageSize: 100, select: [idField, versionField] };
    for await (const { id, values } of client.listEntries(query)) {
      const { [idField]: key, [versionField]: version } = values as Record<string, string>;
      // The entry of a singleton is made when it is first read.
      if (key !== undefined || singleton) existing.set(key ?? '', { id, version: version ?? '' });
    }
    all.set(there, existing);
  }
  return all;
}

/** @throws ConfigError if what was imported before is of another site, whose entries would be changed */
export function refuseOtherSite({ collections, entries }: Source, existing: ExistingEntries, system: string): void {
  const lists = new Set(collections.flatMap(({ id, singleton }) => (singleton ? [] : id)));
  const sent = entries.filter(({ collectionId }) => lists.has(collectionId));
  const here = [...existing].reduce((sum, [id, all]) => sum + (lists.has(id) ? all.size : 0), 0);
  let [same, others] = [0, 0];
  for (const { collectionId, id, createdAt } of sent) {
    const known = existing.get(collectionId)?.get(id);
    if (!known) continue;
    const [, before] = known.version.split('\n', 1)[0]?.split(' ') ?? [];
    if (before !== undefined && createdAt !== undefined && before !== createdAt) others++;
    else same++;
  }
  if (here === 0 || sent.length === 0 || same > others) return;
  throw new ConfigError(
    `The account has content of another export of ${system}. Name the site of this one by --source, or delete the collections that were imported before.`,
  );
}

class EntryImport {
  readonly #client: Client;
  readonly #source: Source;
  readonly #context: EntryContext;
  /** The keys of entries that can be referenced once they are created. */
  readonly #coming = new Set<string>();

  constructor(client: Client, source: Source, context: EntryContext) {
    this.#client = client;
    this.#source = source;
    this.#context = context;
  }

  async run(): Promise<void> {
    const { known, report, dryRun, tell } = this.#context;
    const planned = await this.#plan();
    for (const { entry, existing } of planned) {
      if (existing) known.entries.set(keyOf(entry), existing.id);
      else this.#coming.add(keyOf(entry));
    }
    const missing = planned.filter(({ existing }) => !existing);
    const existing = planned.filter((each) => each.existing);
    const unfinished: Planned[] = [];
    const sent = new Map<Planned, Values>();
    let done = 0;
    if (dryRun) {
      report.entries += missing.length;
      for (const { entry } of missing) known.entries.set(keyOf(entry), 'ent_dry');
      for (const each of missing) this.#itemOf(each);
    } else {
      // By their places in the export: what earlier runs created does not change which entries are sent together.
      for (const all of batchesOf(planned, ({ entry }) => entry.values)) {
        const batch = all.filter((each) => !each.existing);
        const items = batch.map((each) => this.#itemOf(each));
        const { written, refused } = await writeItems(this.#client, items);
        for (const [item, id] of written) {
          const each = batch[items.indexOf(item)] as Planned;
          known.entries.set(keyOf(each.entry), id);
          each.existing = { id, version: '' };
          report.entries++;
          if (item.version === undefined) {
            unfinished.push(each);
            sent.set(each, item.values);
          } else this.#tellLeftOut(each, item.left);
        }
        for (const [item, reason] of refused) {
          this.#coming.delete(item.key);
          report.failed.push({ id: item.key, reason });
        }
        done += batch.length;
        tell('Entries', done, missing.length);
      }
    }
    this.#coming.clear();
    const changed = await this.#changedOf(existing);
    if (dryRun) return;
    done = 0;
    const all = [...unfinished, ...changed];
    for (const batch of batchesOf(all, ({ entry }) => entry.values)) {
      const items = batch.map((each) => this.#itemOf(each, sent.get(each)));
      const { written, refused } = await writeItems(this.#client, items);
      for (const [item] of written) this.#tellLeftOut(batch[items.indexOf(item)] as Planned, item.left);
      for (const [item, reason] of refused) report.failed.push({ id: item.key, reason });
      done += batch.length;
      tell('References and changes', done, all.length);
    }
  }

  /** Of each entry of the export, what exists here. */
  async #plan(): Promise<Planned[]> {
    const { targets } = this.#context;
    const entriesOf = Map.groupBy(this.#source.entries, ({ collectionId }) => collectionId);
    const planned: Planned[] = [];
    for (const collection of inOrder(this.#source.collections)) {
      const target = targets.get(collection.id);
      if (!target) continue;
      const existing = this.#context.existing.get(collection.id) ?? new Map<string, Existing>();
      const seen = new Set<string>();
      const entries = (entriesOf.get(collection.id) ?? []).filter(({ id }) => !seen.has(id) && seen.add(id));
      if (!target.isNew) await this.#tellDeleted(collection, target, entries, existing);
      for (const entry of entries) {
        const known = collection.singleton ? [...existing.values()][0] : existing.get(entry.id);
        planned.push({ entry, collection, target, existing: known });
      }
    }
    return planned;
  }

  /** Names what was deleted here since it was imported, which is created again. */
  async #tellDeleted(
    { id, singleton }: SourceCollection,
    { id: collectionId = '', idField }: TargetCollection,
    entries: readonly SourceEntry[],
    existing: ReadonlyMap<string, Existing>,
  ): Promise<void> {
    const missing = new Set(entries.flatMap((entry) => (existing.has(entry.id) || singleton ? [] : entry.id)));
    if (missing.size === 0) return;
    for await (const { values } of this.#client.listDeletedEntries({ collectionId, pageSize: 100 })) {
      const key = String((values as Values)[idField]);
      if (!missing.delete(key)) continue;
      this.#source.notes.add('Entries that were deleted here since they were imported are created again.', {
        collection: id,
        name: key,
      });
    }
  }

  /** Those that are not whole, or changed in the export and were not changed here. */
  async #changedOf(existing: readonly Planned[]): Promise<Planned[]> {
    const { report, dryRun } = this.#context;
    const { notes } = this.#source;
    const changed: Planned[] = [];
    const refusedBefore: Planned[] = [];
    for (const each of existing) {
      const { version } = each.existing as Existing;
      const [hash = '', ...left] = version.split('\n');
      const item = this.#itemOf(each);
      if (hash === item.version && left.length === 0) report.skipped++;
      else if (hash === item.version) refusedBefore.push(each);
      else if (hash !== '' && (await this.#isEdited(each))) {
        const note = 'Entries that changed in the export were also changed here, and are left as they are.';
        notes.add(note, { collection: each.collection.id, name: each.entry.id });
      } else {
        report.updated++;
        changed.push(each);
      }
    }
    // Perhaps the collection accepts the values now.
    for (const batch of batchesOf(refusedBefore, ({ entry }) => entry.values)) {
      const items = batch.map((each) => this.#itemOf(each));
      const { refused } = await writeItems(this.#client, items, true);
      for (const [i, item] of items.entries()) {
        const each = batch[i] as Planned;
        if (refused.has(item)) {
          report.skipped++;
          const left = each.existing?.version.split('\n').slice(1) ?? [];
          this.#tellLeftOut(each, left);
        } else {
          report.updated++;
          changed.push(each);
        }
      }
    }
    return dryRun ? [] : changed;
  }

  /** Whether someone changed values here that come from the export, after an import had written them. */
  async #isEdited({ collection, target, existing }: Planned): Promise<boolean> {
    const own = new Set(collection.fields.map(({ id }) => id));
    const ids = { collectionId: target.id ?? '', entryId: existing?.id ?? '' };
    for await (const { changedFields } of this.#client.listEntryVersions({ ...ids, pageSize: 100 })) {
      if (changedFields === null || changedFields.includes(target.versionField)) return false;
      if (changedFields.some((name) => own.has(name.split('@')[0] ?? ''))) return true;
    }
    return false;
  }

  /** What is written of an entry. @param before what was written of it in this run, without what did not exist yet */
  #itemOf({ entry, collection, target, existing }: Planned, before?: Values): Item {
    const { known } = this.#context;
    const fields = collection.fields.filter(({ id }) => !target.deleted.has(id));
    const { values, missing, found } = convertValues(fields, entry.values, known);
    const draft = entry.draft && convertValues(fields, entry.draft, known);
    const key = keyOf(entry);
    const all = [...missing.entries, ...(draft?.missing.entries ?? [])];
    const isWhole = !all.some((each) => this.#coming.has(each));
    if (isWhole) this.#tellMissing(collection, entry, { entries: all, assets: missing.assets });
    const publishes = entry.isPublished === true && collection.publishing === true;
    // Not of URLs, which contain names that change.
    const ids = [...new Set([...found, ...(draft?.found ?? [])])].sort();
    const content = JSON.stringify([entry.values, publishes, entry.draft ?? null, ids], inOneOrder);
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    const version = entry.createdAt === undefined ? hash : `${hash} ${entry.createdAt}`;
    // What an entry has here and no longer there is cleared.
    const names = existing && !before ? namesOf(fields, this.#source.locales?.all ?? [], known) : [];
    const cleared = Object.fromEntries(names.flatMap((name) => (name in values ? [] : [[name, null]])));
    const changed = Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before?.[name]),
    );
    return {
      key,
      collectionId: target.id ?? '',
      idField: target.idField,
      versionField: target.versionField,
      sourceId: entry.id,
      id: existing?.id,
      values: structuredClone({ ...cleared, ...Object.fromEntries(changed) }),
      draft: isWhole && draft ? structuredClone(draft.values) : undefined,
      publishes: publishes && isWhole,
      hasDrafts: collection.publishing === true,
      version: isWhole ? version : undefined,
      left: [],
    };
  }

  readonly #told = new Set<string>();

  #tellMissing(
    collection: SourceCollection,
    entry: SourceEntry,
    missing: { entries: string[]; assets: string[] },
  ): void {
    const key = keyOf(entry);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const { notes } = this.#source;
    for (const name of missing.entries) {
      const note = 'References to entries that are not in the export, or were refused, are left out.';
      notes.add(note, { collection: collection.id, unit: 'reference', name });
    }
    for (const name of missing.assets) {
      const note =
        'Files that are not in the export, or were refused, are left out. Add them and run the import again.';
      notes.add(note, { collection: collection.id, unit: 'file', name });
    }
  }

  #tellLeftOut({ entry, collection }: Planned, left: readonly string[]): void {
    if (left.length === 0) return;
    const how = collection.publishing ? 'Imported as a draft without' : 'Imported without';
    this.#context.report.failed.push({ id: keyOf(entry), reason: `${how} ${left.join('; ')}` });
  }
}

/** Of JSON: members are in an order that does not depend on that of rows. */
const inOneOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const keyOf = ({ collectionId, id }: SourceEntry) => entryKey(collectionId, id);

/** Collections after those that they refer to, as far as possible, so that most references can be set at once. */
function inOrder(collections: readonly SourceCollection[]): SourceCollection[] {
  const byId = new Map(collections.map((each) => [each.id, each]));
  const ordered = new Set<SourceCollection>();
  const visited = new Set<string>();
  const targetsOf = (fields: SourceCollection['fields']): string[] =>
    fields.flatMap(({ collections: targets = [], fields: inner = [], blocks = [] }) => [
      ...targets,
      ...targetsOf(inner),
      ...blocks.flatMap((block) => targetsOf(block.fields)),
    ]);
  const visit = (collection: SourceCollection) => {
    if (visited.has(collection.id)) return;
    visited.add(collection.id);
    for (const id of targetsOf(collection.fields)) {
      const target = byId.get(id);
      if (target) visit(target);
    }
    ordered.add(collection);
  };
  for (const collection of collections) visit(collection);
  return [...ordered];
}
