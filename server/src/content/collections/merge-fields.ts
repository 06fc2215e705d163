import type { Fault } from '../../shared/errors.ts';
import type { FieldChange, OptionChange } from '../contract.ts';
import { type FieldType, typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import type { Field, NestedField, Option } from './collection.ts';
import { mergeFormat } from './field-formats.ts';
import { mergeSettings } from './field-settings.ts';

/** The `key` of a field that has none yet. */
export const UNASSIGNED = 0;

/** More faults of one request are not worth returning. */
const MAX_FAULTS = 1_000;

/** The fields of a collection after a request, in order: those sent, then the rest. Adds faults of the request to `faults`. */
export function mergeFields(
  existing: readonly Field[],
  sent: readonly FieldChange[],
  newId: () => string,
  faults: Fault[],
  isNewCollection = false,
): Field[] {
  return new FieldMerge(newId, faults, isNewCollection).fields(existing, sent, '/fields', false);
}

class FieldMerge {
  readonly #newId: () => string;
  readonly #faults: Fault[];
  readonly #isNewCollection: boolean;

  constructor(newId: () => string, faults: Fault[], isNewCollection: boolean) {
    this.#newId = newId;
    this.#faults = faults;
    this.#isNewCollection = isNewCollection;
  }

  fields(existing: readonly Field[], sent: readonly FieldChange[], pointer: string, nested: boolean): Field[] {
    const merged = this.#inOrder(existing, sent, 'id', pointer, (known, change, at) =>
      this.#field(known, change, at, nested),
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

  #field(known: Field | undefined, sent: FieldChange, at: string, nested: boolean): Field {
    if (!known) this.#checkNew(sent, at, 'field', ['label', 'type']);
    else {
      if (sent.type !== undefined && sent.type !== known.type) {
        const detail = `The type of "${known.label}" is "${known.type}" and cannot change.`;
        this.#fault(`${at}/type`, 'type_immutable', detail);
      }
      if (sent.repeated !== undefined && sent.repeated !== known.repeated) {
        const detail = `Whether "${known.label}" is repeated cannot change.`;
        this.#fault(`${at}/repeated`, 'repeated_immutable', detail);
      }
    }
    const type = known?.type ?? sent.type;
    if (nested && type === 'group') this.#fault(`${at}/type`, 'group_nested', 'A group cannot contain a group.');
    const addFault = (pointer: string, code: string, detail: string) => this.#fault(pointer, code, detail);
    const merged: Field = {
      id: known?.id ?? sent.id ?? this.#newId(),
      label: sent.label ?? known?.label ?? '',
      type: type ?? 'text',
      required: sent.required ?? known?.required ?? false,
      status: sent.status ?? known?.status ?? 'active',
      options: this.#part(type, 'options', known, sent, at, (options) =>
        this.#options(known?.options ?? [], options, `${at}/options`),
      ),
      repeated: known?.repeated ?? sent.repeated ?? false,
      fields: nested
        ? null
        : this.#part<'fields', NestedField>(type, 'fields', known, sent, at, (fields) =>
            this.fields((known?.fields ?? []) as Field[], fields, `${at}/fields`, true),
          ),
      ...mergeFormat(known, sent, nested, at, addFault),
      key: known?.key ?? UNASSIGNED,
      ...(known?.filterBits && { filterBits: known.filterBits }),
      ...(known?.pending && { pending: known.pending }),
      ...(known?.publishedKey !== undefined && { publishedKey: known.publishedKey }),
      ...(known?.publishedPending && { publishedPending: known.publishedPending }),
    };
    return { ...merged, ...mergeSettings(merged, known, sent, at, addFault) };
  }

  /** `options` or `fields`: required for the type whose values consist of them, and not allowed for others. */
  #part<Name extends 'options' | 'fields', Part>(
    type: FieldType | undefined,
    name: Name,
    known: Field | undefined,
    sent: FieldChange,
    at: string,
    merge: (sent: NonNullable<FieldChange[Name]>) => Part[],
  ): Part[] | null {
    const part = sent[name];
    const pointer = `${at}/${name}`;
    if (type === undefined || typeOf({ type }).structure !== name) {
      if (part != null && type !== undefined) {
        this.#fault(pointer, `${name}_not_allowed`, `A field of type "${type}" cannot have ${name}.`);
      }
      return null;
    }
    const merged = part == null ? ((known?.[name] ?? []) as Part[]) : merge(part);
    if (merged.length === 0) {
      this.#fault(pointer, `${name}_required`, `A field of type "${type}" needs at least one of its ${name}.`);
    }
    return merged;
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
