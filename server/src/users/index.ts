/**
 * People: signing in, memberships, invitations, roles, and the audit log. Its tables: invitations, members,
 * service_url, sign_in_attempts, sso_connections, sso_domains, sso_identities, user_authenticators, user_links, user_passkeys, user_recovery_codes, user_reviews,
 * user_sessions, users.
 */
import { applyAuditRetention } from '../shared/audit.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { deleteExpiredIdempotencyKeys } from '../shared/http/idempotency.ts';
import { HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { announceEndingKeys } from './announce-ending-keys.ts';
import { auditRoutes } from './audit/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { deleteExpiredLinks } from './one-time-links.ts';
import { ForgottenPasswords } from './security/forgotten-password.ts';
import { passkeyRoutes } from './security/passkey-routes.ts';
import { securityRoutes } from './security/routes.ts';
import { deleteExpiredAttempts } from './sign-in/attempt-limits.ts';
import { deleteExpiredSessions } from './sign-in/queries.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { IDLE_MS, type UserSessions } from './sign-in/sessions.ts';
import { SignIns } from './sign-in/sign-in.ts';
import { SsoProviders } from './sso/provider.ts';
import { ssoRoutes } from './sso/routes.ts';

export { roleInsufficient } from '../accounts/index.ts';
export { nameAuthors } from './audit/name-authors.ts';
export {
  confirmEmailByCommand,
  disableTwoFactorByCommand,
  inviteByCommand,
  listUsersByCommand,
  resetByCommand,
  setOperatorByCommand,
} from './commands.ts';
export { Author } from './contract.ts';
export { USER_LIMITS } from './limits.ts';
export { memberNames } from './members/member-names.ts';
export { isOperator, requireOperator } from './operators.ts';
export { accessOfAuthor, mayStillChange } from './roles/access-of-author.ts';
export type { ResolvePermissions, RoleChecker } from './roles/manage-roles.ts';
export { rolesModule } from './roles/routes.ts';
export { applyRoleSchema, readRoleSchema, SchemaRole } from './roles/schema.ts';
export { findServiceUrl, saveServiceUrl } from './service-url.ts';
export { attempt } from './sign-in/attempt-limits.ts';
export { createFirstRunLink } from './sign-in/first-run.ts';
export { type HashedFor, hashPassword, isPassword } from './sign-in/password.ts';
export { UserSessions } from './sign-in/sessions.ts';
export { makeSsoOptionalByCommand, proveDomainByCommand } from './sso/commands.ts';

/** Dashboard users: their sessions, memberships and invitations. */
export function usersModule(deps: Deps, sessions: UserSessions): Module {
  const { control, clock, config, log } = deps;
  const signIns = new SignIns(deps, sessions);
  const forgotten = new ForgottenPasswords(deps);
  const providers = new SsoProviders(deps);
  const retention = workerLoop({
    name: 'delete expired sessions, links, sign-in attempts, idempotency keys and audit entries',
    log,
    everyMs: HOUR,
    async run() {
      const now = clock();
      await deleteExpiredSessions(control, { now: new Date(now), idle_since: new Date(now - IDLE_MS) });
      await deleteExpiredLinks(control, { now: new Date(now) });
      await deleteExpiredAttempts(control, now);
      await deleteExpiredIdempotencyKeys(control);
      await applyAuditRetention(control, config, now);
    },
  });
  const endingKeys = workerLoop({
    name: 'announce keys that end soon',
    log,
    everyMs: HOUR,
    runAtStart: true,
    run: () => announceEndingKeys(deps),
  });
  return {
    routes(app) {
      signInRoutes(app, deps, sessions, signIns);
      securityRoutes(app, deps, sessions, forgotten);
      passkeyRoutes(app, deps, signIns);
      memberRoutes(app, deps);
      invitationRoutes(app, deps, sessions, signIns);
      ssoRoutes(app, deps, providers, sessions, signIns);
    },
    workers: [retention, forgotten, endingKeys, providers],
  };
}

/** The audit log of an account: what its cell and the control database recorded. */
export function auditModule(deps: Deps): Module {
  return { routes: (app) => auditRoutes(app, deps), workers: [] };
}
