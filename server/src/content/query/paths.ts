import { nearestName } from '../../shared/nearest-name.ts';
import type { Collection } from '../collections/collection.ts';
import { type Block, type Field, isActive, type NestedField } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';
import type { SystemColumn } from './where.ts';

/** Where a path leads in a collection, as its reader may see it. */
export type Place =
  | { kind: 'system'; column: SystemColumn }
  /**
   * A field; those in rows have the values of all rows. @property names where its value is, for each of its sources
   * @property jsonPaths the same as SQL/JSON paths, also of values in rows
   */
  | {
      kind: 'field';
      field: Field;
      names: readonly (readonly string[])[];
      jsonPaths: readonly string[];
      isInRows: boolean;
    }
  /** The rows of a repeated group, or of a type of block. */
  | { kind: 'rows'; field: Field; block: Block | undefined; names: readonly (readonly string[])[]; isInRows: boolean }
  /** Through a reference. */
  | { kind: 'reference'; field: Field; rest: readonly string[]; jsonPaths: readonly string[]; isInRows: boolean }
  | { kind: 'unknown'; name: string; known: readonly string[] };

/** Fields among which a path starts: those of a collection, or of the rows that a condition is about. */
export interface Owner {
  fields: readonly NestedField[];
  /** Of a collection: also its fields by other names. */
  byId?: ReadonlyMap<string, Field>;
  columns: readonly SystemColumn[];
  /** Whether its entries have a publishing state, which conditions can name. */
  isPublishing?: boolean;
}

const COLUMNS: readonly SystemColumn[] = ['id', 'createdAt', 'updatedAt', 'publishedAt', 'version'];
/** What everyone can read of an entry. */
const PUBLIC_COLUMNS: readonly SystemColumn[] = ['id', 'createdAt', 'updatedAt', 'publishedAt'];

export const ownerOf = ({ fields, byId, publishing }: Collection, isPublic: boolean): Owner => ({
  fields,
  byId,
  isPublishing: publishing && !isPublic,
  columns: isPublic ? PUBLIC_COLUMNS : COLUMNS,
});

/** The fields of rows, as a place where paths start. */
export const rowOwner = (field: NestedField, block: Block | undefined): Owner => ({
  fields: block ? block.fields : (field.fields ?? []),
  columns: [],
});

export function findPlace(owner: Owner, path: readonly string[]): Place {
  const [first = '', ...others] = path;
  const isValues = first === 'values' && others.length > 0 && !owner.byId?.has('values');
  const [name = '', ...rest] = isValues ? others : path;
  const found = owner.byId?.get(name) ?? owner.fields.find(({ id }) => id === name);
  if (found && isActive(found)) {
    const names = (found as Field).sources?.map(({ id }) => [id]) ?? [[found.id]];
    // Rows without a value have no row in the index.
    const field = owner.byId ? asField(found) : { ...asField(found), pending: true as const };
    return withinField(field, rest, { names, jsonPaths: names.map(([id = '']) => `$.${quoted(id)}`), isInRows: false });
  }
  const column = owner.columns.find((each) => each === name);
  if (!isValues && column && rest.length === 0) return { kind: 'system', column };
  return { kind: 'unknown', name, known: [...owner.fields.filter(isActive).map(({ id }) => id), ...owner.columns] };
}

const asField = (field: NestedField): Field => ({ repeated: false, ...field, fields: field.fields ?? null });

interface At {
  names: readonly (readonly string[])[];
  jsonPaths: readonly string[];
  isInRows: boolean;
}

/** A member of a value in an SQL/JSON path. */
const quoted = (name: string) => JSON.stringify(name);

function withinField(field: Field, rest: readonly string[], at: At): Place {
  const { names, isInRows, jsonPaths } = at;
  const [name, ...others] = rest;
  const { structure } = typeOf(field);
  if (name === undefined) {
    if (field.blocks || (structure === 'fields' && field.repeated)) {
      return { kind: 'rows', field, block: undefined, names, isInRows };
    }
    return { kind: 'field', field, names, jsonPaths, isInRows };
  }
  if (structure === 'reference') return { kind: 'reference', field, rest, jsonPaths, isInRows };
  if (field.blocks) {
    const block = field.blocks.find((each) => each.id === name && isActive(each));
    if (!block) return unknown(name, field.blocks.filter(isActive));
    if (others.length === 0) return { kind: 'rows', field, block, names, isInRows };
    const ofBlock = jsonPaths.map((each) => `${each}[*] ? (@._block == ${quoted(block.id)})`);
    return within(field, block.fields, others, { names, jsonPaths: ofBlock, isInRows: true });
  }
  if (structure !== 'fields') return unknown(name, []);
  const ofRows = field.repeated ? jsonPaths.map((each) => `${each}[*]`) : jsonPaths;
  return within(field, field.fields ?? [], rest, { names, jsonPaths: ofRows, isInRows: isInRows || field.repeated });
}

/** A field of a group. Its values in the fallbacks of a locale are those of the same field there. */
function within(
  group: Field,
  members: readonly NestedField[],
  [name = '', ...rest]: readonly string[],
  { names, jsonPaths, isInRows }: At,
): Place {
  const at = members.findIndex(({ id }) => id === name);
  const member = members[at];
  if (!member || !isActive(member)) return unknown(name, members.filter(isActive));
  const sources = group.sources?.flatMap((source) => {
    const same = source.fields?.[at];
    return same ? asField(same) : [];
  });
  const isRepeated = isInRows || member.repeated === true;
  const field: Field = {
    ...asField(member),
    // What a field in rows has is a list of all values.
    repeated: isRepeated,
    // The index has no rows for entries without a value.
    pending: true,
    ...(sources && sources.length > 1 && { sources }),
  };
  return withinField(field, rest, {
    names: names.map((each) => [...each, name]),
    jsonPaths: jsonPaths.map((each) => `${each}.${quoted(name)}`),
    isInRows,
  });
}

const unknown = (name: string, known: readonly { id: string }[]): Place => ({
  kind: 'unknown',
  name,
  known: known.map(({ id }) => id),
});

/** The name that was probably meant, as a sentence; empty if none is near. */
export function hintOf(place: Place): string {
  const near = place.kind === 'unknown' ? nearestName(place.name, place.known) : undefined;
  return near === undefined ? '' : ` Perhaps you meant "${near}".`;
}
