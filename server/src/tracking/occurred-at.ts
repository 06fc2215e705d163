import { parseTimestamp } from '../shared/time.ts';

const AHEAD_MS = 60 * 60_000;

/**
 * When something happened, in milliseconds: what its sender says, put right by the error of the sender's clock (`sentAt`
 * against the arrival). What lies over an hour ahead gives way to the arrival.
 */
export function occurredAt(timestamp: string | undefined, sentAt: string | undefined, receivedAt: number): number {
  if (timestamp === undefined) return receivedAt;
  const sent = (sentAt && parseTimestamp(sentAt)) || receivedAt;
  const corrected = (parseTimestamp(timestamp) ?? sent) + (receivedAt - sent);
  return corrected > receivedAt + AHEAD_MS || corrected < 0 ? receivedAt : corrected;
}
