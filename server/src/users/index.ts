import { forgetOldChanges } from '../shared/audit.ts';
import type { Deps, Worker } from '../shared/deps.ts';
import type { App } from '../shared/http/server.ts';
import { periodically } from '../shared/periodic.ts';
import { ATTEMPTS_KEPT_MS, forgetAttempts } from './attempts.ts';
import { auditRoutes } from './audit-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { invitationRoutes, memberRoutes } from './member-routes.ts';
import { forgetLinks, forgetSessions } from './queries.ts';
import { IDLE_MS, type UserSessions } from './sessions.ts';

export { inviteByCommand, listUsersByCommand, resetByCommand } from './commands.ts';
export { makeFirstRunLink } from './first-run.ts';
export { nameAuthors } from './name-authors.ts';
export { UserSessions } from './sessions.ts';

const HOUR_MS = 3_600_000;

/** People who use the dashboard: users, their sessions, members of accounts, invitations, and who changed what. */
export function usersRoom(app: App, deps: Deps, sessions: UserSessions): Worker[] {
  authRoutes(app, deps, sessions);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
  auditRoutes(app, deps);
  const { db, clock, config, log } = deps;
  return [
    periodically(HOUR_MS, 'to forget sessions, links, attempts and changes of long ago', log, async () => {
      const now = clock();
      await forgetSessions(db, new Date(now), new Date(now - IDLE_MS));
      await forgetLinks(db, new Date(now));
      await forgetAttempts(db, new Date(now - ATTEMPTS_KEPT_MS));
      await forgetOldChanges(db, config, now);
    }),
  ];
}
