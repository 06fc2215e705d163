import Bowser from 'bowser';
import type { SignedIn } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { SessionState, UserSession } from '../contract.ts';
import { listMemberships } from '../members/queries.ts';
import { findUser, hasUsers } from '../queries.ts';
import { findSession, listSessions } from './queries.ts';
import { IDLE_MS } from './sessions.ts';

/** What the dashboard starts with: the signed-in user and their accounts. */
export async function readSessionState(
  { control, config }: Pick<Deps, 'config'> & { control: ControlTx },
  signedIn: SignedIn | undefined,
): Promise<SessionState> {
  const sendsEmail = config.mail !== undefined;
  const signedOut = { sendsEmail, isFirstRun: false, user: null, session: null, accounts: [] };
  if (!signedIn) {
    const [row] = await hasUsers(control);
    return { ...signedOut, isFirstRun: !row?.any };
  }
  const { userId: user_id, sessionId } = signedIn;
  // One after the other: in a transaction they share a connection.
  const [user] = await findUser(control, { user_id });
  const [session] = await findSession(control, { user_id, id: sessionId });
  const accounts = await listMemberships(control, { user_id });
  // The session may have ended in the meantime.
  if (!user || !session) return signedOut;
  return {
    sendsEmail,
    isFirstRun: false,
    user: { id: publicId('usr', user.id), email: user.email, name: user.name, isOperator: user.is_operator },
    session: {
      id: publicId('uss', session.id),
      createdAt: isoTime(session.created_at),
      expiresAt: isoTime(session.expires_at),
    },
    accounts: accounts.map(({ id, time_zone, ...account }) => ({
      ...account,
      id: publicId('acc', id),
      timeZone: time_zone ?? 'UTC',
    })),
  };
}

/** A user's active sessions, the most recently used first. */
export async function listUserSessions(
  { control, clock }: Deps,
  { userId, sessionId }: SignedIn,
): Promise<UserSession[]> {
  const now = clock();
  const validity = { now: new Date(now), idle_since: new Date(now - IDLE_MS) };
  const rows = await listSessions(control, { user_id: userId, ...validity });
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
