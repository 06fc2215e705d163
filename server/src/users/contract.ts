import { type Static, Type } from 'typebox';

const strict = { additionalProperties: false };
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);
const time = Type.String({ format: 'date-time' });

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 128;

// As narrow as what better-auth lets sign in.
const Email = Type.String({
  maxLength: 254,
  pattern: "^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
  description: 'Upper and lower case are the same',
});
const Password = Type.String({ minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD });
const GivenPassword = Type.String({ maxLength: 1_000 });
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });
const Secret = Type.String({ maxLength: 200, description: 'What stands behind the `#` of the link' });
const RoleName = Type.Enum(['owner', 'editor', 'viewer']);
export const Done = Type.Object({ success: Type.Boolean() });

export const paging = {
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
  pageToken: Type.Optional(
    Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
  ),
};
export const PageQuery = Type.Object(paging, strict);
const nextPageToken = nullable(Type.String());

export const SessionState = Type.Object(
  {
    isFirstRun: Type.Boolean({ description: 'There is no user yet: the link of the first run makes one' }),
    user: nullable(Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() })),
    session: nullable(Type.Object({ id: Type.String(), createdAt: time, expiresAt: time })),
    accounts: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: RoleName })),
  },
  { title: 'SessionState' },
);
export type SessionState = Static<typeof SessionState>;

export const SignIn = Type.Object({ email: Type.String({ maxLength: 1_000 }), password: GivenPassword }, strict);

export const LinkBody = Type.Object({ token: Secret }, strict);

export const FirstRunLink = Type.Object({
  accounts: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'Accounts that the `headwater` command made and nobody is a member of',
  }),
  expiresAt: time,
});

export const FirstRunBody = Type.Object(
  {
    token: Secret,
    email: Email,
    password: Password,
    name: Name,
    accountName: Type.Optional(Name),
    accountId: Type.Optional(Type.String({ description: 'Instead of a name: an account that there is' })),
  },
  strict,
);
export type FirstRunBody = Static<typeof FirstRunBody>;

export const UserChange = Type.Object({ name: Name }, strict);
export const PasswordChange = Type.Object({ currentPassword: GivenPassword, newPassword: Password }, strict);
export const PasswordReset = Type.Object({ token: Secret, newPassword: Password }, strict);
export const NewAccountBody = Type.Object({ name: Name }, strict);

export const UserSession = Type.Object(
  {
    id: Type.String(),
    isCurrent: Type.Boolean(),
    createdAt: time,
    lastSeenAt: time,
    expiresAt: time,
    address: Type.String(),
    device: nullable(Type.String({ description: 'Browser and system, such as `Chrome on Linux`' })),
  },
  { title: 'UserSession' },
);
export type UserSession = Static<typeof UserSession>;
export const UserSessions = Type.Object({ sessions: Type.Array(UserSession) });
export const SessionPath = Type.Object({ sessionId: Type.String() });
export const Ended = Type.Object({ ended: Type.Integer({ description: 'How many sessions were ended' }) });

export const InvitationLink = Type.Object({
  account: Type.Object({ name: Type.String() }),
  role: RoleName,
  email: nullable(Type.String({ description: 'The only e-mail that may accept it' })),
  expiresAt: time,
});

export const Acceptance = Type.Object(
  {
    token: Secret,
    email: Type.Optional(Email),
    password: Type.Optional(GivenPassword),
    name: Type.Optional(Name),
  },
  strict,
);
export type Acceptance = Static<typeof Acceptance>;

export const Account = Type.Object({ id: Type.String(), name: Type.String(), createdAt: time }, { title: 'Account' });
export type Account = Static<typeof Account>;
export const AccountChange = Type.Object({ name: Name }, strict);

export const Member = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    joinedAt: time,
    lastSeenAt: nullable(time),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;
export const MemberPage = Type.Object({ members: Type.Array(Member), nextPageToken });
export const MemberPath = Type.Object({ userId: Type.String() });
export const MemberChange = Type.Object({ role: RoleName }, strict);
export const ResetLink = Type.Object({ url: Type.String({ description: 'Shown once' }), expiresAt: time });

const invitation = {
  id: Type.String(),
  role: RoleName,
  email: nullable(Type.String()),
  status: Type.Enum(['pending', 'accepted', 'revoked', 'expired']),
  invitedBy: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  createdAt: time,
  expiresAt: time,
};
export const Invitation = Type.Object(invitation, { title: 'Invitation' });
export type Invitation = Static<typeof Invitation>;
export const InvitationPage = Type.Object({ invitations: Type.Array(Invitation), nextPageToken });
export const InvitationPath = Type.Object({ invitationId: Type.String() });
export const NewInvitation = Type.Object(
  {
    role: RoleName,
    email: Type.Optional(Email),
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: '7 unless sent' })),
  },
  strict,
);
export type NewInvitation = Static<typeof NewInvitation>;
export const MadeInvitation = Type.Object(
  { ...invitation, url: Type.String({ description: 'The link for who is invited; shown once' }) },
  { title: 'MadeInvitation' },
);

const State = nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }));
export const AuditQuery = Type.Object(
  {
    ...paging,
    actorId: Type.Optional(Type.String({ description: 'Of a user or a key' })),
    action: Type.Optional(Type.String()),
    subjectId: Type.Optional(Type.String()),
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'No longer in it' })),
  },
  strict,
);
export type AuditQuery = Static<typeof AuditQuery>;
export const AuditChange = Type.Object(
  {
    id: Type.String(),
    at: time,
    actor: Type.Object({
      kind: Type.Enum(['user', 'key', 'command']),
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
    action: Type.String(),
    subject: Type.Object({ type: Type.String(), id: Type.String() }),
    address: nullable(Type.String()),
    before: State,
    after: State,
  },
  { title: 'AuditChange' },
);
export type AuditChange = Static<typeof AuditChange>;
export const AuditPage = Type.Object({ changes: Type.Array(AuditChange), nextPageToken });
