import { parseTimestamp } from '../shared/time.ts';

const AHEAD_MS = 60 * 60_000;

/**
 * When something happened, in milliseconds: what its sender says, put right by the error of the sender's clock (`sentAt`
 * against the arrival). What lies over an hour ahead gives way to the arrival. Undefined where a text is no RFC 3339 time.
 */
export function occurredAt(
  timestamp: string | undefined,
  sentAt: string | undefined,
  receivedAt: number,
): number | undefined {
  const sent = sentAt === undefined ? receivedAt : parseTimestamp(sentAt);
  const at = timestamp === undefined ? sent : parseTimestamp(timestamp);
  if (sent === undefined || at === undefined) return undefined;
  const corrected = at + (receivedAt - sent);
  return corrected > receivedAt + AHEAD_MS || corrected < 0 ? receivedAt : corrected;
}
