import Bowser from 'bowser';
import { accessOf, CONFIRMED_MS, grantsOf, roleIdOf, type SignedIn } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { SessionState, UserSession } from '../contract.ts';
import { listMemberships } from '../members/queries.ts';
import { findUser, hasUsers } from '../queries.ts';
import { viewedColumns } from '../roles/view-as-role.ts';
import { listReviews } from '../security/reviews.ts';
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
  const memberships = await listMemberships(control, { user_id });
  const reviews = await listReviews(control, user_id);
  // The session may have ended in the meantime.
  if (!user || !session) return signedOut;
  const viewed = await viewedColumns(control, session);
  const limitedTo = session.account_id;
  const accounts = memberships.filter(({ id }) => limitedTo === null || id === limitedTo);
  return {
    sendsEmail,
    isFirstRun: false,
    user: {
      id: publicId('usr', user.id),
      email: user.email,
      isEmailConfirmed: user.email_confirmed_at !== null,
      name: user.name,
      language: user.language,
      isOperator: user.is_operator && limitedTo === null && session.view_account_id === null,
      needsReview: reviews.length > 0 && limitedTo === null,
    },
    session: {
      id: publicId('uss', session.id),
      createdAt: isoTime(session.created_at),
      expiresAt: isoTime(session.expires_at),
      confirmedUntil: isoTime(session.confirmed_at.getTime() + CONFIRMED_MS),
      isSso: limitedTo !== null,
    },
    accounts: accounts.map((row) => {
      const { id, name, area, currency, time_zone } = row;
      const isView = session.view_account_id === id;
      const held = isView ? viewed : row;
      const access = accessOf(held, ['usr', user_id]);
      const { permissions, features } = grantsOf({ type: 'user', role: held.role, ...(access && { access }) });
      return {
        ...{ id: publicId('acc', id), name, role: held.role, area, currency, timeZone: time_zone ?? 'UTC', isView },
        ...(limitedTo === null && row.requires_sso && { requiresSso: true }),
        ...(access && { customRole: { id: roleIdOf(held), name: held.role_name ?? '' } }),
        permissions: [...permissions],
        features,
      };
    }),
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
