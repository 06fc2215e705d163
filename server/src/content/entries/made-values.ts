import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { NestedField } from '../collections/field.ts';

/** When and by whom an entry is created. */
export interface Creation {
  /** Milliseconds since 1970. */
  now: number;
  author?: { type: string; id: string | null } | undefined;
}

/** A default value that depends on the creation of an entry; undefined: it is a value like others. */
export function madeValueOf(defaultValue: unknown): 'now' | 'currentUser' | undefined {
  if (typeof defaultValue !== 'object' || defaultValue === null || Array.isArray(defaultValue)) return undefined;
  const [entry, ...others] = Object.entries(defaultValue);
  if (!entry || others.length > 0 || entry[1] !== true) return undefined;
  return entry[0] === 'now' || entry[0] === 'currentUser' ? entry[0] : undefined;
}

export function isMadeFor(made: 'now' | 'currentUser', { type, format, repeated }: NestedField): boolean {
  if (repeated) return false;
  if (made === 'currentUser') return type === 'text' && format === undefined;
  return type === 'date' || type === 'timestamp' || format === 'time';
}

/** Undefined if nobody who has an ID creates the entry. */
export function makeValue(made: 'now' | 'currentUser', { type }: NestedField, { now, author }: Creation) {
  if (made === 'currentUser') return author?.type === 'user' && author.id ? publicId('usr', author.id) : undefined;
  const time = isoTime(now);
  if (type === 'timestamp') return time;
  return type === 'date' ? time.slice(0, 10) : time.slice(11, 19);
}
