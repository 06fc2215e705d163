import { escapePointer, type Fault } from '../../shared/errors.ts';
import { unstorableFaults } from '../../shared/json.ts';
import { type Collection, type Field, isActive, type NestedField } from '../collections/collection.ts';
import type { ValueContext } from '../field-types/field-type.ts';
import { toSlug } from '../field-types/formats/slug.ts';
import { isGroup } from '../field-types/group.ts';
import { typeOf } from '../field-types/index.ts';
import { findViolation, PatternBudget } from '../field-types/validation.ts';
import { LIMITS } from '../limits.ts';

/** The values of an entry by field ID, as they are stored: assets as references, times in UTC, no nulls. */
export type Values = Record<string, unknown>;

export interface CheckedValues {
  /** In the order of the fields. Only meaningful without faults. */
  values: Values;
  faults: Fault[];
  /** The assets that the values use. Whether they exist is checked by `acceptValues`. */
  assets: { pointer: string; assetId: string }[];
  /** The entries that new values reference. Whether they exist is checked by `acceptValues`. */
  references: SentReference[];
  /** The slugs that the entry lacks and its text suggests; until they are set, the values contain them as undefined. */
  slugs: MissingSlug[];
}

export interface SentReference {
  pointer: string;
  field: NestedField;
  /** As the API writes it. */
  entryId: string;
}

export interface MissingSlug {
  field: Field;
  base: string;
}

/** Checks the values of a new entry against every rule of every field. */
export function checkNewValues(collection: Collection, sent: Values): CheckedValues {
  return new ValueCheck(!collection.publishing).run(collection.fields, sent, undefined);
}

/** Checks the values of a change and merges them into the stored ones: fields that are not sent stay, null clears. */
export function checkChangedValues(collection: Collection, sent: Values, stored: Values): CheckedValues {
  return new ValueCheck(!collection.publishing).run(collection.fields, sent, stored);
}

/**
 * Checks stored values against every rule of every active field, as they are about to be published.
 * @param changed the locales that are published, if fields are localized; others stay as they are
 */
export function checkPublishedValues(
  collection: Collection,
  stored: Values,
  changed?: readonly string[],
): CheckedValues {
  const fields = changed ? fieldsOfLocales(collection, changed) : collection.fields;
  const sent = fields.filter(isActive).map((field) => [field.id, writableValue(field, stored) ?? null]);
  return new ValueCheck(true, false).run(fields, Object.fromEntries(sent), stored);
}

/** In a published locale, the translation of a required field is required as well. */
function fieldsOfLocales({ fields, byId, locales }: Collection, chosen: readonly string[]): Field[] {
  return fields.flatMap((field) => {
    if (!chosen.includes(field.locale ?? locales?.default ?? '')) return [];
    const { required } = byId.get(field.translationOf ?? field.id) ?? field;
    return required === field.required ? field : { ...field, required };
  });
}

/** The value of a field as it can be sent: a group without its deleted fields. */
export function writableValue(field: Field, values: Values): unknown {
  const value = own(values, field.id);
  if (typeOf(field).structure !== 'fields' || value === undefined) return value;
  const active = (field.fields ?? []).filter(isActive);
  const withoutDeleted = (group: Values) =>
    Object.fromEntries(active.filter(({ id }) => Object.hasOwn(group, id)).map(({ id }) => [id, group[id]]));
  return Array.isArray(value) ? value.map(withoutDeleted) : withoutDeleted(value as Values);
}

/** Checks the default value of a field as the value of a new entry. */
export function checkDefaultValue(field: Field, pointer: string): { value: unknown; faults: Fault[] } {
  const active = { ...field, status: 'active', required: false } as const;
  const { values, faults } = new ValueCheck(false, false).run(
    [active],
    { [field.id]: field.defaultValue },
    undefined,
    pointer,
  );
  return { value: faults.length > 0 ? undefined : values[field.id], faults };
}

/** More faults of one request are not worth returning. */
export const MAX_FAULTS = 1_000;
const TOO_MANY_FAULTS = new Error('the request has too many faults');

// Runs in time linear to the request, the fields and the stored values, since any of them can be large.
class ValueCheck {
  readonly #faults: Fault[] = [];
  readonly #assets: CheckedValues['assets'] = [];
  readonly #references: SentReference[] = [];
  readonly #knownIds = new Map<readonly NestedField[], Set<string>>();
  readonly #storedValues = new Map<NestedField, Set<unknown>>();
  readonly #budget = new PatternBudget();
  /** Whether required fields need a value. */
  readonly #isComplete: boolean;
  readonly #derivesSlugs: boolean;
  #valueCount = 0;

