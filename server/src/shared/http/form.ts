import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';
import { isStorable, parseJson } from '../json.ts';

export const FORM = 'application/x-www-form-urlencoded';

const MAX_DEPTH = 32;

/**
 * Content type parser of form bodies: every member is text, `outer[inner]=…` makes an object, a member that is a JSON object
 * is parsed, and a member that is repeated with different values becomes an array.
 */
export function parseForm(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  try {
    done(null, readForm(String(body)));
  } catch (error) {
    done(error as Error);
  }
}

export function isForm(request: FastifyRequest): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false;
}

function readForm(text: string): Record<string, unknown> {
  const members = new Map<string, unknown>();
  const nested = new Map<string, Map<string, unknown>>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (!isStorable(name) || !isStorable(value)) {
      throw badRequest('text_not_storable', 'The form contains U+0000 or text that is not valid UTF-8.');
    }
    const [, outer, inner] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
    if (outer === undefined || inner === undefined) add(members, name, readValue(value));
    else {
      const group = nested.get(outer) ?? new Map<string, unknown>();
      add(group, inner, value);
      nested.set(outer, group);
    }
  }
  for (const [outer, group] of nested) members.set(outer, toObject(group));
  return toObject(members);
}

function readValue(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return parseJson(Buffer.from(text), MAX_DEPTH);
  } catch {
    return text;
  }
}

function add(members: Map<string, unknown>, name: string, value: unknown): void {
  members.set(name, members.has(name) ? mergeRepeated([members.get(name), value].flat()) : value);
}

/** The value of a parameter that was sent several times: the same value counts once. */
export function mergeRepeated(values: readonly unknown[]): unknown {
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? distinct[0] : distinct;
}

function toObject(members: Map<string, unknown>): Record<string, unknown> {
  if (members.has('__proto__')) throw badRequest('name_invalid', 'A member of the form may not be named __proto__.');
  return Object.fromEntries(members);
}
