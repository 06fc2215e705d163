import { escapePointer, type Fault } from '../../shared/errors.ts';
import { newPublicId } from '../../shared/ids.ts';
import { rawAsText, unstorableFaults } from '../../shared/json.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { type Field, fieldsOfRow, hasRowIds, isActive, type NestedField } from '../collections/field.ts';
import type { AssetReference, ValueContext } from '../field-types/field-type.ts';
import { toSlug } from '../field-types/formats/slug.ts';
import { isGroup } from '../field-types/group.ts';
import { typeOf } from '../field-types/index.ts';
import { findViolation, PatternBudget } from '../field-types/validation.ts';
import { isVisible } from '../field-types/visible-when.ts';
import { LIMITS } from '../limits.ts';
import { localeOf } from '../locales/check-locales.ts';
import { isSystemField } from '../ordering/system-fields.ts';
import { writableValues } from '../roles/check-fields.ts';
import { wholeOf } from '../roles/collection-access.ts';
import { computeValues, type Values } from './computed-values.ts';
import { type Creation, madeValueOf, makeValue } from './made-values.ts';

export type { Values } from './computed-values.ts';

export interface CheckedValues {
  /** In the order of the fields. Only meaningful without faults. */
  values: Values;
  faults: Fault[];
  /** The assets that the values use. Whether they exist is checked by `acceptValues`. */
  assets: SentAsset[];
  /** The entries that new values reference. Whether they exist is checked by `acceptValues`. */
  references: SentReference[];
  /** The slugs that the entry lacks and its text suggests; until they are set, the values contain them as undefined. */
  slugs: MissingSlug[];
  /** Of a role: how it sees other collections, whose entries it references. */
  schema?: SchemaView;
}

export interface SentAsset {
  pointer: string;
  assetId: string;
  /** As it is among the values. */
  reference: AssetReference;
}

export interface SentReference {
  pointer: string;
  field: NestedField;
  /** As the API writes it. */
  entryId: string;
}

interface MissingSlug {
  field: Field;
  base: string;
  /** Those of the entry, of which some may be computed of the slug. */
  fields: readonly Field[];
}

/** Checks the values of a new entry against every rule of every field. */
export function checkNewValues(
  collection: Collection,
  sent: Values,
  creation: Creation = { now: Date.now() },
): CheckedValues {
  const own = writableValues(collection, 'create', sent);
  const whole = wholeOf(collection);
  const check = new ValueCheck(whole.publishing ? 'draft' : 'complete', true, creation, whole.locales?.default);
  const checked = check.run(neededFields(whole), own.values, undefined);
  return checkedFor(collection, checked, own.faults);
}

/** What was checked of the whole collection, for its reader. */
const checkedFor = (view: Collection, checked: CheckedValues, faults: readonly Fault[]): CheckedValues =>
  view.access ? { ...checked, faults: [...faults, ...checked.faults], schema: view.access.schema } : checked;

/** The values of an entry that is made without being asked for: its required fields may lack theirs. */
export function checkMadeValues({ fields, locales }: Collection, creation: Creation): CheckedValues {
  return new ValueCheck('draft', true, creation, locales?.default).run(fields, {}, undefined);
}

/** Checks the values of a change and merges them into the stored ones: fields that are not sent stay, null clears. */
export function checkChangedValues(collection: Collection, sent: Values, stored: Values): CheckedValues {
  const own = writableValues(collection, 'update', sent);
  const whole = wholeOf(collection);
  const check = new ValueCheck(whole.publishing ? 'draft' : 'complete', true, undefined, whole.locales?.default);
  const checked = check.run(neededFields(whole), own.values, stored);
  return checkedFor(collection, checked, own.faults);
}

/**
 * Checks stored values against every rule of every active field, as they are about to be published.
 * @param changed the locales that are published, if fields are localized; others stay as they are
 * @param changesShared whether values that are not localized are published as well
 */
export function checkPublishedValues(
  collection: Collection,
  stored: Values,
  changed?: readonly string[],
  changesShared = changed?.includes(collection.locales?.default ?? ''),
): CheckedValues {
  const fields = changed ? fieldsOfLocales(collection, changed, changesShared) : collection.fields;
  const sent = fields.filter(isActive).map((field) => [field.id, writableValue(field, stored) ?? null]);
  return new ValueCheck('published', false).run(fields, Object.fromEntries(sent), stored);
}