  constructor(isComplete: boolean, derivesSlugs = true) {
    this.#isComplete = isComplete;
    this.#derivesSlugs = derivesSlugs;
  }

  /** @param only the pointer of the only field, if it is not that of a value */
  run(fields: readonly Field[], sent: Values, stored: Values | undefined, only?: string): CheckedValues {
    const values: Values = {};
    const slugs: MissingSlug[] = [];
    try {
      this.refuseUnknown(fields, sent, '/values');
      for (const field of fields) {
        const before = own(stored, field.id);
        const isUnchanged = stored !== undefined && !Object.hasOwn(sent, field.id);
        const next = stored === undefined ? withDefault(field, sent) : own(sent, field.id);
        if (field.format === 'slug' && this.#derivesSlugs && isActive(field) && (isUnchanged ? before : next) == null) {
          // Which slug it is depends on a field that may come later.
          slugs.push({ field, base: '' });
          values[field.id] = undefined;
          continue;
        }
        const value = isUnchanged ? before : this.#field(field, next, before, only);
        if (isUnchanged && Array.isArray(before)) this.#valueCount += before.length;
        if (value !== undefined) values[field.id] = value;
      }
      for (const slug of slugs)
        this.#deriveSlug(slug, values, stored === undefined || Object.hasOwn(sent, slug.field.id));
    } catch (error) {
      if (error !== TOO_MANY_FAULTS) throw error;
    }
    const missing = slugs.filter(({ base }) => base !== '');
    return { values, faults: this.#faults, assets: this.#assets, references: this.#references, slugs: missing };
  }

  #deriveSlug(slug: MissingSlug, values: Values, isSent: boolean): void {
    const { id, slugSource } = slug.field;
    const text = slugSource === undefined ? undefined : own(values, slugSource);
    slug.base = typeof text === 'string' ? toSlug(text) : '';
    if (slug.base !== '') return;
    delete values[id];
    if (isSent) this.refuseMissing(slug.field, `/values/${id}`);
  }

