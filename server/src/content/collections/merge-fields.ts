import type { Fault } from '../../shared/errors.ts';
import type { BlockChange, FieldChange, NestedFieldChange, OptionChange } from '../contract.ts';
import { FIELD_SETTINGS, type FieldType, type Format, typeOf, typeOfFormat } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import { checkPatterns } from './check-patterns.ts';
import { type Components, fillGroup } from './components/fill-fields.ts';
import type { Block, Field, NestedField, Option } from './field.ts';
import { mergeSettings } from './field-settings.ts';

/** The `key` of a field that has none yet. */
export const UNASSIGNED = 0;

/** More faults of one request are not worth returning. */
const MAX_FAULTS = 1_000;

interface MergeOptions {
  newId: () => string;
  faults: Fault[];
  /** The components of the account, by ID. */
  components?: Components;
  isNewCollection?: boolean;
}

/** The fields of a collection after a request, in order: those sent, then the rest. Adds faults of the request to `faults`. */
export function mergeFields(existing: readonly Field[], sent: readonly FieldChange[], options: MergeOptions): Field[] {
  return mergeChecked(existing, sent, options, 0) as Field[];
}

/** The same of a component, whose fields are those of a group. */
export function mergeNestedFields(
  existing: readonly NestedField[],
  sent: readonly NestedFieldChange[],
  options: MergeOptions,
): NestedField[] {
  return mergeChecked(existing, sent, options, 1);
}

function mergeChecked(
  existing: readonly NestedField[],
  sent: readonly FieldChange[],
  options: MergeOptions,
  depth: number,
): NestedField[] {
  const ofPatterns = checkPatterns(existing, sent);
  options.faults.push(...ofPatterns);
  // What follows compiles the patterns, to compare default values with them.
  if (ofPatterns[0]?.code === 'patterns_too_large') return [...existing];
  return new FieldMerge(options).fields(existing, sent, '/fields', depth);
}

class FieldMerge {
  readonly #newId: () => string;
  readonly #faults: Fault[];
  readonly #components: Components;
  readonly #isNewCollection: boolean;

  constructor({ newId, faults, components = new Map(), isNewCollection = false }: MergeOptions) {
    this.#newId = newId;
    this.#faults = faults;
    this.#components = components;
    this.#isNewCollection = isNewCollection;
  }

