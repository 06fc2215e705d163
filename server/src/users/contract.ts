import { type Static, Type } from 'typebox';
import { Features, Permission } from '../accounts/index.ts';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { LIMITS } from './limits.ts';

// As strict as the email fields of browsers, for domains with a dot.
export const Email = Type.String({
  maxLength: LIMITS.emailLength,
  pattern: "^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
  description: 'Case-insensitive',
});
const NewPassword = Type.String({ minLength: LIMITS.minPasswordLength, maxLength: LIMITS.passwordLength });
export const CurrentPassword = Type.String({ maxLength: 1_000 });
const Name = Type.String({ minLength: 1, maxLength: LIMITS.nameLength, pattern: '\\S' });
export const LinkToken = Type.String({ maxLength: 200, description: 'The part of the link after `#`' });
const RoleName = Type.Enum(['owner', 'editor', 'viewer', 'custom'], {
  title: 'RoleName',
  description: '`custom`: one that the account defines, named by `roleId`',
});
const RoleId = Type.String({
  maxLength: 64,
  description: '`owner`, `editor`, `viewer` or the ID of a role of the account',
});
const AreaName = Type.Union([Type.Enum(['content', 'analytics']), Type.Null()], {
  title: 'AreaName',
  description:
    'The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited',
});
export const Done = Type.Object({ success: Type.Boolean() });
export const PageQuery = Type.Object(pageQuery, STRICT);

const TimeZone = Type.String({ maxLength: 64, description: 'A name of the IANA time zone database' });
const Currency = Type.String({ maxLength: 8, description: 'ISO 4217' });
/** Of a new account. An unknown value is ignored. */
const DEFAULTS = { timeZone: Type.Optional(TimeZone), currency: Type.Optional(Currency) };

export const SessionState = Type.Object(
  {
    sendsEmail: Type.Boolean({ description: 'The service can send email: passwords can be reset by it' }),
    isFirstRun: Type.Boolean({ description: 'There are no users yet: the first-run link creates one' }),
    user: orNull(
      Type.Object({
        id: Type.String(),
        email: Type.String(),
        name: Type.String(),
        language: orNull(
          Type.String({ description: 'Of the dashboard and of mails, such as `de`; null: that of the browser' }),
        ),
        isEmailConfirmed: Type.Boolean({ description: 'The user has proved to receive mail at the email' }),
        isOperator: Type.Boolean({ description: 'Operates the service, whatever the accounts' }),
        needsReview: Type.Boolean({
          description: 'The password was reset: `reviews` of `GET /auth/security` have to be confirmed or deleted',
        }),
      }),
    ),
    session: orNull(
      Type.Object({
        id: Type.String(),
        createdAt: Time(),
        expiresAt: Time(),
        confirmedUntil: Time({
          description: 'Until then, sensitive requests do not ask for the password or a passkey',
        }),
        isSso: Type.Boolean({ description: 'By single sign-on: it opens one account, and nothing of the user' }),
      }),
    ),
    accounts: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        role: RoleName,
        customRole: Type.Optional(
          Type.Object(
            { id: Type.String(), name: Type.String() },
            { description: 'The role, if the account defines it' },
          ),
        ),
        permissions: Type.Array(Permission, { description: 'What the role may do with entries' }),
        features: Features,
        isView: Type.Boolean({
          description:
            'The role is the one that the user views the account as. Until `POST /auth/view/end`, nothing can be changed',
        }),
        area: AreaName,
        timeZone: Type.String({ description: 'IANA name' }),
        currency: orNull(Type.String()),
        requiresSso: Type.Optional(
          Type.Boolean({ description: 'Requests are 401 `sso_required` until the user signs in by single sign-on' }),
        ),
      }),
    ),
  },
  { title: 'SessionState' },
);
export type SessionState = Static<typeof SessionState>;

const SecondFactorCode = Type.Optional(
  Type.String({
    maxLength: 40,
    description:
      'Of an authenticator app, or a recovery code: required where the response is 401 `two_factor_required`',
  }),
);

