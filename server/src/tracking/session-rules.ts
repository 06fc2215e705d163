import type { ClickIdName } from './click-ids.ts';
import type { Landing } from './landing.ts';

/** How long a session may be idle: also how long before its first visit an earlier one may lie that arrives after it. */
export const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 24 * 60 * 60_000;

/** What the rules need to know of a session. */
export interface SessionState {
  startedAt: number;
  lastSeenAt: number;
  /** What its landing URL says, read when it is asked for. */
  readonly landing: Landing;
}

/**
 * Whether a visit at `at` goes on in a session: not after 30 minutes idle or 24 hours, nor when it comes with a click id
 * or a campaign that the session did not begin with (contract: Sessions, visits and events). One that lies before its
 * beginning, since it arrives late, belongs to it within the same 30 minutes.
 */
export function goesOn(session: SessionState, landing: Landing, at: number): boolean {
  if (at - session.lastSeenAt > IDLE_MS || at - session.startedAt > LONGEST_MS) return false;
  if (session.startedAt - at > IDLE_MS) return false;
  const clicks = Object.entries(landing.clickIds);
  const hasCampaign = landing.source !== null || landing.campaign !== null || landing.utmId !== null;
  if (clicks.length === 0 && !hasCampaign) return true;
  const first = session.landing;
  if (clicks.some(([name, value]) => first.clickIds[name as ClickIdName] !== value)) return false;
  return (
    !hasCampaign ||
    (first.source === landing.source &&
      first.medium === landing.medium &&
      first.campaign === landing.campaign &&
      first.utmId === landing.utmId)
  );
}
