import { applyAuditRetention } from '../shared/audit.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { deleteExpiredIdempotencyKeys } from '../shared/http/idempotency.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { auditRoutes } from './audit/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { deleteExpiredLinks } from './one-time-links.ts';
import { passkeyRoutes } from './security/passkey-routes.ts';
import { securityRoutes } from './security/routes.ts';
import { deleteExpiredAttempts } from './sign-in/attempt-limits.ts';
import { deleteExpiredSessions } from './sign-in/queries.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { IDLE_MS, type UserSessions } from './sign-in/sessions.ts';
import { SignIns } from './sign-in/sign-in.ts';

export { roleInsufficient } from '../accounts/index.ts';
export { nameAuthors } from './audit/name-authors.ts';
export {
  disableTwoFactorByCommand,
  inviteByCommand,
  listUsersByCommand,
  resetByCommand,
  setOperatorByCommand,
} from './commands.ts';
export { Author } from './contract.ts';
export { USER_LIMITS } from './limits.ts';
export { memberNames } from './members/member-names.ts';
export { requireOperator } from './operators.ts';
export { attempt } from './sign-in/attempt-limits.ts';
export { createFirstRunLink } from './sign-in/first-run.ts';
export { hashPassword, isPassword } from './sign-in/password.ts';
export { UserSessions } from './sign-in/sessions.ts';

const HOUR_MS = 3_600_000;

/** Dashboard users: their sessions, memberships and invitations. */
export function usersModule(deps: Deps, sessions: UserSessions): Module {
  const { control, clock, config, log } = deps;
  const signIns = new SignIns(deps, sessions);
  const retention = workerLoop({
    name: 'delete expired sessions, links, sign-in attempts, idempotency keys and audit entries',
    log,
    everyMs: HOUR_MS,
    async run() {
      const now = clock();
      await deleteExpiredSessions(control, { now: new Date(now), idle_since: new Date(now - IDLE_MS) });
      await deleteExpiredLinks(control, { now: new Date(now) });
      await deleteExpiredAttempts(control, now);
      await deleteExpiredIdempotencyKeys(control);
      await applyAuditRetention(control, config, now);
    },
  });
  return {
    routes(app) {
      signInRoutes(app, deps, sessions, signIns);
      securityRoutes(app, deps);
      passkeyRoutes(app, deps, signIns);
      memberRoutes(app, deps);
      invitationRoutes(app, deps, sessions, signIns);
    },
    workers: [retention],
  };
}

/** The audit log of an account: what its cell and the control database recorded. */
export function auditModule(deps: Deps): Module {
  return { routes: (app) => auditRoutes(app, deps), workers: [] };
}
