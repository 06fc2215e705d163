import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';
import { parseJsonLeniently, storableText } from '../json.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** More than any operation uses. */
const MAX_MEMBERS = 1_000;

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
  // Counted before parsing, which takes half a second for a million members.
  if (hasMoreMembers(text, MAX_MEMBERS)) {
    throw badRequest('too_many', `The form has more than ${MAX_MEMBERS} members.`);
  }
  const members = new Map<string, unknown[]>();
  const groups = new Map<string, Map<string, unknown[]>>();
  for (const [sentName, sent] of new URLSearchParams(text)) {
    const name = storableText(sentName);
    const value = storableText(sent);
    const [, outer, inner] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
    if (outer === undefined || inner === undefined) add(members, name, readValue(value));
    else {
      const group = groups.get(outer) ?? new Map<string, unknown[]>();
      add(group, inner, value);
      groups.set(outer, group);
    }
  }
  for (const [outer, group] of groups) members.set(outer, [toObject(group)]);
  return toObject(members);
}

function hasMoreMembers(text: string, limit: number): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) if (++count > limit) return true;
  return false;
}

function readValue(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return parseJsonLeniently(Buffer.from(text));
  } catch {
    return text;
  }
}

function add(members: Map<string, unknown[]>, name: string, value: unknown): void {
  const values = members.get(name);
  if (values) values.push(value);
  else members.set(name, [value]);
}

/** The name of a parameter without the `amp;` of a URL that was copied from HTML. */
export const parameterName = (sent: string): string => sent.replace(/^(?:amp;)+/i, '');

/** The value of a parameter that was sent several times: the same value counts once. */
export function mergeRepeated(values: readonly unknown[]): unknown {
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? distinct[0] : distinct;
}

function toObject(members: ReadonlyMap<string, readonly unknown[]>): Record<string, unknown> {
  return Object.fromEntries([...members].map(([name, values]) => [name, mergeRepeated(values)]));
}
