import { queueMails } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { Done } from '../contract.ts';
import { normalizeEmail } from '../create-user.ts';
import { resetMail } from '../mails.ts';
import { DAY_MS, findLaterLink } from '../one-time-links.ts';
import { findUserByEmail } from '../queries.ts';
import { createResetLink } from '../sign-in/change-password.ts';
import { changeEmail, confirmEmail } from './change-email.ts';
import { confirmUser, readSecurity, recordChange, requireUser } from './confirm-user.ts';
import {
  CodeBody,
  EmailChange,
  EmailChanged,
  EmailConfirmation,
  ForgottenPassword,
  NewAuthenticator,
  PasswordBody,
  RecoveryCodes,
  Security,
} from './contract.ts';
import { SecondFactor } from './second-factor.ts';

const RESET_PAUSE_MS = 120_000;

const page = { access: 'page' } as const;
const read = { access: 'user', rate: 'read' } as const;
const write = { access: 'user', rate: 'write' } as const;
const about = { tags: ['Users'], security: [] };
const aboutUser = { tags: ['Users'], security: [{ session: [] }] };

/** `/auth`: two-factor authentication, the email of a user, and forgotten passwords. */
export function securityRoutes(app: App, deps: Deps): void {
  const { control, publicUrl, clock } = deps;
  const secondFactor = new SecondFactor(deps);

  app.get(
    '/auth/security',
    {
      config: read,
      schema: {
        ...aboutUser,
        operationId: 'getSecurity',
        summary: 'Get your second factor and passkeys',
        response: withErrors(Security),
      },
    },
    async (request) => readSecurity(deps, await requireUser(deps, request)),
  );

  app.post(
    '/auth/two-factor',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'startTwoFactor',
        summary: 'Start enabling two-factor authentication',
        description: 'Returns the secret for an authenticator app. It is used once a first code was confirmed.',
        body: PasswordBody,
        response: withErrors(NewAuthenticator),
      },
    },
    async (request) => secondFactor.start(await confirmUser(deps, request, request.body.currentPassword)),
  );

  app.post(
    '/auth/two-factor/confirm',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'confirmTwoFactor',
        summary: 'Enable two-factor authentication',
        description: 'Sign-ins by password then need a code. Returns the recovery codes, once.',
        body: CodeBody,
        response: withErrors(RecoveryCodes),
      },
    },
    async (request) => {
      const user = await requireUser(deps, request);
      return control.transaction(async (tx) => {
        const recoveryCodes = await secondFactor.confirm(tx, user, request.body.code);
        await recordChange(deps, tx, request, user, 'two_factor_enabled', 'two-factor authentication was enabled');
        return { recoveryCodes };
      });
    },
  );

  app.post(
    '/auth/two-factor/disable',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'disableTwoFactor',
        summary: 'Disable two-factor authentication',
        body: PasswordBody,
        response: withErrors(Security),
      },
    },
    async (request) => {
      const user = await confirmUser(deps, request, request.body.currentPassword);
      await control.transaction(async (tx) => {
        if (!(await secondFactor.disable(tx, user.id)) || !user.has_second_factor) return;
        await recordChange(deps, tx, request, user, 'two_factor_disabled', 'two-factor authentication was disabled');
      });
      return readSecurity(deps, { ...user, has_second_factor: false });
    },
  );

  app.post(
    '/auth/two-factor/recovery-codes',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'replaceRecoveryCodes',
        summary: 'Replace your recovery codes',
        description: 'The previous ones become invalid. Without two-factor authentication: 400 `two_factor_disabled`.',
        body: PasswordBody,
        response: withErrors(RecoveryCodes),
      },
    },
    async (request) => {
      const user = await confirmUser(deps, request, request.body.currentPassword);
      return control.transaction(async (tx) => {
        const recoveryCodes = await secondFactor.replaceRecoveryCodes(tx, user);
        await recordChange(deps, tx, request, user, 'recovery_codes_replaced', 'recovery codes were replaced');
        return { recoveryCodes };
      });
    },
  );

  app.post(
    '/auth/email',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'changeEmail',
        summary: 'Change your email',
        description:
          'Where the service can send email, a link to the new address has to be opened. 400 `email_taken` for one of another user.',
        body: EmailChange,
        response: withErrors(EmailChanged),
      },
    },
    async (request) => {
      const { email, currentPassword } = request.body;
      const user = await confirmUser(deps, request, currentPassword);
      return { confirmationSent: await changeEmail(deps, user, email, request.ip) };
    },
  );

  app.post(
    '/auth/email/confirm',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'confirmEmail',
        summary: 'Confirm a new email',
        body: EmailConfirmation,
        response: withErrors(Done),
      },
    },
    async ({ body, ip }) => {
      await confirmEmail(deps, body.token, ip);
      return { success: true };
    },
  );

  app.post(
    '/auth/forgotten-password',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset link by email',
        description: 'The response is the same for an unknown email, and where the service cannot send email.',
        body: ForgottenPassword,
        response: withErrors(Done),
      },
    },
    async ({ body }) => {
      const [user] = await findUserByEmail(control, { email: normalizeEmail(body.email) });
      if (user && deps.config.mail) {
        await control.transaction(async (tx) => {
          // Whoever knows the email can request it: one mail every two minutes is enough.
          const after = new Date(clock() + DAY_MS - RESET_PAUSE_MS);
          const [recent] = await findLaterLink(tx, { type: 'reset', user_id: user.id, after });
          if (recent?.exists) return;
          const { url } = await createResetLink(tx, publicUrl(), user.id, clock());
          await queueMails(tx, deps, [resetMail(user.email, url)]);
        });
      }
      return { success: true };
    },
  );
}