/** Only in the default locale are required fields of an entry without publishing required. */
function neededFields({ fields, locales }: Collection): readonly Field[] {
  if (locales?.base === undefined) return fields;
  return fields.map((field) => (field.localized ? { ...field, required: false } : field));
}

/** In a published locale, the translation of a required field is required as well. */
function fieldsOfLocales(
  { fields, byId, locales }: Collection,
  chosen: readonly string[],
  changesShared: boolean | undefined,
): Field[] {
  return fields.flatMap((field) => {
    const locale = locales ? localeOf(locales, field) : undefined;
    if (locale === undefined ? !changesShared : !chosen.includes(locale)) return [];
    const { required } = byId.get(field.translationOf ?? field.id) ?? field;
    return required === field.required ? field : { ...field, required };
  });
}

/** The value of a field as it can be sent: without deleted fields and the rows of deleted blocks. */
export function writableValue(field: NestedField, values: Values): unknown {
  const value = own(values, field.id);
  if (typeOf(field).structure !== 'fields' || value === undefined) return value;
  const rowOf = (row: unknown) => {
    const group = row as Values;
    const written = fieldsOfRow(field, row).flatMap((nested) => {
      const inner = isActive(nested) ? writableValue(nested, group) : undefined;
      return inner === undefined ? [] : [[nested.id, inner] as const];
    });
    return { ...rowMembers(group), ...Object.fromEntries(written) };
  };
  return Array.isArray(value) ? value.filter((row) => !isHiddenRow(field, row)).map(rowOf) : rowOf(value);
}

