import type { Fault } from '../shared/errors.ts';
import { escapePointer } from '../shared/http/problem.ts';
import { isDate, isoTime, parseTimestamp } from '../shared/time.ts';
import { type Collection, type Field, isActive, type NestedField } from './collection.ts';
import { LIMITS } from './contract.ts';

/** The values of an entry by field id, as they are stored: an asset as `{assetId}`, times in UTC, nothing that is null. */
export type Values = Record<string, unknown>;

export interface CheckedValues {
  /** In the order of the fields. Of use only where there is no fault. */
  values: Values;
  faults: Fault[];
  /** Assets that are named, and by which pointer: whether they exist is for the caller to ask. */
  assets: { pointer: string; assetId: string }[];
}

/** Checks the values of a new entry: every rule of every field. */
export function checkNewValues(collection: Collection, sent: Values): CheckedValues {
  const check = new ValueCheck();
  return check.result(check.fields(collection.fields, sent, undefined, '/values'));
}

/** Checks what a change sends, and lays it over what is stored: a field that is not sent stays, one sent as null goes. */
export function checkChangedValues(collection: Collection, sent: Values, stored: Values): CheckedValues {
  const check = new ValueCheck();
  return check.result(check.fields(collection.fields, sent, stored, '/values'));
}

class ValueCheck {
  readonly #faults: Fault[] = [];
  readonly #assets: CheckedValues['assets'] = [];

  result(values: Values): CheckedValues {
    return { values, faults: this.#faults, assets: this.#assets };
  }

  /** @param stored what the entry has, where it is changed; undefined, where it is new and every required field is needed */
  fields(fields: readonly Field[], sent: Values, stored: Values | undefined, pointer: string): Values {
    this.#refuseUnknown(fields, sent, pointer);
    const values: Values = {};
    for (const field of fields) {
      const had = own(stored, field.id);
      const stays = stored !== undefined && !Object.hasOwn(sent, field.id);
      const value = stays ? had : this.#field(field, own(sent, field.id), had, `${pointer}/${field.id}`);
      if (value !== undefined) values[field.id] = value;
    }
    return values;
  }

  /** The value as it is stored; undefined where there is none, or where it is wrong. */
  #field(field: Field, value: unknown, had: unknown, at: string): unknown {
    if (!isActive(field)) {
      if (value !== undefined) this.#fault(at, 'field_deleted', 'The field was deleted; it cannot be written.');
      return had;
    }
    if (value === undefined || value === null) {
      if (field.required) this.#fault(at, 'required', `"${field.label}" is required.`);
      return undefined;
    }
    if (!field.repeated) return this.#value(field, value, [had], at);
    if (!Array.isArray(value)) {
      this.#fault(at, 'type', 'The field is repeated: its value is an array.');
      return undefined;
    }
    if (value.length === 0 && field.required) this.#fault(at, 'required', `"${field.label}" needs at least one value.`);
    if (value.length > LIMITS.repeated) {
      this.#fault(at, 'too_many', `A repeated field has at most ${LIMITS.repeated} values.`);
      return undefined;
    }
    const hadList = Array.isArray(had) ? had : [];
    return value.map((each, i) => this.#value(field, each, hadList, `${at}/${i}`));
  }

  /** @param had what stood here before; of a repeated field, every value that did */
  #value(field: NestedField, value: unknown, had: readonly unknown[], at: string): unknown {
    switch (field.type) {
      case 'text':
        return this.#string(value, at, LIMITS.text);
      case 'number':
        if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
        return this.#fault(at, 'type', 'The value must be a number.');
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#fault(at, 'type', 'The value must be true or false.');
      case 'date':
        if (typeof value === 'string' && isDate(value)) return value;
        return this.#fault(at, ...wrong(value, 'date_invalid', 'a day that exists, written YYYY-MM-DD'));
      case 'timestamp': {
        const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
        if (ms !== undefined) return isoTime(ms);
        return this.#fault(at, ...wrong(value, 'timestamp_invalid', 'an RFC 3339 timestamp with its offset'));
      }
      case 'url': {
        const url = this.#string(value, at, LIMITS.url);
        if (url === undefined || isWebUrl(url)) return url;
        return this.#fault(at, 'url_invalid', 'The value must be an http or https URL.');
      }
      case 'select':
        return this.#option(field, value, had, at);
      case 'asset':
        return this.#asset(value, at);
      case 'group':
        return this.#group((field as Field).fields ?? [], value, had, at, (field as Field).repeated);
    }
  }

