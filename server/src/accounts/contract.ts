import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';

const KeyType = Type.Enum(['secret', 'publishable', 'postback']);
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });

const key = {
  id: Type.String(),
  accountId: Type.String(),
  type: KeyType,
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key' }),
  key: orNull(Type.String(), { description: 'The key itself if it is publishable, and so not secret; otherwise null' }),
  createdAt: Time(),
  lastUsedAt: orNull(Time()),
  revokedAt: orNull(Time()),
  expiresAt: orNull(Time(), { description: 'From then on the key is refused (401 `key_expired`); null: never' }),
  allowedAddresses: orNull(Type.Array(Type.String()), {
    description: 'Only requests from these IP addresses and CIDR ranges are accepted; null: from all',
  }),
  roleId: orNull(Type.String({ maxLength: 64 }), {
    description:
      'A secret token may do what a member with this role may: `editor`, `viewer`, or one of the account; null: everything',
  }),
};
export const ApiKey = Type.Object(key, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;
export const CreatedApiKey = Type.Object(
  { ...key, token: Type.String({ description: 'The key itself. Shown only once' }) },
  { title: 'CreatedApiKey' },
);
export const KeyPage = Type.Object({ keys: Type.Array(ApiKey), nextPageToken: NextPageToken });
export const KeyQuery = Type.Object(
  {
    ...pageQuery,
    type: Type.Optional(KeyType),
    revoked: Type.Optional(Type.Boolean({ description: '`true`: only revoked keys. `false`: only active keys' })),
  },
  STRICT,
);
export const KeyPath = Type.Object({ keyId: Type.String() });
const stored = readOnly('id', 'accountId', 'hint', 'key', 'createdAt', 'lastUsedAt', 'revokedAt');
export const NewKey = Type.Object(
  {
    ...stored,
    name: Name,
    type: KeyType,
    expiresAt: Type.Optional(orNull(Time(), { description: 'When the key ends; by default never' })),
    allowedAddresses: Type.Optional(
      orNull(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50 }), {
        description: 'IP addresses and CIDR ranges that may use the key; by default all',
      }),
    ),
    roleId: Type.Optional(
      orNull(key.roleId, { description: 'For a secret token: what it may do; by default everything' }),
    ),
  },
  STRICT,
);
export type NewKey = Static<typeof NewKey>;
export const LeakedKey = Type.Object(
  { token: Type.String({ maxLength: 100, description: 'The token itself' }) },
  STRICT,
);
export const LeakedResult = Type.Object({
  revoked: Type.Boolean({ description: 'Whether this is a token, which is revoked now' }),
});
export const KeyChange = Type.Object(
  { ...stored, ...readOnly('type', 'expiresAt', 'allowedAddresses', 'roleId'), name: Name },
  STRICT,
);