  /** The value as it is stored; undefined if there is none or it is invalid. */
  #field(field: Field, sent: unknown, stored: unknown, pointer = `/values/${field.id}`): unknown {
    if (!isActive(field)) {
      if (sent !== undefined) this.refuseDeleted(field, pointer);
      return stored;
    }
    const value = withoutEmptyText(field, sent, field.repeated);
    if (value === undefined || value === null) {
      this.refuseMissing(field, pointer);
      return undefined;
    }
    if (!field.repeated) return this.check(field, value, [stored], pointer, field);
    if (!Array.isArray(value)) return this.fault(pointer, 'type', `"${field.label}" must be an array.`);
    if (value.length === 0 && field.required && this.#isComplete) {
      this.fault(pointer, 'required', `"${field.label}" needs at least one value.`);
    }
    if (value.length > LIMITS.valuesPerField) {
      return this.fault(pointer, 'too_many', `"${field.label}" must have at most ${LIMITS.valuesPerField} values.`);
    }
    this.#valueCount += value.length;
    if (this.#valueCount > LIMITS.valuesPerEntry) {
      const detail = `The repeated fields of an entry must have at most ${LIMITS.valuesPerEntry} values together.`;
      return this.fault(pointer, 'too_many', detail);
    }
    const storedItems = Array.isArray(stored) ? stored : [];
    return value.map((item, i) => this.check(field, item, storedItems, `${pointer}/${i}`, field));
  }

  check(field: NestedField, value: unknown, stored: readonly unknown[], pointer: string, owner: Field): unknown {
    const spot = new Spot(this, field, stored, pointer, owner);
    const { check, sortKey, structure } = typeOf(field);
    const checked = check(value, spot);
    // A request body is free of this, but not what was made of HTML or stood in a cell. The members of a group are checked alone.
    const unstorable = structure === 'fields' ? [] : unstorableFaults(checked, pointer);
    if (unstorable.length > 0) {
      for (const each of unstorable) this.fault(each.pointer, each.code, each.detail);
      return undefined;
    }
    // An entry keeps a value that it had before the rule.
    if (checked === undefined || !field.validation || spot.wasStored(checked)) return checked;
    const violation = findViolation(field, checked, sortKey, this.#budget);
    return violation ? spot.fault(violation.code, `"${field.label}" must ${violation.must}.`) : checked;
  }

  refuseUnknown(fields: readonly NestedField[], sent: Values, pointer: string): void {
    const known = this.#knownIds.get(fields) ?? new Set(fields.map(({ id }) => id));
    this.#knownIds.set(fields, known);
    for (const id of Object.keys(sent)) {
      if (known.has(id)) continue;
      const detail = `There is no field with the ID "${id.slice(0, LIMITS.labelLength)}".`;
      this.fault(`${pointer}/${escapePointer(id)}`, 'unknown_property', detail);
    }
  }

  refuseDeleted({ label }: NestedField, pointer: string): void {
    this.fault(pointer, 'field_deleted', `"${label}" was deleted and cannot be written.`);
  }

  /** If the field needs a value. */
  refuseMissing({ label, required }: NestedField, pointer: string): void {
    if (!required || !this.#isComplete) return;
    this.fault(pointer, 'required', `"${label}" is required.`);
  }

  fault(pointer: string, code: string, detail: string): undefined {
    if (this.#faults.length === MAX_FAULTS) throw TOO_MANY_FAULTS;
    this.#faults.push({ pointer, code, detail });
  }

  addAsset(pointer: string, assetId: string): void {
    this.#assets.push({ pointer, assetId });
  }

  addReference(reference: SentReference): void {
    this.#references.push(reference);
  }

  storedValues(field: NestedField, read: () => readonly unknown[]): ReadonlySet<unknown> {
    const values = this.#storedValues.get(field) ?? new Set(read());
    this.#storedValues.set(field, values);
    return values;
  }
}

/** A value and where it is. */
class Spot implements ValueContext {
  readonly field: NestedField;
  readonly #request: ValueCheck;
  readonly #stored: readonly unknown[];
  readonly #pointer: string;
  readonly #owner: Field;

  /** @param stored the stored values of `owner`, which is the field itself or its group */
  constructor(request: ValueCheck, field: NestedField, stored: readonly unknown[], pointer: string, owner: Field) {
    this.#request = request;
    this.field = field;
    this.#stored = stored;
    this.#pointer = pointer;
    this.#owner = owner;
  }

  wasStored(value: unknown): boolean {
    const { id } = this.field;
    const isNested = this.field !== this.#owner;
    const read = () => (isNested ? this.#stored.filter(isGroup).map((group) => own(group, id)) : this.#stored);
    return this.#request.storedValues(this.field, read).has(value);
  }

  fault(code: string, detail: string, member?: string): undefined {
    const pointer = member === undefined ? this.#pointer : `${this.#pointer}/${escapePointer(member)}`;
    return this.#request.fault(pointer, code, detail);
  }

  useAsset(assetId: string): void {
    this.#request.addAsset(`${this.#pointer}/assetId`, assetId);
  }

  useEntry(entryId: string): void {
    this.#request.addReference({ pointer: this.#pointer, field: this.field, entryId });
  }

  /** A group is replaced as a whole, except for the values of its deleted fields. */
  checkMembers(group: Values): Values {
    const request = this.#request;
    const { fields, repeated } = this.#owner;
    request.refuseUnknown(fields ?? [], group, this.#pointer);
    const storedGroup = repeated ? undefined : this.#stored.find(isGroup);
    const values: Values = {};
    for (const field of fields ?? []) {
      const isSent = Object.hasOwn(group, field.id);
      if (!isActive(field)) {
        if (isSent) request.refuseDeleted(field, `${this.#pointer}/${field.id}`);
        const stored = own(storedGroup, field.id);
        if (stored !== undefined) values[field.id] = stored;
      } else if (isSent || field.required) {
        const pointer = `${this.#pointer}/${field.id}`;
        const value = withoutEmptyText(field, own(group, field.id));
        if (value !== undefined && value !== null) {
          const checked = request.check(field, value, this.#stored, pointer, this.#owner);
          if (checked !== undefined) values[field.id] = checked;
        } else request.refuseMissing(field, pointer);
      }
    }
    return values;
  }
}

/** The value of a new entry. A default value that is no longer valid, such as an archived option, is none. */
function withDefault(field: Field, sent: Values): unknown {
  if (field.defaultValue === undefined || !isActive(field) || Object.hasOwn(sent, field.id)) return own(sent, field.id);
  return checkDefaultValue(field, '').value;
}

/** An empty text means null, except as a value of the type `text`. */
function withoutEmptyText(field: NestedField, value: unknown, isRepeated = false): unknown {
  return value === '' && (isRepeated || !typeOf(field).acceptsEmptyText) ? null : value;
}

/** Reads an own member: a field may have the ID of an inherited one, such as `constructor`. */
function own(values: Values | undefined, id: string): unknown {
  return values !== undefined && Object.hasOwn(values, id) ? values[id] : undefined;
}
