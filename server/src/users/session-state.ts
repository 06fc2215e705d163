import type { SignedIn } from '../accounts/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { SessionState } from './contract.ts';
import { findOwnSession, findUser, isAnyUser, listMemberships } from './queries.ts';

/** What the dashboard begins with: who is signed in, and what may be chosen from. */
export async function sessionState({ db }: Deps, signedIn: SignedIn | undefined): Promise<SessionState> {
  if (!signedIn) {
    const [row] = await isAnyUser(db);
    return { isFirstRun: !row?.any, user: null, session: null, accounts: [] };
  }
  const { userId, sessionId } = signedIn;
  const [[user], [session], accounts] = await Promise.all([
    findUser(db, userId),
    findOwnSession(db, userId, sessionId),
    listMemberships(db, userId),
  ]);
  // The session ended while it was asked for.
  if (!user || !session) return { isFirstRun: false, user: null, session: null, accounts: [] };
  return {
    isFirstRun: false,
    user: { id: publicId('usr', user.id), email: user.email, name: user.name },
    session: {
      id: publicId('uss', session.id),
      createdAt: isoTime(session.created_at),
      expiresAt: isoTime(session.expires_at),
    },
    accounts: accounts.map(({ id, name, role }) => ({ id: publicId('acc', id), name, role })),
  };
}
