import { Type } from 'typebox';

const strict = { additionalProperties: false };
const time = Type.String({ format: 'date-time' });
const Kind = Type.Enum(['secret', 'publishable', 'postback']);
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });

const key = {
  id: Type.String(),
  accountId: Type.String(),
  kind: Kind,
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters' }),
  createdAt: time,
  lastUsedAt: Type.Union([time, Type.Null()]),
  revokedAt: Type.Union([time, Type.Null()]),
};
export const ApiKey = Type.Object(key, { title: 'ApiKey' });
export const MadeApiKey = Type.Object(
  { ...key, token: Type.String({ description: 'The key itself; shown once' }) },
  { title: 'MadeApiKey' },
);
export const KeyPage = Type.Object({
  keys: Type.Array(ApiKey),
  nextPageToken: Type.Union([Type.String(), Type.Null()]),
});
export const KeyQuery = Type.Object(
  {
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
    pageToken: Type.Optional(
      Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
    ),
    kind: Type.Optional(Kind),
    revoked: Type.Optional(Type.Boolean({ description: 'Only those that are revoked, or only those that are not' })),
  },
  strict,
);
export const KeyPath = Type.Object({ keyId: Type.String() });
export const NewKey = Type.Object({ name: Name, kind: Kind }, strict);
export const KeyChange = Type.Object({ name: Name }, strict);
