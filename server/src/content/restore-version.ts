import { notFound } from '../shared/errors.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { rewriteEntry } from './change-entry.ts';
import type { Values } from './check-values.ts';
import { type Field, isActive, type NestedField } from './collection.ts';
import type { Entry, VersionRestore } from './contract.ts';
import { readVersion } from './read-version.ts';
import { findVersion } from './version-queries.ts';
import type { Writing } from './writing.ts';

/**
 * Gives an entry the values that it had in a version, as a change of its own. It is what sending those values would be: a field
 * without a value then loses it, one that was deleted since stays as it is, and what may not be written any more is a fault.
 * A value that the entry has already is no change.
 * @throws ApiError 404 for an entry that is deleted, and a version that is not kept; 400 as `changeEntry`
 */
export function restoreVersion(
  tx: Tx,
  writing: Writing,
  path: { collectionId: string; entryId: string; version: string },
  { version, fields }: VersionRestore,
): Promise<Entry> {
  const { accountId } = writing.author;
  return rewriteEntry(
    tx,
    writing,
    path,
    version === undefined ? {} : { version },
    async (collection, before, stored) => {
      const wanted = readVersion(path.version);
      const [row] = await findVersion(tx, accountId, before.id, wanted);
      if (!row) throw notFound('version');
      const then: Values = JSON.parse(row.values);
      const values: Values = {};
      for (const field of collection.fields) {
        if (!isActive(field) || (fields !== undefined && !fields.includes(field.id))) continue;
        const [old, now] = [then, stored].map((from) => writable(field, from));
        if (JSON.stringify(old) !== JSON.stringify(now)) values[field.id] = old ?? null;
      }
      return { values, restoredFrom: wanted };
    },
  );
}

/** The value of a field as it may be sent: without what a group has of deleted fields. */
function writable(field: Field, values: Values): unknown {
  const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
  if (field.type !== 'group' || value === undefined) return value;
  const active = (field.fields ?? []).filter(isActive);
  return Array.isArray(value) ? value.map((group) => only(active, group)) : only(active, value as Values);
}

function only(fields: readonly NestedField[], group: Values): Values {
  return Object.fromEntries(fields.filter(({ id }) => Object.hasOwn(group, id)).map(({ id }) => [id, group[id]]));
}
