import { type Fault, refuse } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { claimExisting, findDuplicate, releaseFields, TUPLES } from '../entries/unique-keys.ts';
import { type CollectionSettings, type Field, isActive, isOwn, publishedKeyOf, tuplesOf } from './collection.ts';

/** The fields of a collection, and whether uniqueness applies to what is published of them. */
interface Fields {
  fields: readonly Field[];
  settings: CollectionSettings | null;
  publishing: boolean;
}

/** A translation is not part of a request, so its field is named. */
const pointerIndex = (fields: readonly Field[], { id, translationOf = id }: Field): number =>
  fields.filter(isOwn).findIndex((field) => field.id === translationOf);

/** The key under which values of a field are claimed. */
const claimKey = (field: Field, publishing: boolean) => (publishing ? publishedKeyOf(field) : field.key);

/**
 * Claims the values of fields that become unique, and releases those of fields that no longer are. The transaction holds the
 * collection's lock. A million entries take about 3 s.
 * @throws ApiError 400 `values_not_unique` if entries have the same value
 */
export async function updateUniqueKeys(
  tx: Tx,
  account_id: string,
  collection_id: string,
  before: Fields,
  after: Fields,
): Promise<void> {
  const isClaimed = (field: Field) => field.unique === true && isActive(field);
  const uniqueBefore = before.fields.filter(isClaimed).map((field) => claimKey(field, before.publishing));
  const existing = new Set(before.fields.map(({ id }) => id));
  const isUnique = (field: Field) => isClaimed(field) && existing.has(field.id);
  const uniqueAfter = after.fields.filter(isUnique).map((field) => ({ field, key: claimKey(field, after.publishing) }));
  const released = uniqueBefore.filter((key) => !uniqueAfter.some((each) => each.key === key));
  if (released.length > 0) await releaseFields(tx, { account_id, field_keys: released });
  const claimed = uniqueAfter.filter(({ key }) => !uniqueBefore.includes(key));
  const faults: Fault[] = [];
  for (const { field, key } of claimed) {
    const [found] = await findDuplicate(tx, { account_id, field_key: key });
    if (!found) continue;
    const entries = `${publicId('ent', found.one)} and ${publicId('ent', found.other)}`;
    const detail = `"${field.label}" cannot be unique, as the entries ${entries} have the same value.`;
    faults.push({ pointer: `/fields/${pointerIndex(after.fields, field)}/unique`, code: 'values_not_unique', detail });
  }
  refuse(faults);
  for (const { key } of claimed) await claimExisting(tx, { account_id, field_key: key });
  await updateTuples(tx, account_id, collection_id, before, after);
}

/** The same for fields whose values are unique together. */
async function updateTuples(
  tx: Tx,
  account_id: string,
  collection_id: string,
  before: Fields,
  after: Fields,
): Promise<void> {
  const tuplesIn = (fields: Fields) =>
    tuplesOf(fields, ({ key, publishedKey = 0 }) => (fields.publishing ? publishedKey : key)).map((tuple) => ({
      ...tuple,
      name: `${tuple.key} ${tuple.fields.map(({ key }) => key).join(' ')}`,
    }));
  const [old, current] = [tuplesIn(before), tuplesIn(after)];
  const released = old.filter(({ name }) => !current.some((each) => each.name === name)).map(({ key }) => key);
  if (released.length > 0) await releaseFields(tx, { account_id, field_keys: released });
  const faults: Fault[] = [];
  const { findDuplicate, claim } = TUPLES[after.publishing ? 'published' : 'draft'];
  for (const { key: field_key, name, fields } of current) {
    if (old.some((each) => each.name === name)) continue;
    const member_keys = fields.map((field) => String(after.publishing ? publishedKeyOf(field) : field.key));
    const scope = { account_id, collection_id, field_key, member_keys };
    const [found] = await findDuplicate(tx, scope);
    if (!found) await claim(tx, scope);
    else {
      const labels = fields.map(({ label }) => `"${label}"`).join(', ');
      const detail = `${labels} cannot be unique together, as the entries ${publicId('ent', found.one)} and ${publicId('ent', found.other)} have the same values.`;
      const at = after.settings?.uniqueTogether?.findIndex(({ fieldIds }) =>
        fields.every(({ id }) => fieldIds.includes(id)),
      );
      faults.push({ pointer: `/uniqueTogether/${at ?? 0}`, code: 'values_not_unique', detail });
    }
  }
  refuse(faults);
}
