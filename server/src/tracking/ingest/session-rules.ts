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
 * Whether a visit at `at` belongs to a session: not after 30 minutes of inactivity or 24 hours, and not with a click id or
 * campaign that the session did not start with (contract: Sessions, visits and events). A visit that arrives late and lies
 * before the session's start would have started it, so then the session has to continue the visit.
 */
export function continues(session: SessionState, landing: Landing, at: number): boolean {
  const { startedAt, lastSeenAt } = session;
  if (at < startedAt) {
    if (startedAt - at > IDLE_MS || lastSeenAt - at > MAX_LENGTH_MS) return false;
    return isCompatible(landing, session.landing);
  }
  if (at - lastSeenAt > IDLE_MS || at - startedAt > MAX_LENGTH_MS) return false;
  return !hasOrigin(landing) || isCompatible(session.landing, landing);
}

const hasCampaign = ({ source, campaign, utmId }: Landing) => source !== null || campaign !== null || utmId !== null;

/** Whether a URL says where its visit comes from. Most do not. */
const hasOrigin = (landing: Landing) => hasCampaign(landing) || Object.keys(landing.clickIds).length > 0;

/** Whether a later visit of a session may have this landing URL: with no click id or campaign that the first one lacks. */
export function isCompatible(first: Landing, later: Landing): boolean {
  const clicks = Object.entries(later.clickIds);
  if (clicks.some(([name, value]) => first.clickIds[name as ClickIdName] !== value)) return false;
  return (
    !hasCampaign(later) ||
    (first.source === later.source &&
      first.medium === later.medium &&
      first.campaign === later.campaign &&
      first.utmId === later.utmId)
  );
}
