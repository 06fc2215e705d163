import type { Landing } from './landing.ts';

const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 24 * 60 * 60_000;

/** What the rules need to know of a session. */
export interface SessionState {
  startedAt: number;
  lastSeenAt: number;
  clickIds: Readonly<Record<string, string | undefined>>;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  utmId: string | null;
}

/**
 * Whether a visit at `at` goes on in a session: not after 30 minutes idle or 24 hours, nor when it comes with a click id
 * or a campaign that the session did not begin with (contract: Sessions, visits and events).
 */
export function goesOn(session: SessionState, landing: Landing, at: number): boolean {
  if (at - session.lastSeenAt > IDLE_MS || at - session.startedAt > LONGEST_MS) return false;
  for (const [name, value] of Object.entries(landing.clickIds)) if (session.clickIds[name] !== value) return false;
  if (landing.source === null && landing.campaign === null && landing.utmId === null) return true;
  return (
    session.source === landing.source &&
    session.medium === landing.medium &&
    session.campaign === landing.campaign &&
    session.utmId === landing.utmId
  );
}
