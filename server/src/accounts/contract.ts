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
export const NewKey = Type.Object({ ...stored, name: Name, type: KeyType }, STRICT);
export const KeyChange = Type.Object({ ...stored, ...readOnly('type'), name: Name }, STRICT);
