import type { Fault } from '../../shared/errors.ts';
import { type Field, isActive } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';

/** A part of a pattern: a text, or a placeholder by its path. */
type UrlPart = { text: string } | { path: readonly [string] | readonly [string, string] };

export interface UrlPattern {
  parts: readonly UrlPart[];
  /** Matches the path of a URL, with a group for each placeholder. */
  regex: RegExp;
}

export const LOCALE = 'locale';
export const ID = 'id';

const PLACEHOLDER = /\{([^{}]*)\}/;
const PATH = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)?$/;
/** What stands before a placeholder, and after the last one. */
const TEXT = /^[A-Za-z0-9/_.~-]*$/;

const patterns = new Map<string, UrlPattern>();
const MAX_KNOWN = 1_000;

/** @param pattern one that was checked */
export function parseUrlPattern(pattern: string): UrlPattern {
  const known = patterns.get(pattern);
  if (known) return known;
  const parts = pattern.split(PLACEHOLDER).map((text, i): UrlPart => {
    if (i % 2 === 0) return { text };
    const [first = '', second] = text.split('.');
    return { path: second === undefined ? [first] : [first, second] };
  });
  const source = parts.map((part) => ('text' in part ? RegExp.escape(part.text) : '([^/]+)')).join('');
  const parsed = { parts, regex: new RegExp(`^${source}$`) };
  if (patterns.size >= MAX_KNOWN) patterns.clear();
  patterns.set(pattern, parsed);
  return parsed;
}

/** Checks that a pattern is a path, and that its placeholders name values of which everyone can read one. */
export function checkUrlPattern(fields: readonly Field[], pattern: string, faults: Fault[]): void {
  const pointer = '/urlPattern';
  const fault = (code: string, detail: string) => faults.push({ pointer, code, detail });
  const parts = pattern.split(PLACEHOLDER);
  const texts = parts.filter((_, i) => i % 2 === 0);
  const names = parts.filter((_, i) => i % 2 === 1);
  if (!pattern.startsWith('/') || !texts.every((text) => TEXT.test(text))) {
    fault(
      'url_pattern_invalid',
      'A pattern is a path such as `/{locale}/blog/{slug}`: it begins with / and has letters, digits and - _ . ~ besides placeholders.',
    );
    return;
  }
  if (texts.slice(1, -1).some((text) => text === '')) {
    fault('url_pattern_invalid', 'Between two placeholders there is a text, such as / or -.');
  }
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const name of names) {
    const [first = '', second] = name.split('.');
    const field = byId.get(first);
    if (!PATH.test(name)) fault('url_pattern_invalid', `"{${name.slice(0, 60)}}" is not the path of a field.`);
    else if (second === undefined && (name === ID || name === LOCALE) && !field) {
      if (name === LOCALE && !fields.some(({ localized }) => localized)) {
        fault('not_localized', 'The collection has no localized fields, so its URLs have no locale.');
      }
    } else if (!field || !isActive(field)) {
      fault('field_unknown', `There is no active field with the ID "${first.slice(0, 60)}".`);
    } else if (field.private || field.repeated || !fits(field, second)) {
      const detail =
        second === undefined ? 'is not a single text, number, date or option' : 'is not a single reference';
      fault('field_not_allowed', `"${field.label}" ${field.private ? 'is private' : detail}.`);
    }
  }
  const isUnique = (name: string) =>
    byId.has(name) ? byId.get(name)?.format === 'slug' || byId.get(name)?.unique : name === ID;
  if (!names.some(isUnique)) {
    fault('url_not_unique', 'A pattern has the slug, another unique field or the ID of the entry.');
  }
}

const SINGLE = ['text', 'number', 'date', 'select'];
const FORMATS = [undefined, 'slug', 'time', 'integer'];

function fits(field: Field, second: string | undefined): boolean {
  const { structure } = typeOf(field);
  return second === undefined
    ? SINGLE.includes(field.type) && FORMATS.includes(field.format) && structure !== 'reference'
    : structure === 'reference';
}
