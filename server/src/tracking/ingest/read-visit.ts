import type { SessionIds } from '../../shared/session-ids.ts';
import { parseTimestamp } from '../../shared/time.ts';
import { MINUTE, SECOND } from '../../shared/units.ts';
import { decimalText, parseSessionId } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { readConsent } from '../signals/consent.ts';
import { CLIENT_ID } from './contract.ts';
import { readLanding } from './landing.ts';
import type { NewVisit } from './new-visit.ts';

const MAX_AHEAD_MS = 60 * MINUTE;
const MAX_TRANSIT_MS = 15 * SECOND;
const CLIENT_ID_PATTERN = new RegExp(CLIENT_ID);
const SESSION_HASH = /^[0-9A-Za-z]{22}$/;

type Members = Readonly<Record<string, unknown>>;
type ReadVisit = Pick<
  NewVisit,
  | 'url'
  | 'landing'
  | 'referrer'
  | 'title'
  | 'visitId'
  | 'visitorId'
  | 'sessionHash'
  | 'sessionNumber'
  | 'occurredAt'
  | 'consent'
>;

/** Reads a visit whose `url` is valid. Every other member that is unusable is ignored, because the visit must not be lost. */
export function readVisit(ids: SessionIds, item: Members, sentAt: unknown, receivedAt: number): ReadVisit {
  const url = String(item.url);
  const { sessionHash } = item;
  const sessionId =
    typeof sessionHash === 'string' || typeof sessionHash === 'number'
      ? parseSessionId(decimalText(sessionHash))
      : undefined;
  return {
    url,
    landing: readLanding(url),
    // document.referrer is empty when there is no referrer.
    referrer: textOf(item.referrer, LIMITS.urlLength) || null,
    title: textOf(item.title, LIMITS.titleLength) ?? null,
    visitId: matching(item.visitId, CLIENT_ID_PATTERN),
    visitorId: matching(item.visitorId, CLIENT_ID_PATTERN),
    sessionHash: matching(sessionHash, SESSION_HASH),
    sessionNumber: sessionId === undefined ? undefined : ids.numberOf(sessionId),
    occurredAt: occurredAt(item.occurredAt, sentAt, receivedAt),
    consent: readConsent(item.consent),
  };
}

/**
 * When something happened, in milliseconds: the sender's time, corrected by the error of its clock (`sentAt` compared with
 * the arrival). Up to `MAX_TRANSIT_MS` the request may as well have been under way: added to some of the requests of a page, that
 * would change the order of its visits. A time that is unreadable or more than an hour ahead is replaced by the time of arrival.
 */
export function occurredAt(sent: unknown, sentAt: unknown, receivedAt: number): number {
  const time = typeof sent === 'string' ? parseTimestamp(sent) : undefined;
  if (time === undefined) return receivedAt;
  const clock = typeof sentAt === 'string' ? parseTimestamp(sentAt) : undefined;
  const error = receivedAt - (clock ?? receivedAt);
  const corrected = error > 0 && error < MAX_TRANSIT_MS ? time : time + error;
  return corrected > receivedAt + MAX_AHEAD_MS || corrected < 0 ? receivedAt : corrected;
}

function textOf(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxLength).toWellFormed() : undefined;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}