export const SignIn = Type.Object(
  { email: Type.String({ maxLength: 1_000 }), password: CurrentPassword, code: SecondFactorCode },
  STRICT,
);

export const LinkBody = Type.Object({ token: LinkToken }, STRICT);

export const FirstRunLink = Type.Object({
  accounts: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'Accounts without members, created with the `headwater` command',
  }),
  expiresAt: Time(),
});

export const FirstRunBody = Type.Object(
  {
    token: LinkToken,
    email: Email,
    password: NewPassword,
    name: Name,
    accountName: Type.Optional(Name),
    accountId: Type.Optional(Type.String({ description: 'An existing account, instead of a new one' })),
    ...DEFAULTS,
  },
  STRICT,
);
export type FirstRunBody = Static<typeof FirstRunBody>;

export const UserChange = Type.Object(
  {
    name: Type.Optional(Name),
    language: Type.Optional(
      orNull(
        Type.String({ maxLength: 20, description: 'One of the languages of the dashboard; null: that of the browser' }),
      ),
    ),
  },
  { ...STRICT, minProperties: 1 },
);
export type UserChange = Static<typeof UserChange>;
export const PasswordChange = Type.Object({ currentPassword: CurrentPassword, newPassword: NewPassword }, STRICT);
export const PasswordReset = Type.Object({ token: LinkToken, newPassword: NewPassword }, STRICT);

export const UserSession = Type.Object(
  {
    id: Type.String(),
    isCurrent: Type.Boolean(),
    createdAt: Time(),
    lastSeenAt: Time(),
    expiresAt: Time(),
    address: Type.String({ description: 'IP address of the last request' }),
    device: orNull(Type.String({ description: 'Browser and operating system, such as `Chrome on Linux`' })),
  },
  { title: 'UserSession' },
);
export type UserSession = Static<typeof UserSession>;
export const UserSessions = Type.Object({ sessions: Type.Array(UserSession) });
export const SessionPath = Type.Object({ sessionId: Type.String() });
export const Ended = Type.Object({ ended: Type.Integer({ description: 'Number of sessions that were ended' }) });

export const InvitationLink = Type.Object({
  account: Type.Object({ name: Type.String() }),
  role: RoleName,
  roleName: Type.Optional(Type.String({ description: 'Of a role that the account defines' })),
  email: orNull(Type.String({ description: 'The only email that can accept the invitation' })),
  expiresAt: Time(),
});

export const Acceptance = Type.Object(
  {
    token: LinkToken,
    email: Type.Optional(Email),
    password: Type.Optional(CurrentPassword),
    code: SecondFactorCode,
    name: Type.Optional(Name),
  },
  STRICT,
);
export type Acceptance = Static<typeof Acceptance>;

export const Account = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    timeZone: Type.String({ description: 'IANA name. The default time zone of reports, and the days of exports' }),
    currency: orNull(Type.String(), { description: 'ISO 4217. Reports convert revenue into it; null: they do not' }),
    exchangeRates: Type.Record(Type.String(), Type.String(), {
      description: 'The value of one unit of each other currency in `currency`, decimal: `{"USD": "0.92"}`',
    }),
    publishableKey: orNull(Type.String(), {
      description: 'The latest active publishable key. It is not secret',
    }),
    createdAt: Time(),
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;
export const NewAccount = Type.Object({ name: Name, ...DEFAULTS }, STRICT);
export type NewAccount = Static<typeof NewAccount>;
export const AccountChange = Type.Object(
  {
    ...readOnly('id', 'createdAt', 'publishableKey'),
    name: Type.Optional(Name),
    timeZone: Type.Optional(TimeZone),
    currency: Type.Optional(orNull(Currency)),
    exchangeRates: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 32 }), {
        maxProperties: 200,
        description: 'Replaces all rates. Decimal numbers above 0',
      }),
    ),
  },
  STRICT,
);
export type AccountChange = Static<typeof AccountChange>;

