import Bowser from 'bowser';
import type { SignedIn } from '../accounts/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { UserSession } from './contract.ts';
import { listSessions } from './queries.ts';
import { IDLE_MS } from './sessions.ts';

/** A user's sessions that have not ended, the latest used first. */
export async function listUserSessions({ db, clock }: Deps, { userId, sessionId }: SignedIn): Promise<UserSession[]> {
  const now = clock();
  const rows = await listSessions(db, userId, new Date(now), new Date(now - IDLE_MS));
  return rows.map((row) => ({
    id: publicId('uss', row.id),
    isCurrent: row.id === sessionId,
    createdAt: isoTime(row.created_at),
    lastSeenAt: isoTime(row.last_seen_at),
    expiresAt: isoTime(row.expires_at),
    address: row.address,
    device: deviceOf(row.user_agent),
  }));
}

function deviceOf(userAgent: string): string | null {
  if (userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ') || null;
}
