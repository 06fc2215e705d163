import { isDate, isoTime, parseTimestamp } from '../shared/time.ts';

const AHEAD_MS = 60 * 60_000;
/** Numbers below it are seconds (to the year 5138), from it on milliseconds (from 1973). */
const MILLISECONDS_FROM = 1e11;
const MAX_LENGTH = 64;

export interface CreatedOn {
  /** ISO 8601; null where none was sent. */
  at: string | null;
  /** Why it is the time of arrival, where it is. */
  reason?: string;
}

/**
 * When a conversion says it happened: ISO 8601 (a date alone is its first moment; without an offset UTC), or epoch seconds
 * or milliseconds, as a number or in digits. What cannot be read, or lies over an hour ahead, gives way to the arrival.
 */
export function readCreatedOn(sent: unknown, receivedAt: number): CreatedOn {
  if (sent === undefined || sent === null) return { at: null };
  const ms = typeof sent === 'string' ? fromText(sent) : typeof sent === 'number' ? fromEpoch(sent) : undefined;
  if (ms === undefined) return insteadOf('could not be read', receivedAt);
  if (ms > receivedAt + AHEAD_MS) return insteadOf('lies more than an hour ahead', receivedAt);
  return { at: isoTime(ms) };
}

function insteadOf(why: string, receivedAt: number): CreatedOn {
  return { at: isoTime(receivedAt), reason: `createdOn ${why}: the time of arrival stands for it.` };
}

function fromText(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // ISO 8601's basic form, which as seconds would lie in 1970.
  const date = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (isDate(date)) return parseTimestamp(`${date}T00:00:00Z`);
  if (/^\d{1,20}(?:\.\d{1,9})?$/.test(text)) return fromEpoch(Number(text));
  // An offset may leave out its minutes.
  return parseTimestamp(text.replace(/(?<=:\d\d.*)[+-]\d\d$/, '$&:00')) ?? parseTimestamp(`${text}Z`);
}

function fromEpoch(epoch: number): number | undefined {
  if (!(epoch >= 0 && epoch < Number.MAX_SAFE_INTEGER)) return undefined;
  return Math.round(epoch < MILLISECONDS_FROM ? epoch * 1000 : epoch);
}
