import type { Fault } from '../shared/errors.ts';
import type { Field, NestedField, Option } from './collection.ts';
import { type FieldChange, LIMITS, type OptionChange } from './contract.ts';

/** The `key` of a field that has none yet. */
export const UNNUMBERED = 0;

/**
 * The fields that a collection has after a request, in their order: those sent first, the rest behind them. Pure; what is
 * wrong with the request is added to `faults`.
 * @param pointer of `sent` in the request
 */
export function mergeFields(
  existing: readonly Field[],
  sent: readonly FieldChange[],
  newId: () => string,
  faults: Fault[],
  pointer = '/fields',
): Field[] {
  return new FieldMerge(newId, faults).fields(existing, sent, pointer, false);
}

class FieldMerge {
  readonly #newId: () => string;
  readonly #faults: Fault[];

  constructor(newId: () => string, faults: Fault[]) {
    this.#newId = newId;
    this.#faults = faults;
  }

  fields(existing: readonly Field[], sent: readonly FieldChange[], pointer: string, nested: boolean): Field[] {
    const merged = this.#inOrder(existing, sent, 'id', pointer, (known, change, at) =>
      this.#field(known, change, at, nested),
    );
    if (merged.length > LIMITS.fields) {
      this.#fault(pointer, 'too_many', `A list of fields has at most ${LIMITS.fields}, deleted ones included.`);
    }
    return merged;
  }

  #options(existing: readonly Option[], sent: readonly OptionChange[], pointer: string): Option[] {
    const merged = this.#inOrder(existing, sent, 'value', pointer, (known, change, at) =>
      this.#option(known, change, at),
    );
    if (merged.length > LIMITS.options) {
      this.#fault(pointer, 'too_many', `A field has at most ${LIMITS.options} options, deleted ones included.`);
    }
    return merged;
  }

  #inOrder<Name extends 'id' | 'value', Thing extends Record<Name, string>, Change extends { [name in Name]?: string }>(
    existing: readonly Thing[],
    sent: readonly Change[],
    name: Name,
    pointer: string,
    merge: (known: Thing | undefined, change: Change, at: string) => Thing,
  ): Thing[] {
    const known = new Map<string, Thing>(existing.map((thing) => [thing[name], thing]));
    const named = new Set<string>();
    const front = sent.map((change, i) => {
      const thing = merge(known.get(change[name] ?? ''), change, `${pointer}/${i}`);
      if (named.has(thing[name])) {
        this.#fault(`${pointer}/${i}/${name}`, 'duplicate', `"${thing[name]}" is in the list already.`);
      }
      named.add(thing[name]);
      return thing;
    });
    return [...front, ...existing.filter((thing) => !named.has(thing[name]))];
  }

  #field(known: Field | undefined, sent: FieldChange, at: string, nested: boolean): Field {
    if (!known) this.#checkNew(sent, at, 'field', ['label', 'type']);
    else {
      if (sent.type !== undefined && sent.type !== known.type) {
        this.#fault(`${at}/type`, 'type_immutable', `The field is of type "${known.type}", which cannot change.`);
      }
      if (sent.repeated !== undefined && sent.repeated !== known.repeated) {
        this.#fault(`${at}/repeated`, 'repeated_immutable', 'Whether a field is repeated cannot change.');
      }
    }
    const type = known?.type ?? sent.type;
    if (nested && type === 'group') {
      this.#fault(`${at}/type`, 'group_nested', 'A group cannot hold a group.');
    }
    return {
      id: known?.id ?? sent.id ?? this.#newId(),
      label: sent.label ?? known?.label ?? '',
      type: type ?? 'text',
      required: sent.required ?? known?.required ?? false,
      status: sent.status ?? known?.status ?? 'active',
      options: this.#part(type, 'select', 'options', known, sent, at, (options) =>
        this.#options(known?.options ?? [], options, `${at}/options`),
      ),
      repeated: known?.repeated ?? sent.repeated ?? false,
      fields: nested
        ? null
        : (this.#part(type, 'group', 'fields', known, sent, at, (fields) =>
            this.fields((known?.fields ?? []) as Field[], fields, `${at}/fields`, true),
          ) as NestedField[] | null),
      key: known?.key ?? UNNUMBERED,
      ...(known?.slot && { slot: known.slot }),
      ...(known?.pending && { pending: known.pending }),
    };
  }

  /** `options` of a select or `fields` of a group: always with that type, and only with it. null is as if not sent. */
  #part<Name extends 'options' | 'fields', Part>(
    type: string | undefined,
    owner: 'select' | 'group',
    name: Name,
    known: Field | undefined,
    sent: FieldChange,
    at: string,
    merge: (sent: NonNullable<FieldChange[Name]>) => Part[],
  ): Part[] | null {
    const part = sent[name];
    if (type !== owner) {
      if (part != null && type !== undefined) {
        this.#fault(`${at}/${name}`, `${name}_not_allowed`, `Only a field of type "${owner}" has ${name}.`);
      }
      return null;
    }
    const merged = part == null ? ((known?.[name] ?? []) as Part[]) : merge(part);
    if (merged.length === 0) {
      this.#fault(`${at}/${name}`, `${name}_required`, `A field of type "${owner}" has at least one of its ${name}.`);
    }
    return merged;
  }

  #option(known: Option | undefined, sent: OptionChange, at: string): Option {
    if (!known) this.#checkNew(sent, at, 'option', ['label']);
    return {
      value: sent.value,
      label: sent.label ?? known?.label ?? '',
      status: sent.status ?? known?.status ?? 'active',
    };
  }

  /** What is changed and what is new look alike: a mistyped id must not become a new thing, least of all a deleted one. */
  #checkNew<Sent extends { status?: string }>(sent: Sent, at: string, what: string, needed: (keyof Sent & string)[]) {
    for (const name of needed) {
      if (sent[name] === undefined) {
        this.#fault(`${at}/${name}`, 'required', `There is no such ${what} yet; a new one needs its ${name}.`);
      }
    }
    if (sent.status === 'deleted') {
      this.#fault(`${at}/status`, `${what}_unknown`, `There is no such ${what} that could be deleted.`);
    }
  }

  #fault(pointer: string, code: string, detail: string): void {
    this.#faults.push({ pointer, code, detail });
  }
}

/** Every field without a number, those in groups included. */
export function unnumbered(fields: readonly Field[]): NestedField[] {
  return fields
    .flatMap((field): NestedField[] => [field, ...(field.fields ?? [])])
    .filter((field) => field.key === UNNUMBERED);
}
