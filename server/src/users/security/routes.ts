import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { Done, SessionState } from '../contract.ts';
import type { UserRow } from '../queries.ts';
import { attempt } from '../sign-in/attempt-limits.ts';
import { readSessionState } from '../sign-in/serialize.ts';
import type { UserSessions } from '../sign-in/sessions.ts';
import { changeEmail, confirmEmail } from './change-email.ts';
import {
  CodeBody,
  Confirmation,
  EmailChange,
  EmailChanged,
  EmailConfirmation,
  ForgottenPassword,
  NewAuthenticator,
  PasswordBody,
  RecoveryCodes,
  ReviewBody,
  SecondFactorBody,
  Security,
} from './contract.ts';
import type { ForgottenPasswords } from './forgotten-password.ts';
import { confirmByPasskey } from './passkeys.ts';
import { confirmReview } from './reviews.ts';
import { codeInvalid, codeRequired, SecondFactor } from './second-factor.ts';
import { readSecurity, recordChange, requireUser } from './user-security.ts';

const page = { access: 'page' } as const;
const read = { access: 'user', rate: 'read' } as const;
const write = { access: 'user', rate: 'write' } as const;
const sensitive = { ...write, confirm: true } as const;
const about = { tags: ['Users'], security: [] };
const aboutUser = { tags: ['Users'], security: [{ session: [] }] };

/** `/auth`: two-factor authentication, the email of a user, and forgotten passwords. */
export function securityRoutes(app: App, deps: Deps, sessions: UserSessions, forgotten: ForgottenPasswords): void {
  const { control } = deps;
  const secondFactor = new SecondFactor(deps);

  /** Whoever turns the second factor off has to have it. @throws ApiError 401 `two_factor_required`, `code_invalid`, 429 */
  const requireCode = async (request: FastifyRequest, { id, email, has_second_factor }: UserRow) => {
    const { code } = request.body as Static<typeof SecondFactorBody>;
    if (!has_second_factor) return;
    if (!code) throw codeRequired();
    const claimant = { email, ip: request.ip, device: 'session' };
    const isRight = await attempt(deps, claimant, async () => (await secondFactor.isCode(id, code)) || undefined);
    if (!isRight) throw codeInvalid();
  };

  const { get, post } = routesOf(app);
  get('/auth/security', {
    config: read,
    ...aboutUser,
    operationId: 'getSecurity',
    summary: 'Get your second factor and passkeys',
    description: 'Also what has to be reviewed after a password reset (`reviews`).',
    returns: Security,
    handle: async (request) => readSecurity(deps, await requireUser(deps, request)),
  });

  post('/auth/confirm', {
    config: write,
    ...aboutUser,
    operationId: 'confirmSession',
    summary: 'Confirm that it is you',
    description:
      'By the password (`currentPassword`) or a passkey (`credential`, with the options of `POST /auth/passkeys/sign-in/options`). Requests that answer 401 ' +
      '`confirmation_required` are then accepted for ten minutes.',
    body: Confirmation,
    returns: SessionState,
    handle: async (request) => {
      const { signedIn, body } = request;
      if (body.currentPassword !== undefined) await sessions.confirm(request, signedIn, body.currentPassword);
      else await confirmByPasskey(deps, request, body.credential);
      return readSessionState(deps, signedIn);
    },
  });

  post('/auth/security/reviews', {
    config: sensitive,
    ...aboutUser,
    operationId: 'confirmAccess',
    summary: 'Confirm what was there before a password reset',
    description:
      'A passkey signs in again after that. What you do not know, delete: a passkey, the second factor, or revoke an API key.',
    body: ReviewBody,
    returns: Security,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      await confirmReview(deps, user.id, request.body, request.ip);
      return readSecurity(deps, user);
    },
  });

  post('/auth/two-factor', {
    config: sensitive,
    ...aboutUser,
    operationId: 'startTwoFactor',
    summary: 'Start enabling two-factor authentication',
    description: 'Returns the secret for an authenticator app. It is used once a first code was confirmed.',
    body: PasswordBody,
    returns: NewAuthenticator,
    handle: async (request) => secondFactor.start(await requireUser(deps, request)),
  });

  post('/auth/two-factor/confirm', {
    config: sensitive,
    ...aboutUser,
    operationId: 'confirmTwoFactor',
    summary: 'Enable two-factor authentication',
    description: 'Sign-ins by password then need a code. Returns the recovery codes, once.',
    body: CodeBody,
    returns: RecoveryCodes,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      return control.transaction(async (tx) => {
        const recoveryCodes = await secondFactor.confirm(tx, user, request.body.code);
        await recordChange(deps, tx, request, user, 'two_factor_enabled');
        return { recoveryCodes };
      });
    },
  });

  post('/auth/two-factor/disable', {
    config: sensitive,
    ...aboutUser,
    operationId: 'disableTwoFactor',
    summary: 'Disable two-factor authentication',
    description: 'Needs a code of the authenticator app, or a recovery code.',
    body: SecondFactorBody,
    returns: Security,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      await requireCode(request, user);
      await control.transaction(async (tx) => {
        if (!(await secondFactor.disable(tx, user.id)) || !user.has_second_factor) return;
        await recordChange(deps, tx, request, user, 'two_factor_disabled');
      });
      return readSecurity(deps, { ...user, has_second_factor: false });
    },
  });

  post('/auth/two-factor/recovery-codes', {
    config: sensitive,
    ...aboutUser,
    operationId: 'replaceRecoveryCodes',
    summary: 'Replace your recovery codes',
    description:
      'Needs a code. The previous ones become invalid. Without two-factor authentication: 400 `two_factor_disabled`.',
    body: SecondFactorBody,
    returns: RecoveryCodes,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      await requireCode(request, user);
      return control.transaction(async (tx) => {
        const recoveryCodes = await secondFactor.replaceRecoveryCodes(tx, user);
        await recordChange(deps, tx, request, user, 'recovery_codes_replaced');
        return { recoveryCodes };
      });
    },
  });

  post('/auth/email', {
    config: sensitive,
    ...aboutUser,
    operationId: 'changeEmail',
    summary: 'Change your email',
    description:
      'Where the service can send email, a link to the new address has to be opened. 400 `email_taken` for one of another user.',
    body: EmailChange,
    returns: EmailChanged,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      return { confirmationSent: await changeEmail(deps, user, request.body.email, request.ip) };
    },
  });

  post('/auth/email/confirm', {
    config: page,
    ...about,
    operationId: 'confirmEmail',
    summary: 'Confirm a new email',
    description:
      '`token` comes from the link that was sent to the new email, which then replaces the old one. The link is valid once and for a day.',
    body: EmailConfirmation,
    returns: Done,
    handle: async ({ body, ip }) => {
      await confirmEmail(deps, body.token, ip);
      return { success: true };
    },
  });

  post('/auth/forgotten-password', {
    config: page,
    ...about,
    operationId: 'requestPasswordReset',
    summary: 'Request a password reset link by email',
    description: 'The response is the same for an unknown email, and where the service cannot send email.',
    body: ForgottenPassword,
    returns: Done,
    handle: async ({ body }) => {
      forgotten.request(body.email);
      return { success: true };
    },
  });
}
