import type { ClickIdName } from '../../shared/click-ids.ts';
import { IDLE_MS, MAX_LENGTH_MS } from '../session-limits.ts';
import type { Landing } from './landing.ts';

/** What the rules need to know about a session. */
export interface SessionState {
  startedAt: number;
  lastSeenAt: number;
  /** Parsed on access. */
  readonly landing: Landing;
}

/**
 * Whether a visit at `at` continues a session: not after 30 minutes of inactivity or 24 hours, and not with a click id or
 * campaign that the session did not start with (contract: Sessions, visits and events). A visit that arrives late and lies
 * before the session's start belongs to it within the same 30 minutes.
 */
export function continues(session: SessionState, landing: Landing, at: number): boolean {
  if (at - session.lastSeenAt > IDLE_MS || at - session.startedAt > MAX_LENGTH_MS) return false;
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
