import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

const RoleId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`owner`, `editor`, `viewer` or the ID of a role of the account',
});
const RoleMapping = Type.Object(
  { value: Type.String({ minLength: 1, maxLength: 255, description: 'Of the claim' }), roleId: RoleId },
  { ...STRICT, title: 'RoleMapping' },
);
export type RoleMapping = Static<typeof RoleMapping>;

const Domain = Type.String({ maxLength: 253, description: 'Of emails, such as `shop.example`' });
const NewDomain = Type.Object(
  { domain: Domain, ...readOnly('isProven', 'record') },
  { ...STRICT, title: 'NewSsoDomain' },
);
const KnownDomain = Type.Object(
  {
    domain: Type.String(),
    isProven: Type.Boolean({ description: 'Nobody signs in by a domain that is not proven' }),
    record: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      { description: 'The DNS record that proves the domain' },
    ),
  },
  { title: 'SsoDomain' },
);

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Of its button' });
const Issuer = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'URL of the provider, as in its discovery document',
});
const ClientId = Type.String({ minLength: 1, maxLength: 500 });
const Claim = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A name, or a path such as `realm_access.roles`',
});
const Scopes = Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]{1,100}$' }), {
  maxItems: 20,
  description: 'Requested in addition to `openid email profile`',
});
const Mappings = Type.Array(RoleMapping, {
  maxItems: LIMITS.ssoRoleMappings,
  description: 'From values of `roleClaim` to roles, the first that fits counts. Empty: members keep their roles',
});
const DefaultRole = orNull(RoleId, { description: 'Where no mapping fits; null: they are refused' });

export const Sso = Type.Object(
  {
    isConfigured: Type.Boolean(),
    redirectUri: Type.String({ description: 'To register at the provider' }),
    name: orNull(Type.String()),
    issuer: orNull(Type.String()),
    clientId: orNull(Type.String()),
    hasClientSecret: Type.Boolean(),
    domains: Type.Array(KnownDomain),
    scopes: Type.Array(Type.String()),
    roleClaim: Type.String(),
    roleMappings: Type.Array(RoleMapping),
    defaultRoleId: orNull(Type.String()),
    isRequired: Type.Boolean({
      description: 'Members with an email of a proven domain sign in to the account in no other way',
    }),
    updatedAt: orNull(Time()),
  },
  { title: 'Sso' },
);
export type Sso = Static<typeof Sso>;

export const NewSso = Type.Object(
  {
    ...readOnly('isConfigured', 'redirectUri', 'hasClientSecret', 'updatedAt'),
    name: Type.Optional(Name),
    issuer: Issuer,
    clientId: ClientId,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'Write-only. Required at first, and when the issuer changes',
      }),
    ),
    domains: Type.Optional(Type.Array(NewDomain, { maxItems: LIMITS.ssoDomains })),
    scopes: Type.Optional(Scopes),
    roleClaim: Type.Optional(Claim),
    roleMappings: Type.Optional(Mappings),
    defaultRoleId: Type.Optional(DefaultRole),
    isRequired: Type.Optional(Type.Boolean()),
    currentPassword: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  STRICT,
);
export type NewSso = Static<typeof NewSso>;

export const SsoCheck = Type.Object(
  {
    provider: Type.Object({
      isReachable: Type.Boolean(),
      error: orNull(Type.String(), { description: 'A code, optionally followed by an explanation' }),
    }),
    domains: Type.Array(KnownDomain),
  },
  { title: 'SsoCheck' },
);

export const DomainQuery = Type.Object(
  { domain: Type.String({ maxLength: 253, description: 'Of the email that signs in' }) },
  STRICT,
);
export const SsoChoices = Type.Object({
  connections: Type.Array(Type.Object({ accountId: Type.String(), name: Type.String() })),
});

export const SsoPath = Type.Object({ accountId: Type.String({ maxLength: 64 }) });
export const StartQuery = Type.Object(
  {
    returnTo: Type.Optional(Type.String({ maxLength: 1_000, description: 'A path of the dashboard' })),
    confirm: Type.Optional(
      Type.Boolean({ description: 'Confirms the present session: the provider asks for the password again' }),
    ),
  },
  STRICT,
);
/** Checked by what it is compared with. */
export const CallbackQuery = Type.Object({}, { additionalProperties: true });
export const Redirect = Type.Unsafe<string>({ type: 'string', description: 'Empty: 302 with `Location`' });
