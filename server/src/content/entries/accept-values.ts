import { type AssetValue, FILE_TEXTS, lockAssets, type OwnMembers } from '../../files/index.ts';
import { type ApiError, type Fault, invalid } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { Field, SchemaView } from '../collections/collection.ts';
import type { AssetReference } from '../field-types/field-type.ts';
import { blockDeletions, keepCollections } from '../references/reference-uses.ts';
import { readableOfAny } from '../roles/permitted.ts';
import { type CheckedValues, MAX_FAULTS, type SentReference, type Values } from './check-values.ts';
import { computeValues } from './computed-values.ts';

/** The possible slugs that are known to be taken. */
export type IsTaken = (field: Field, slug: string) => boolean;

/**
 * Returns checked values, with derived slugs, after locking the assets they use, which keeps these until the transaction ends.
 * @throws ApiError 400 with every fault, including unknown assets and entries
 */
export async function acceptValues(
  tx: Tx,
  accountId: string,
  checked: CheckedValues,
  isTaken?: IsTaken,
): Promise<Values> {
  const {
    refused: [refused],
  } = await acceptAll(tx, accountId, [checked], '', isTaken);
  if (refused) throw refused;
  return checked.values;
}

export interface Accepted {
  /** For each what `acceptValues` throws, if anything. */
  refused: (ApiError | undefined)[];
  /** The assets that the values use, as they are returned. */
  assets: ReadonlyMap<string, AssetValue>;
}

/** The same for the values of several entries of one author, by as many statements as for those of one. */
export async function acceptAll(
  tx: Tx,
  accountId: string,
  all: readonly CheckedValues[],
  publicUrl: string,
  isTaken?: IsTaken,
): Promise<Accepted> {
  const ids = all.flatMap(({ assets }) => assets.map(({ assetId }) => assetId));
  const sent = all.flatMap(({ references }) => references);
  const [assets, faultOf] = await Promise.all([
    ids.length === 0 ? new Map<string, AssetValue>() : lockAssets(tx, accountId, ids, publicUrl),
    sent.length === 0 ? undefined : referenceFaults(tx, accountId, sent, all[0]?.schema),
  ]);
  const refused = all.map((checked) => {
    const faults = [...checked.faults];
    const add = (more: readonly Fault[]) => faults.push(...more.slice(0, Math.max(0, MAX_FAULTS - faults.length)));
    const unknown = checked.assets.filter(({ assetId }) => !assets.has(assetId));
    add(unknown.map(({ pointer }) => ({ pointer, code: 'asset_unknown', detail: 'There is no asset with this ID.' })));
    for (const { assetId, reference } of checked.assets) dropEqualMembers(reference, assets.get(assetId));
    add(checked.references.flatMap((reference) => faultOf?.(reference) ?? []));
    return faults.length > 0 ? invalid(faults) : undefined;
  });
  await deriveSlugs(
    tx,
    accountId,
    all.filter((_, i) => refused[i] === undefined),
    isTaken,
  );
  return { refused, assets };
}

/** An asset as it was read can be sent back: what equals the file's own is not set for this use alone. */
function dropEqualMembers(reference: AssetReference, file: OwnMembers | undefined): void {
  for (const text of FILE_TEXTS) if (reference[text] === file?.[text]) delete reference[text];
  const { focalPoint } = reference;
  if (focalPoint?.x === file?.focalPoint?.x && focalPoint?.y === file?.focalPoint?.y) delete reference.focalPoint;
}

/**
 * The faults of references to entries that do not exist, are deleted, or are in other collections. In a transaction, entries
 * that a field protects from deletion are kept until it ends.
 */
export async function findReferenceFaults(
  tx: Tx,
  account_id: string,
  references: readonly SentReference[],
  schema?: SchemaView,
): Promise<Fault[]> {
  const faultOf = await referenceFaults(tx, account_id, references, schema);
  return references.flatMap((reference) => faultOf(reference) ?? []);
}