/** Checks the default value of a field as the value of a new entry. */
export function checkDefaultValue(field: NestedField, pointer: string): { value: unknown; faults: Fault[] } {
  const { validation: { minItems: _, ...validation } = {} } = field;
  const active = { ...topLevel(field), validation, status: 'active', required: false } as const;
  const { values, faults } = new ValueCheck('draft', false).run(
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

/** A field of a group as one of a collection. */
const topLevel = (field: NestedField): Field => ({
  ...field,
  repeated: field.repeated ?? false,
  fields: field.fields ?? null,
});

/** A draft may lack the values of required fields and of lists. What is published may not, whatever the draft had before a rule. */
type Stage = 'draft' | 'complete' | 'published';

// Runs in time linear to the request, the fields and the stored values, since any of them can be large.
class ValueCheck {
  readonly #faults: Fault[] = [];
  readonly #assets: CheckedValues['assets'] = [];
  readonly #references: SentReference[] = [];
  readonly #knownIds = new Map<readonly NestedField[], Set<string>>();
  readonly #fieldsById = new Map<readonly NestedField[], ReadonlyMap<string, NestedField>>();
  readonly #storedValues = new Map<NestedField, Set<unknown>>();
  readonly #storedRows = new Map<NestedField, readonly Values[]>();
  readonly #rowIds = new Set<string>();
  readonly #budget = new PatternBudget();
  readonly #stage: Stage;
  readonly #derivesSlugs: boolean;
  readonly #locale: string | undefined;
  readonly creation: Creation;
  #valueCount = 0;
  /** How many fields that are not visible contain what is being checked. */
  #hidden = 0;

  /** @param locale of the fields without one, where others have one */
  constructor(
    stage: Stage,
    derivesSlugs = true,
    creation: Creation = { now: Date.now() },
    locale: string | null = null,
  ) {
    this.#stage = stage;
    this.#derivesSlugs = derivesSlugs;
    this.#locale = locale ?? undefined;
    this.creation = creation;
  }

  /** @param only the pointer of the only field, if it is not that of a value */
  run(fields: readonly Field[], sent: Values, stored: Values | undefined, only?: string): CheckedValues {
    const values: Values = {};
    const slugs: MissingSlug[] = [];
    try {
      this.refuseUnknown(fields, sent, '/values');
      if (stored) {
        for (const field of fields) if (field.fields && !Object.hasOwn(sent, field.id)) this.#keepRowIds(field, stored);
      }
      const owners = stored === undefined ? NO_ROWS : [stored];
      const isNew = stored === undefined;
      const nextOf = ({ id }: NestedField) => (Object.hasOwn(sent, id) ? sent[id] : own(stored, id));
      for (const field of fields) {
        const before = own(stored, field.id);
        const isUnchanged = stored !== undefined && !Object.hasOwn(sent, field.id);
        if ((field.computed !== undefined && isActive(field)) || isSystemField(field)) {
          if (before !== undefined) values[field.id] = before;
          continue;
        }
        const next = stored === undefined ? withDefault(field, sent, this.creation) : own(sent, field.id);
        if (field.format === 'slug' && isUnchanged && isLeftBehind(field, sent)) continue;
        if (field.format === 'slug' && this.#derivesSlugs && isActive(field) && (isUnchanged ? before : next) == null) {
          // Which slug it is depends on a field that may come later.
          slugs.push({ field, base: '', fields });
          values[field.id] = undefined;
          continue;
        }
        if (isUnchanged) {
          if (Array.isArray(before)) this.#valueCount += before.length;
          if (before !== undefined) values[field.id] = before;
          continue;
        }
        const pointer = only ?? `/values/${field.id}`;
        const value = field.visibleWhen
          ? this.valueIn(fields, nextOf, field, next, before, pointer, owners, isNew)
          : this.value(field, next, before, pointer, owners, isNew);
        if (value !== undefined) values[field.id] = value;
      }
      for (const slug of slugs)
        this.#deriveSlug(slug, values, stored === undefined || Object.hasOwn(sent, slug.field.id));
      computeValues(fields, values);
    } catch (error) {
      if (error !== TOO_MANY_FAULTS) throw error;
    }
    const missing = slugs.filter(({ base }) => base !== '');
    return { values, faults: this.#faults, assets: this.#assets, references: this.#references, slugs: missing };
  }

  #deriveSlug(slug: MissingSlug, values: Values, isSent: boolean): void {
    const { id, slugSource } = slug.field;
    const text = slugSource === undefined ? undefined : own(values, slugSource);
    slug.base = typeof text === 'string' ? toSlug(text, slug.field.locale ?? this.#locale) : '';
    if (slug.base !== '') return;
    delete values[id];
    if (isSent) this.refuseMissing(slug.field, `/values/${id}`);
  }

  /** As `value`, of a field that may be visible only with some values of the fields beside it. */
  valueIn(
    siblings: readonly NestedField[],
    nextOf: (sibling: NestedField) => unknown,
    field: NestedField,
    ...rest: ValueParameters
  ): unknown {
    const { visibleWhen } = field;
    if (!visibleWhen || isVisible(visibleWhen, this.#byId(siblings), nextOf)) return this.value(field, ...rest);
    this.#hidden++;
    const value = this.value(field, ...rest);
    this.#hidden--;
    return value;
  }

  #byId(fields: readonly NestedField[]): ReadonlyMap<string, NestedField> {
    const known = this.#fieldsById.get(fields) ?? new Map(fields.map((field) => [field.id, field]));
    this.#fieldsById.set(fields, known);
    return known;
  }

  /**
   * The value of a field as it is stored; undefined if there is none or it is invalid.
   * @param stored what it was in the same group or row
   * @param owners the stored groups of all places of the field, which is part of them
   * @param isNew whether its entry, group or row is
   */
  value(
    field: NestedField,
    sent: unknown,
    stored: unknown,
    pointer: string,
    owners: readonly Values[],
    isNew: boolean,
  ): unknown {
    if (!isActive(field)) {
      if (sent !== undefined) this.refuseDeleted(field, pointer);
      return stored;
    }
    const hidden = field.blocks && Array.isArray(stored) ? stored.filter((row) => isHiddenRow(field, row)) : [];
    const value = withoutEmptyText(field, sent);
    if (value === undefined || value === null) {
      this.refuseMissing(field, pointer);
      return hidden.length > 0 ? hidden : undefined;
    }
    if (!field.repeated) return this.#item(field, value, stored, pointer, owners, isNew);
    if (!Array.isArray(value)) return this.fault(pointer, 'type', `"${field.label}" must be an array.`);
    if (!this.#checkCount(field, value, stored, pointer)) return undefined;
    const storedItems = Array.isArray(stored) ? stored : [];
    const hasIds = hasRowIds(field);
    const rows = hasIds ? new Map(storedItems.map((row) => [(row as Values)._id, row])) : undefined;
    const items = value.map((item, i) => {
      // Rows without IDs are known by their place.
      const before = rows ? rows.get((item as Values | null)?._id) : storedItems[i];
      return this.#item(field, item, before, `${pointer}/${i}`, owners, isNew || before === undefined);
    });
    return hidden.length > 0 ? withHidden(items, storedItems, hidden) : items;
  }

  /** Whether there are few enough values to check them. */
  #checkCount(field: NestedField, value: readonly unknown[], stored: unknown, pointer: string): boolean {
    const { label, required, validation: { minItems = 0, maxItems = LIMITS.valuesPerField } = {} } = field;
    if (value.length === 0 && required && this.#stage !== 'draft' && this.#hidden === 0) {
      this.fault(pointer, 'required', `"${label}" needs at least one value.`);
    }
    this.#valueCount += value.length;
    if (value.length > LIMITS.valuesPerField) {
      this.fault(pointer, 'too_many', `"${label}" must have at most ${LIMITS.valuesPerField} values.`);
      return false;
    }
    if (this.#valueCount > LIMITS.valuesPerEntry) {
      const detail = `The repeated fields of an entry must have at most ${LIMITS.valuesPerEntry} values together.`;
      this.fault(pointer, 'too_many', detail);
      return false;
    }
    if (this.#hidden > 0) return true;
    // An entry keeps the number of values that it had before the rule.
    const isKept = Array.isArray(stored) && stored.length === value.length;
    if (value.length > maxItems && !isKept) {
      this.fault(pointer, 'too_many', `"${label}" must have at most ${maxItems} values.`);
    }
    if (value.length < minItems && (this.#stage === 'published' || (this.#stage === 'complete' && !isKept))) {
      this.fault(pointer, 'too_few', `"${label}" must have at least ${minItems} values.`);
    }
    return true;
  }

  #item(
    field: NestedField,
    value: unknown,
    stored: unknown,
    pointer: string,
    owners: readonly Values[],
    isNew: boolean,
  ): unknown {
    const spot = new Spot(this, field, stored, pointer, owners, isNew);
    const { check, sortKey, structure } = typeOf(field);
    const isJson = field.format === 'json';
    // Numbers are also read from text, which has all of their digits.
    const given = field.type === 'number' ? rawAsText(value) : value;
    const checked = JSON.isRawJSON(given) && !isJson ? given : check(given, spot);
    // A request body is free of this, but not what was made of HTML or stood in a cell. The members of a group are checked alone.
    const unstorable =
      structure === 'fields' && !JSON.isRawJSON(given) ? [] : unstorableFaults(checked, pointer, isJson);
    if (unstorable.length > 0) {
      for (const each of unstorable) this.fault(each.pointer, each.code, each.detail);
      return undefined;
    }
    // An entry keeps a value that it had before the rule.
    const isFree = !field.validation || structure === 'fields' || this.#hidden > 0;
    if (checked === undefined || isFree || spot.wasStored(checked)) return checked;
    const violation = findViolation(field, checked, sortKey, this.#budget);
    return violation ? spot.fault(violation.code, `"${field.label}" must ${violation.must}.`) : checked;
  }

  refuseUnknown(fields: readonly NestedField[], sent: Values, pointer: string, ignored?: ReadonlySet<string>): void {
    const known = this.#knownIds.get(fields) ?? new Set(fields.map(({ id }) => id));
    this.#knownIds.set(fields, known);
    for (const id of Object.keys(sent)) {
      if (known.has(id) || ignored?.has(id)) continue;
      const detail = `There is no field with the ID "${id.slice(0, LIMITS.labelLength)}".`;
      this.fault(`${pointer}/${escapePointer(id)}`, 'unknown_property', detail);
    }
  }

  refuseDeleted({ label }: NestedField, pointer: string): void {
    this.fault(pointer, 'field_deleted', `"${label}" was deleted and cannot be written.`);
  }

  /** If the field needs a value. */
  refuseMissing({ label, required }: NestedField, pointer: string): void {
    if (!required || this.#stage === 'draft' || this.#hidden > 0) return;
    this.fault(pointer, 'required', `"${label}" is required.`);
  }

  fault(pointer: string, code: string, detail: string): undefined {
    if (this.#faults.length === MAX_FAULTS) throw TOO_MANY_FAULTS;
    this.#faults.push({ pointer, code, detail });
  }

  addAsset(asset: SentAsset): void {
    this.#assets.push(asset);
  }

  addReference(reference: SentReference): void {
    this.#references.push(reference);
  }

  storedValues(field: NestedField, owners: readonly Values[]): ReadonlySet<unknown> {
    const values = this.#storedValues.get(field) ?? new Set(owners.flatMap((owner) => own(owner, field.id) ?? []));
    this.#storedValues.set(field, values);
    return values;
  }

  /** The stored groups or rows of a field, wherever they are. */
  rowsOf(field: NestedField, owners: readonly Values[]): readonly Values[] {
    const known = this.#storedRows.get(field);
    if (known) return known;
    const rows = owners.flatMap((owner) => [own(owner, field.id) ?? []].flat()).filter(isGroup);
    this.#storedRows.set(field, rows);
    return rows;
  }

  /** The ID of a row, new if it has none. */
  rowId(sent: unknown, { label }: NestedField, pointer: string): string {
    if (sent == null) return newPublicId('row');
    const at = `${pointer}/_id`;
    if (typeof sent !== 'string' || !ROW_ID.test(sent)) {
      this.fault(at, 'row_id_invalid', `The _id of a row of "${label}" must be one that was read, or be left out.`);
      return '';
    }
    if (this.#rowIds.has(sent)) this.fault(at, 'duplicate', `The entry has two rows with the _id "${sent}".`);
    this.#rowIds.add(sent);
    return sent;
  }

  /** The IDs of rows that stay are taken. */
  #keepRowIds(field: NestedField, owner: Values): void {
    if (typeOf(field).structure !== 'fields') return;
    for (const row of [own(owner, field.id) ?? []].flat() as Values[]) {
      if (typeof row._id === 'string') this.#rowIds.add(row._id);
      for (const nested of fieldsOfRow(field, row)) this.#keepRowIds(nested, row);
    }
  }
}

type ValueParameters = ValueCheck['value'] extends (field: NestedField, ...rest: infer Rest) => unknown ? Rest : never;

/** Whether a slug in a locale goes with the text that it is derived from. That of the default locale stays: pages link to it. */
const isLeftBehind = ({ locale, slugSource }: Field, sent: Values): boolean =>
  locale !== undefined &&
  slugSource !== undefined &&
  Object.hasOwn(sent, slugSource) &&
  (sent[slugSource] === null || sent[slugSource] === '');

const NO_ROWS: readonly Values[] = [];
const ROW_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const BLOCK_MEMBERS: ReadonlySet<string> = new Set(['_block', '_id']);
const ROW_MEMBERS: ReadonlySet<string> = new Set(['_id']);

/** A value and where it is. */
class Spot implements ValueContext {
  readonly field: NestedField;
  readonly #request: ValueCheck;
  readonly #stored: unknown;
  readonly #pointer: string;
  readonly #owners: readonly Values[];
  readonly #isNew: boolean;

  constructor(
    request: ValueCheck,
    field: NestedField,
    stored: unknown,
    pointer: string,
    owners: readonly Values[],
    isNew: boolean,
  ) {
    this.#request = request;
    this.field = field;
    this.#stored = stored;
    this.#pointer = pointer;
    this.#owners = owners;
    this.#isNew = isNew;
  }

  wasStored(value: unknown): boolean {
    return this.#request.storedValues(this.field, this.#owners).has(value);
  }

  stored(): unknown[] {
    return [...this.#request.storedValues(this.field, this.#owners)];
  }

  fault(code: string, detail: string, member?: string): undefined {
    const pointer = member === undefined ? this.#pointer : `${this.#pointer}/${escapePointer(member)}`;
    return this.#request.fault(pointer, code, detail);
  }

  useAsset(reference: AssetReference): void {
    const { assetId } = reference;
    this.#request.addAsset({ pointer: `${this.#pointer}/assetId`, assetId, reference });
  }

  useEntry(entryId: string): void {
    this.#request.addReference({ pointer: this.#pointer, field: this.field, entryId });
  }

  /** A group is replaced as a whole, except for the values of its deleted fields. */
  checkMembers(group: Values): Values | undefined {
    const request = this.#request;
    const { field } = this;
    const values: Values = {};
    if (field.blocks) {
      const block = this.#blockOf(group);
      if (block === undefined) return undefined;
      values._block = block;
    }
    const hasIds = hasRowIds(field);
    if (hasIds) values._id = request.rowId(own(group, '_id'), field, this.#pointer);
    const fields = fieldsOfRow(field, group);
    request.refuseUnknown(
      fields,
      group,
      this.#pointer,
      field.blocks ? BLOCK_MEMBERS : hasIds ? ROW_MEMBERS : undefined,
    );
    // The place of a row without an ID does not tell which row it was.
    const isSame = isGroup(this.#stored) && (!field.repeated || (hasIds && this.#stored._block === group._block));
    const before = isSame ? (this.#stored as Values) : undefined;
    const owners = request.rowsOf(field, this.#owners);
    for (const nested of fields) {
      // Its value is made of the others once these are checked.
      const stored = own(before, nested.id);
      if (nested.computed !== undefined && isActive(nested)) {
        if (stored !== undefined) values[nested.id] = stored;
        continue;
      }
      const isSent = Object.hasOwn(group, nested.id);
      const sent = isSent
        ? group[nested.id]
        : this.#isNew
          ? withDefault(nested, NO_VALUES, request.creation)
          : undefined;
      if (!isSent && sent === undefined && isActive(nested) && !nested.required && !nested.blocks) continue;
      const at = `${this.#pointer}/${nested.id}`;
      const value = nested.visibleWhen
        ? request.valueIn(fields, ({ id }) => own(group, id), nested, sent, stored, at, owners, this.#isNew)
        : request.value(nested, sent, stored, at, owners, this.#isNew);
      if (value !== undefined) values[nested.id] = value;
    }
    return values;
  }

  /** The ID of the block of a row. */
  #blockOf({ _block: id }: Values): string | undefined {
    const { label, blocks = [] } = this.field;
    const block = blocks.find((each) => each.id === id);
    if (block && isActive(block)) return block.id;
    if (id === undefined) return this.fault('required', `A row of "${label}" needs a _block.`, '_block');
    const known = blocks.filter(isActive).map((each) => each.id);
    const detail = block
      ? `The block "${block.label}" was deleted and cannot be written.`
      : `"${label}" has the blocks ${known.join(', ')}.`;
    return this.fault(block ? 'block_deleted' : 'block_unknown', detail, '_block');
  }
}

const NO_VALUES: Values = {};

/** The members of a row that are no values. */
function rowMembers({ _block, _id }: Values): Values {
  return { ...(_block !== undefined && { _block }), ...(_id !== undefined && { _id }) };
}

/** Whether a row is not returned, as its block was deleted. */
function isHiddenRow({ blocks }: NestedField, row: unknown): boolean {
  const block = blocks?.find(({ id }) => id === (row as Values)._block);
  return blocks !== undefined && !(block && isActive(block));
}

/** Rows with those that are hidden, each after the one that it followed. */
function withHidden(rows: readonly unknown[], stored: readonly unknown[], hidden: readonly unknown[]): unknown[] {
  const idOf = (row: unknown) => (row as Values | undefined)?._id;
  const present = new Set(rows.map(idOf));
  const after = new Map<unknown, unknown[]>();
  let previous: unknown;
  for (const row of stored) {
    if (hidden.includes(row)) after.set(previous, [...(after.get(previous) ?? []), row]);
    else if (present.has(idOf(row))) previous = idOf(row);
  }
  return [...(after.get(undefined) ?? []), ...rows.flatMap((row) => [row, ...(after.get(idOf(row)) ?? [])])];
}

/** The value of a new entry. A default value that is no longer valid, such as an archived option, is none. */
function withDefault(field: NestedField, sent: Values, creation: Creation): unknown {
  if (field.defaultValue === undefined || !isActive(field) || Object.hasOwn(sent, field.id)) return own(sent, field.id);
  const made = field.format === 'json' ? undefined : madeValueOf(field.defaultValue);
  if (made !== undefined) return makeValue(made, field, creation);
  // The defaults of its fields are added when it is checked.
  return typeOf(field).structure === 'fields' ? {} : checkDefaultValue(field, '').value;
}

/** An empty text means null, except as a value of the type `text`. */
function withoutEmptyText(field: NestedField, value: unknown): unknown {
  return value === '' && (field.repeated || !typeOf(field).acceptsEmptyText) ? null : value;
}

/** Reads an own member: a field may have the ID of an inherited one, such as `constructor`. */
function own(values: Values | undefined, id: string): unknown {
  return values !== undefined && Object.hasOwn(values, id) ? values[id] : undefined;
}