  #option(field: NestedField, value: unknown, had: readonly unknown[], at: string): unknown {
    if (typeof value !== 'string') return this.#fault(at, 'type', 'The value must be a string.');
    const option = field.options?.find((each) => each.value === value);
    if (option === undefined) return this.#fault(at, 'option_unknown', 'The value must be one of the options.');
    if (isActive(option) || had.includes(value)) return value;
    return this.#fault(at, 'option_deleted', 'The option was deleted; it cannot be newly chosen.');
  }

  #asset(value: unknown, at: string): unknown {
    if (!isObject(value)) return this.#fault(at, 'type', 'The value must be an object with an assetId.');
    for (const name of Object.keys(value)) {
      if (!ASSET_MEMBERS.has(name))
        this.#fault(`${at}/${escapePointer(name)}`, 'unknown_property', 'is not known here');
    }
    const { assetId } = value;
    if (assetId === undefined) return this.#fault(`${at}/assetId`, 'required', 'is required');
    if (typeof assetId !== 'string') return this.#fault(`${at}/assetId`, 'type', 'must be string');
    this.#assets.push({ pointer: `${at}/assetId`, assetId });
    return { assetId };
  }

  /** A group comes whole: what is not sent is gone, but for deleted fields, whose values stay. */
  #group(
    fields: readonly NestedField[],
    value: unknown,
    had: readonly unknown[],
    at: string,
    repeated: boolean,
  ): unknown {
    if (!isObject(value)) return this.#fault(at, 'type', 'The value must be an object.');
    this.#refuseUnknown(fields, value, at);
    const groups = had.filter(isObject);
    const values: Values = {};
    for (const field of fields) {
      const sent = own(value, field.id);
      const stored = groups.map((group) => own(group, field.id));
      const pointer = `${at}/${field.id}`;
      if (!isActive(field)) {
        if (sent !== undefined) this.#fault(pointer, 'field_deleted', 'The field was deleted; it cannot be written.');
        if (!repeated && stored[0] !== undefined) values[field.id] = stored[0];
      } else if (sent === undefined || sent === null) {
        if (field.required) this.#fault(pointer, 'required', `"${field.label}" is required.`);
      } else {
        const checked = this.#value(field, sent, stored, pointer);
        if (checked !== undefined) values[field.id] = checked;
      }
    }
    return values;
  }

  #refuseUnknown(fields: readonly NestedField[], sent: Values, at: string): void {
    const known = new Set(fields.map((field) => field.id));
    for (const id of Object.keys(sent)) {
      if (!known.has(id)) this.#fault(`${at}/${escapePointer(id)}`, 'unknown_property', 'There is no such field.');
    }
  }

  #string(value: unknown, at: string, longest: number): string | undefined {
    if (typeof value !== 'string') return this.#fault(at, 'type', 'The value must be a string.');
    if (value.length > longest) return this.#fault(at, 'too_long', `The value has at most ${longest} characters.`);
    return value;
  }

  #fault(pointer: string, code: string, detail: string): undefined {
    this.#faults.push({ pointer, code, detail });
    return undefined;
  }
}

const ASSET_MEMBERS = new Set(['assetId', 'url', 'type', 'name', 'width', 'height']);

function wrong(value: unknown, code: string, what: string): [code: string, detail: string] {
  return typeof value === 'string' ? [code, `The value must be ${what}.`] : ['type', 'The value must be a string.'];
}

/** Field ids may be names that every object inherits (`constructor`). */
function own(values: Values | undefined, id: string): unknown {
  return values !== undefined && Object.hasOwn(values, id) ? values[id] : undefined;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An absolute http or https URL without white space, which a parser would cut away. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