async function referenceFaults(
  tx: Tx,
  account_id: string,
  references: readonly SentReference[],
  schema: SchemaView | undefined,
): Promise<(reference: SentReference) => Fault | undefined> {
  const uuid = ({ entryId }: SentReference) => parseId('ent', entryId) ?? '';
  const protecting = references.filter(({ field }) => field.onDelete === 'refuse');
  if (protecting.length > 0) {
    const collections = protecting.flatMap(({ field }) => field.collectionIds ?? []);
    await keepCollections(
      tx,
      account_id,
      collections.flatMap((id) => parseId('col', id) ?? []),
    );
    await blockDeletions(tx, account_id, protecting.map(uuid));
  }
  const ids = [...new Set(references.map(uuid))];
  const targets = await findTargets(tx, { account_id, ids });
  // What a role may not read does not exist for it.
  const readable = schema ? await readableOfAny(tx, account_id, schema, targets) : targets;
  const found = new Map(readable.map((row) => [row.id, row.collection_id]));
  return (reference) => {
    const { pointer, field } = reference;
    const collection = found.get(uuid(reference));
    if (collection === undefined) {
      return { pointer, code: 'reference_unknown', detail: `"${field.label}" must be the ID of an existing entry.` };
    }
    if (field.collectionIds?.includes(publicId('col', collection))) return undefined;
    const detail = `"${field.label}" cannot reference entries of this collection.`;
    return { pointer, code: 'reference_not_allowed', detail };
  };
}

const findTargets = statement('content.find_reference_targets', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  id: string;
  collection_id: string;
}>(
  `select e.id, e.collection_id from entries e
   join collections c on c.account_id = :account_id and c.id = e.collection_id and c.status = 'active'
   where e.account_id = :account_id and e.id = any(:ids) and e.status = 'active'`,
);

/** Entries with the same text get `summer`, `summer-2` … `summer-9`, and then random endings. */
const NUMBERED = 9;

/**
 * Sets a free slug for entries without one. Another transaction may take it first: whether it is unique is decided when it is
 * claimed. Drafts claim nothing before they are published, so the transactions that derive slugs for them lock these.
 * @param isTaken what the caller knows to be taken
 */
export async function deriveSlugs(
  tx: Tx,
  account_id: string,
  all: readonly Pick<CheckedValues, 'values' | 'slugs'>[],
  isTaken: IsTaken = () => false,
): Promise<void> {
  const missing = all.flatMap(({ values, slugs }) => slugs.map((slug) => ({ values, ...slug })));
  if (missing.length === 0) return;
  const fields = [...new Set(missing.map(({ field }) => field))];
  const field_keys = fields.flatMap(({ key, publishedKey = [] }) => [key, publishedKey].flat());
  const slugs = [...new Set(missing.flatMap(({ base }) => candidatesOf(base)))];
  const nameOf = ({ key }: Field, slug: string) => `${key} ${slug}`;
  const drafts = missing.filter(({ field }) => field.publishedKey !== undefined);
  const names = [...new Set(drafts.map(({ field, base }) => nameOf(field, base)))];
  const [locks, rows] = await Promise.all([
    names.length === 0 ? [] : tryLockSlugs(tx, { account_id, names }),
    // A statement after the locks, which sees what was committed before they were free.
    findSlugs(tx, { account_id, field_keys, slugs }),
  ]);
  const busy = new Set(locks.filter(({ is_locked }) => !is_locked).map(({ name }) => name));
  const taken = new Set(rows.map(({ field_key, slug }) => `${field_key} ${slug}`));
  for (const { values, field, base, fields: inEntry } of missing) {
    const isFree = (slug: string) =>
      !isTaken(field, slug) && ![field.key, field.publishedKey].some((key) => taken.has(`${key} ${slug}`));
    const candidates = busy.has(nameOf(field, base)) ? [] : candidatesOf(base);
    const slug = candidates.find(isFree) ?? `${base}-${randomEnding()}`;
    taken.add(nameOf(field, slug));
    values[field.id] = slug;
    computeValues(inEntry, values);
  }
}

const candidatesOf = (base: string) => [
  base,
  ...Array.from({ length: NUMBERED - 1 }, (_, i) => `${base}-${String(i + 2)}`),
];

const randomEnding = () => Math.random().toString(36).slice(2, 10).padEnd(8, '0');

/** Until the transaction ends. Never waits: a slug that is being derived elsewhere gets a random ending. */
const tryLockSlugs = statement('content.try_lock_slugs', { account_id: 'uuid', names: 'text[]' }).returns<{
  name: string;
  is_locked: boolean;
}>(
  `select name, pg_try_advisory_xact_lock(hashtextextended(:account_id::text || name, 18)) as is_locked
   from unnest(:names::text[]) as name`,
);

/** The current and earlier slugs of entries, except those that only entries in the trash had. */
const findSlugs = statement('content.find_slugs', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
  slugs: 'text[]',
}).returns<{ field_key: number; slug: string }>(
  `select field_key, sort_key as slug from entry_index
   where account_id = :account_id and field_key = any(:field_keys) and sort_key = any(:slugs)
   union all
   select o.field_key, o.slug from old_slugs o
   join entries e on e.account_id = :account_id and e.id = o.entry_id and e.status = 'active'
   where o.account_id = :account_id and o.field_key = any(:field_keys) and o.slug = any(:slugs)`,
);