  /** @param depth how many groups the fields are in */
  fields(
    existing: readonly NestedField[],
    sent: readonly FieldChange[],
    pointer: string,
    depth: number,
  ): NestedField[] {
    const merged = this.#inOrder(existing, sent, 'id', pointer, (known, change, at) =>
      this.#field(known, change, at, depth),
    );
    if (merged.length > LIMITS.fields) {
      const detail = `A list of fields must have at most ${LIMITS.fields} fields, including deleted ones.`;
      this.#fault(pointer, 'too_many', detail);
    }
    return merged;
  }

  #options(existing: readonly Option[], sent: readonly OptionChange[], pointer: string): Option[] {
    const merged = this.#inOrder(existing, sent, 'value', pointer, (known, change, at): Option => {
      if (!known) this.#checkNew(change, at, 'option', ['label']);
      return {
        value: change.value,
        label: change.label ?? known?.label ?? '',
        status: change.status ?? known?.status ?? 'active',
      };
    });
    if (merged.length > LIMITS.options) {
      const detail = `A field must have at most ${LIMITS.options} options, including deleted ones.`;
      this.#fault(pointer, 'too_many', detail);
    }
    return merged;
  }

  #blocks(existing: readonly Block[], sent: readonly BlockChange[], pointer: string, depth: number): Block[] {
    const merged = this.#inOrder(existing, sent, 'id', pointer, (known, change, at): Block => {
      if (!known) this.#checkNew(change, at, 'block', ['label']);
      const componentId = change.componentId === undefined ? known?.componentId : (change.componentId ?? undefined);
      const block: Block = {
        id: known?.id ?? change.id ?? this.#newId(),
        label: change.label ?? known?.label ?? '',
        status: change.status ?? known?.status ?? 'active',
        ...(componentId !== undefined && { componentId }),
        fields: [],
      };
      const fields = this.#ownOrComponent(componentId, known?.fields ?? [], change.fields, at, depth);
      if (fields.length === 0 && componentId === undefined) {
        this.#fault(`${at}/fields`, 'fields_required', `The block "${block.label}" needs at least one of its fields.`);
      }
      return { ...block, fields };
    });
    if (merged.length > LIMITS.blocks) {
      const detail = `A field must have at most ${LIMITS.blocks} blocks, including deleted ones.`;
      this.#fault(pointer, 'too_many', detail);
    }
    return merged;
  }

  #inOrder<Name extends 'id' | 'value', Item extends Record<Name, string>, Change extends { [name in Name]?: string }>(
    existing: readonly Item[],
    sent: readonly Change[],
    name: Name,
    pointer: string,
    merge: (known: Item | undefined, change: Change, at: string) => Item,
  ): Item[] {
    const known = new Map<string, Item>(existing.map((item) => [item[name], item]));
    const taken = new Set<string>();
    const first = sent.map((change, i) => {
      const item = merge(known.get(change[name] ?? ''), change, `${pointer}/${i}`);
      if (taken.has(item[name])) {
        this.#fault(`${pointer}/${i}/${name}`, 'duplicate', `The list contains "${item[name]}" twice.`);
      }
      taken.add(item[name]);
      return item;
    });
    return [...first, ...existing.filter((item) => !taken.has(item[name]))];
  }

  #field(known: NestedField | undefined, sent: FieldChange, at: string, depth: number): NestedField {
    if (!known) this.#checkNew(sent, at, 'field', ['label', 'type']);
    else {
      if (sent.type !== undefined && sent.type !== known.type) {
        const detail = `The type of "${known.label}" is "${known.type}" and cannot change.`;
        this.#fault(`${at}/type`, 'type_immutable', detail);
      }
      if (sent.repeated !== undefined && sent.repeated !== (known.repeated ?? false)) {
        const detail = `Whether "${known.label}" is repeated cannot change.`;
        this.#fault(`${at}/repeated`, 'repeated_immutable', detail);
      }
    }
    const type = known?.type ?? sent.type;
    if (type === 'group' && depth >= LIMITS.groupDepth) {
      this.#fault(`${at}/type`, 'group_nested', `Groups can be nested at most ${LIMITS.groupDepth} deep.`);
    }
    const isNested = depth > 0;
    const repeated = known?.repeated ?? sent.repeated ?? false;
    const format = this.#format(known, sent, type, repeated, isNested, at);
    const field: NestedField = {
      id: known?.id ?? sent.id ?? this.#newId(),
      label: sent.label ?? known?.label ?? '',
      type: type ?? 'text',
      required: sent.required ?? known?.required ?? false,
      status: sent.status ?? known?.status ?? 'active',
      options: this.#optionsOf(known, sent, type, at),
      ...((!isNested || repeated) && { repeated }),
      ...(!isNested && { fields: null }),
      ...(format !== undefined && { format }),
      ...this.#contents(known, sent, type, format, at, depth),
      key: known?.key ?? UNASSIGNED,
    };
    const { filterBits, pending, publishedPending } = (known ?? {}) as Partial<Field>;
    const addFault = (pointer: string, code: string, detail: string) => this.#fault(pointer, code, detail);
    this.#mergeOwnSettings(field, known, sent, at, isNested);
    return {
      ...field,
      ...(filterBits && { filterBits }),
      ...(pending && { pending }),
      ...(known?.publishedKey !== undefined && { publishedKey: known.publishedKey }),
      ...(publishedPending && { publishedPending }),
      ...mergeSettings(field, known, sent, isNested, at, addFault),
    };
  }

  #format(
    known: NestedField | undefined,
    sent: FieldChange,
    type: FieldType | undefined,
    repeated: boolean,
    isNested: boolean,
    at: string,
  ): Format | undefined {
    const before = known?.format;
    const format = sent.format === undefined ? before : (sent.format ?? undefined);
    const fault = (code: string, detail: string) => this.#fault(`${at}/format`, code, detail);
    if (format !== undefined && type !== undefined && type !== typeOfFormat(format)) {
      fault('format_not_allowed', `Only a field of type "${typeOfFormat(format)}" can have the format "${format}".`);
      return undefined;
    }
    if (known && format !== before && !(isAnyText(before) && isAnyText(format))) {
      fault(
        'format_immutable',
        `The format of "${known.label}" cannot change, except between plain text and Markdown.`,
      );
    }
    if (format === 'slug' && (isNested || repeated)) {
      fault('format_not_allowed', 'A slug is a single value of an entry, not part of a group or a list.');
    }
    if (format === 'blocks' && !repeated) fault('format_not_allowed', 'A field with blocks is repeated.');
    return format;
  }

  #optionsOf(
    known: NestedField | undefined,
    { options }: FieldChange,
    type: FieldType | undefined,
    at: string,
  ): Option[] | null {
    const pointer = `${at}/options`;
    if (type !== 'select') {
      if (options != null && type !== undefined) this.#notAllowed(pointer, 'options', type);
      return null;
    }
    const merged = options == null ? (known?.options ?? []) : this.#options(known?.options ?? [], options, pointer);
    if (merged.length === 0) this.#missing(pointer, 'options', type);
    return merged;
  }

  /** What a group consists of: its own fields, those of a component, or blocks. */
  #contents(
    known: NestedField | undefined,
    sent: FieldChange,
    type: FieldType | undefined,
    format: Format | undefined,
    at: string,
    depth: number,
  ): Pick<NestedField, 'fields' | 'componentId' | 'blocks'> {
    if (type !== 'group') {
      if (type === undefined) return {};
      for (const name of ['fields', 'blocks', 'componentId'] as const) {
        if (sent[name] != null) this.#notAllowed(`${at}/${name}`, name, type);
      }
      return {};
    }
    if (format === 'blocks') {
      if (sent.fields?.length)
        this.#fault(`${at}/fields`, 'fields_not_allowed', 'The fields of blocks are those of each block.');
      if (sent.componentId != null) {
        this.#fault(`${at}/componentId`, 'component_id_not_allowed', 'Each block can have a component.');
      }
      const known_ = known?.blocks ?? [];
      const blocks = sent.blocks == null ? known_ : this.#blocks(known_, sent.blocks, `${at}/blocks`, depth + 1);
      if (blocks.length === 0) this.#missing(`${at}/blocks`, 'blocks', type);
      return { fields: [], blocks };
    }
    if (sent.blocks != null) {
      this.#fault(`${at}/blocks`, 'blocks_not_allowed', 'Only a group with the format "blocks" has blocks.');
    }
    const componentId = sent.componentId === undefined ? known?.componentId : (sent.componentId ?? undefined);
    const fields = this.#ownOrComponent(componentId, known?.fields ?? [], sent.fields, at, depth + 1);
    if (fields.length === 0 && componentId === undefined) this.#missing(`${at}/fields`, 'fields', type);
    return { fields, ...(componentId !== undefined && { componentId }) };
  }

  /** With a component, fields that are sent are those that were read, and ignored. */
  #ownOrComponent(
    componentId: string | undefined,
    known: readonly NestedField[],
    sent: readonly NestedFieldChange[] | null | undefined,
    at: string,
    depth: number,
  ): NestedField[] {
    if (componentId === undefined) return sent == null ? [...known] : this.fields(known, sent, `${at}/fields`, depth);
    const fault = (code: string, detail: string) => this.#fault(`${at}/componentId`, code, detail);
    return fillGroup(componentId, known, this.#components, depth, fault);
  }

  /** The settings that belong to the field's type or format, which are refused for others. */
  #mergeOwnSettings(
    field: NestedField,
    known: NestedField | undefined,
    sent: FieldChange,
    at: string,
    isNested: boolean,
  ): void {
    const { settings = {} } = typeOf(field);
    const [values, before, after] = [sent, known ?? {}, field] as Record<string, unknown>[];
    for (const name of Object.keys(FIELD_SETTINGS)) {
      const pointer = `${at}/${name}`;
      const value = values?.[name];
      const setting = settings[name];
      if (setting === undefined) {
        if (value == null) continue;
        const detail = `A field of type "${field.type}"${field.format ? ` with the format "${field.format}"` : ''} has no ${name}.`;
        this.#fault(pointer, `${snakeCase(name)}_not_allowed`, detail);
        continue;
      }
      const fault = (code: string, detail: string) => this.#fault(pointer, code, detail);
      const merged = setting.merge(value, before?.[name], { field, isNew: !known, isNested, fault });
      if (merged !== undefined && after) after[name] = merged;
    }
  }

  #notAllowed(pointer: string, name: string, type: FieldType): void {
    this.#fault(pointer, `${snakeCase(name)}_not_allowed`, `A field of type "${type}" cannot have ${name}.`);
  }

  #missing(pointer: string, name: string, type: FieldType): void {
    this.#fault(pointer, `${name}_required`, `A field of type "${type}" needs at least one of its ${name}.`);
  }

  /** In a change, a mistyped ID must not create a field or an option, so a new one needs all that a creation needs. */
  #checkNew<Sent extends { status?: string }>(sent: Sent, at: string, what: string, needed: (keyof Sent & string)[]) {
    for (const name of needed) {
      if (sent[name] !== undefined) continue;
      this.#fault(`${at}/${name}`, 'required', `This ${what} does not exist yet. A new ${what} needs a ${name}.`);
    }
    if (sent.status === 'deleted' && !this.#isNewCollection) {
      this.#fault(`${at}/status`, `${what}_unknown`, `This ${what} does not exist, so it cannot be deleted.`);
    }
  }

  #fault(pointer: string, code: string, detail: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ pointer, code, detail });
  }
}

/** Formats whose values are the same texts. Only between these can the format of a field change. */
export const isAnyText = (format: Format | undefined) => format === undefined || format === 'markdown';

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
