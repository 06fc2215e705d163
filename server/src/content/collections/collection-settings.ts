import type { Fault } from '../../shared/errors.ts';
import { typeOf } from '../field-types/index.ts';
import { checkUrlPattern } from '../urls/url-pattern.ts';
import { type Field, isActive } from './field.ts';

/** Fields whose values are unique together, with the numbers under which they are claimed. */
export interface UniqueTogether {
  key: number;
  publishedKey?: number;
  fieldIds: string[];
}

/** What few collections have; what is absent does not apply. */
export interface CollectionSettings {
  /** It has one entry. */
  singleton?: true;
  /** No two entries have the same values of these fields. */
  uniqueTogether?: UniqueTogether[];
  /** Entries have a position. */
  ordering?: 'manual';
  /** Entries have a parent, or are at the top. */
  tree?: true;
  /** The path of the page of an entry. */
  urlPattern?: string;
}

interface SentSettings {
  singleton?: boolean;
  uniqueTogether?: string[][] | null;
  ordering?: 'manual' | null;
  tree?: boolean;
  urlPattern?: string | null;
}

/** The settings of a collection after a request; null: none. */
export function mergeCollectionSettings(
  fields: readonly Field[],
  before: CollectionSettings | null,
  sent: SentSettings,
  faults: Fault[],
): CollectionSettings | null {
  const settings: CollectionSettings = {};
  if (sent.singleton ?? before?.singleton) settings.singleton = true;
  if (sent.tree ?? before?.tree) settings.tree = true;
  const ordering = sent.ordering === undefined ? before?.ordering : sent.ordering;
  if (ordering === 'manual' || settings.tree) settings.ordering = 'manual';
  if (settings.tree && sent.ordering === null) {
    faults.push({ pointer: '/ordering', code: 'tree_ordered', detail: 'The entries of a tree have a manual order.' });
  }
  const tuples = sent.uniqueTogether === undefined ? undefined : (sent.uniqueTogether ?? []);
  if (tuples) checkTuples(fields, tuples, faults);
  const named = tuples?.map((fieldIds) => {
    const known = before?.uniqueTogether?.find((each) => nameOf(each.fieldIds) === nameOf(fieldIds));
    return known ? { ...known, fieldIds } : { key: 0, fieldIds };
  });
  const uniqueTogether = named ?? before?.uniqueTogether ?? [];
  if (uniqueTogether.length > 0) settings.uniqueTogether = uniqueTogether;
  const urlPattern = sent.urlPattern === undefined ? before?.urlPattern : (sent.urlPattern ?? undefined);
  if (sent.urlPattern) checkUrlPattern(fields, sent.urlPattern, faults);
  if (urlPattern !== undefined) settings.urlPattern = urlPattern;
  return Object.keys(settings).length === 0 ? null : settings;
}

const nameOf = (fieldIds: readonly string[]) => [...fieldIds].sort().join('\n');

function checkTuples(fields: readonly Field[], tuples: readonly string[][], faults: Fault[]): void {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  const names = tuples.map(nameOf);
  for (const [i, fieldIds] of tuples.entries()) {
    const pointer = `/uniqueTogether/${i}`;
    if (new Set(fieldIds).size !== fieldIds.length) fault(pointer, 'duplicate', 'Name each field once.');
    if (names.indexOf(names[i] ?? '') !== i) fault(pointer, 'duplicate', 'The same fields are listed twice.');
    for (const [j, id] of fieldIds.entries()) {
      const field = byId.get(id);
      if (!field || !isActive(field))
        fault(`${pointer}/${j}`, 'field_unknown', `There is no active field with the ID "${id}".`);
      else if (!canBeCompared(field)) {
        fault(
          `${pointer}/${j}`,
          'unique_not_allowed',
          `"${field.label}" cannot be compared, as it is repeated or has no plain value.`,
        );
      }
    }
  }
}

const canBeCompared = (field: Field) =>
  !field.repeated && (typeOf(field).isImportKey || typeOf(field).structure === 'reference' || field.type === 'boolean');

export const serializeSettings = (settings: CollectionSettings | null) => ({
  ...(settings?.singleton && { singleton: true }),
  ...(settings?.uniqueTogether && { uniqueTogether: settings.uniqueTogether.map(({ fieldIds }) => fieldIds) }),
  ...(settings?.ordering && { ordering: settings.ordering }),
  ...(settings?.tree && { tree: true }),
  ...(settings?.urlPattern !== undefined && { urlPattern: settings.urlPattern }),
});
