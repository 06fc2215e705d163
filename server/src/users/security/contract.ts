import { type Static, Type } from 'typebox';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';
import { CurrentPassword, Email, LinkToken } from '../contract.ts';

export const Review = Type.Object(
  {
    type: Type.Enum(['passkey', 'two_factor', 'key']),
    id: Type.String(),
    name: Type.String(),
    account: orNull(Type.Object({ id: Type.String(), name: Type.String() }), { description: 'Of an API key' }),
    createdAt: Time(),
    lastUsedAt: orNull(Time()),
  },
  { title: 'AccessReview' },
);
export type Review = Static<typeof Review>;
export const ReviewBody = Type.Object({ type: Review.properties.type, id: Type.String() }, STRICT);

export const Security = Type.Object(
  {
    twoFactor: Type.Object({
      enabled: Type.Boolean(),
      recoveryCodesLeft: Type.Integer(),
    }),
    passkeys: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), createdAt: Time(), lastUsedAt: orNull(Time()) }),
    ),
    reviews: Type.Array(Review, {
      description:
        'After a password reset: what else gives access, until you confirm or delete it. Passkeys do not sign in until then',
    }),
  },
  { title: 'Security' },
);
export type Security = Static<typeof Security>;

/** Without a password, the session must have been confirmed in the last ten minutes. */
const OptionalPassword = Type.Optional(CurrentPassword);
export const PasswordBody = Type.Object({ currentPassword: OptionalPassword }, STRICT);
export const SecondFactorBody = Type.Object(
  {
    currentPassword: OptionalPassword,
    code: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Of the authenticator app, or a recovery code: required where two-factor authentication is enabled',
      }),
    ),
  },
  STRICT,
);
export const CodeBody = Type.Object({ code: Type.String({ maxLength: 40 }) }, STRICT);

export const NewAuthenticator = Type.Object({
  secret: Type.String({ description: 'In base32, to be typed into an authenticator app' }),
  url: Type.String({ description: '`otpauth://…`, to be shown as a QR code' }),
});
export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: 'Each works once instead of a code. Shown once' }),
});

/** What the WebAuthn API of browsers takes and returns, as JSON; checked by the library. */
const WebAuthn = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const PasskeyOptions = Type.Object({
  options: WebAuthn('Options for `navigator.credentials`, in the JSON form of WebAuthn level 3'),
});
const Credential = Type.Object(
  {
    id: Type.String({ maxLength: 2_000 }),
    rawId: Type.String({ maxLength: 2_000 }),
    type: Type.Literal('public-key'),
    response: WebAuthn('The response of the authenticator'),
    clientExtensionResults: Type.Optional(WebAuthn('Ignored')),
    authenticatorAttachment: Type.Optional(Type.Unknown()),
  },
  { title: 'PasskeyCredential', description: 'The JSON form of a `PublicKeyCredential`' },
);
export const NewPasskey = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }), credential: Credential },
  STRICT,
);
export const PasskeySignIn = Type.Object({ credential: Credential }, STRICT);
export const Confirmation = Type.Object(
  { currentPassword: OptionalPassword, credential: Type.Optional(Credential) },
  STRICT,
);
export const PasskeyPath = Type.Object({ passkeyId: Type.String() });

export const EmailChange = Type.Object({ email: Email, currentPassword: OptionalPassword }, STRICT);
export const EmailConfirmation = Type.Object({ token: LinkToken }, STRICT);
export const EmailChanged = Type.Object({
  confirmationSent: Type.Boolean({
    description: 'true: the link that was sent to the new email changes it. false: it was changed',
  }),
});
export const ForgottenPassword = Type.Object({ email: Type.String({ maxLength: 1_000 }) }, STRICT);