export const Member = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    roleId: RoleId,
    area: AreaName,
    joinedAt: Time(),
    lastSeenAt: orNull(Time()),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;
export const MemberPage = Type.Object({ members: Type.Array(Member), nextPageToken: NextPageToken });
export const MemberPath = Type.Object({ userId: Type.String() });
export const MemberChange = Type.Object(
  {
    ...readOnly('userId', 'email', 'name', 'joinedAt', 'lastSeenAt'),
    role: Type.Optional(RoleName),
    roleId: Type.Optional(RoleId),
    area: Type.Optional(AreaName),
  },
  STRICT,
);
export const ResetLink = Type.Object({
  url: orNull(Type.String(), { description: 'Shown once. null: it is sent to the email of the member' }),
  emailed: Type.Boolean({ description: 'The link is sent to the email of the member' }),
  expiresAt: Time(),
});

export const AccountDeletion = Type.Object(
  {
    name: Type.String({ maxLength: 1_000, description: 'The name of the account, to confirm that it is meant' }),
    currentPassword: Type.Optional(CurrentPassword),
  },
  STRICT,
);

const invitation = {
  id: Type.String(),
  role: RoleName,
  roleId: RoleId,
  area: AreaName,
  email: orNull(Type.String()),
  status: Type.Enum(['pending', 'accepted', 'revoked', 'expired']),
  invitedBy: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
  createdAt: Time(),
  expiresAt: Time(),
};
export const Invitation = Type.Object(invitation, { title: 'Invitation' });
export type Invitation = Static<typeof Invitation>;
export const InvitationPage = Type.Object({ invitations: Type.Array(Invitation), nextPageToken: NextPageToken });
export const InvitationPath = Type.Object({ invitationId: Type.String() });
export const NewInvitation = Type.Object(
  {
    ...readOnly('id', 'status', 'invitedBy', 'createdAt', 'expiresAt'),
    role: Type.Optional(RoleName),
    roleId: Type.Optional(RoleId),
    area: Type.Optional(AreaName),
    email: Type.Optional(orNull(Email)),
    expiresInDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMITS.invitationDays, description: 'Default 7' }),
    ),
  },
  STRICT,
);
export type NewInvitation = Static<typeof NewInvitation>;
export const CreatedInvitation = Type.Object(
  {
    ...invitation,
    url: orNull(Type.String(), {
      description: 'The link for the invited person. Shown once. null: it is sent to the email',
    }),
    emailed: Type.Boolean({ description: 'The link is sent to the email' }),
  },
  { title: 'CreatedInvitation' },
);

/** Who made a change. */
export const Author = Type.Object(
  {
    type: Type.Enum(['user', 'key', 'command']),
    id: orNull(Type.String()),
    name: orNull(Type.String(), { description: 'null if the user was deleted' }),
  },
  { title: 'Author' },
);

const State = orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }));
export const AuditQuery = Type.Object(
  {
    ...pageQuery,
    actorId: Type.Optional(Type.String({ description: 'Id of a user or a key' })),
    action: Type.Optional(Type.String()),
    subjectId: Type.Optional(Type.String()),
    from: Type.Optional(Time({ description: 'Changes made at this time or later' })),
    to: Type.Optional(Time({ description: 'Changes made before this time' })),
  },
  STRICT,
);
export type AuditQuery = Static<typeof AuditQuery>;
export const AuditChange = Type.Object(
  {
    id: Type.String(),
    at: Time(),
    actor: Type.Object({
      type: Type.Enum(['user', 'key', 'command']),
      id: orNull(Type.String()),
      name: orNull(Type.String()),
    }),
    action: Type.String(),
    subject: Type.Object({ type: Type.String(), id: Type.String() }),
    address: orNull(Type.String()),
    before: State,
    after: State,
  },
  { title: 'AuditChange' },
);
export type AuditChange = Static<typeof AuditChange>;
export const AuditPage = Type.Object({ changes: Type.Array(AuditChange), nextPageToken: NextPageToken });
