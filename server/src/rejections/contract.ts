import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';

export const RejectionsQuery = Type.Object(
  { ...pageQuery, code: Type.Optional(Type.String({ maxLength: 100, description: 'Only errors with this code' })) },
  STRICT,
);

export const RejectedRequest = Type.Object(
  {
    id: Type.String(),
    at: Time(),
    keyId: Type.String(),
    method: Type.String(),
    url: Type.String({ description: 'Path and query, without keys' }),
    status: Type.Integer({ description: 'Of the response; 200 for an invalid item of a batch' }),
    code: Type.String(),
    detail: Type.String(),
    errors: Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
    fix: orNull(Type.String(), { description: 'What to do about it' }),
    body: Type.Unknown({ description: 'The body or the item, shortened and without keys; null: none' }),
    skipped: Type.Integer({ description: 'How many requests were rejected since the previous one, and not stored' }),
  },
  { title: 'RejectedRequest' },
);
export type RejectedRequest = Static<typeof RejectedRequest>;

export const RejectionPage = Type.Object({ requests: Type.Array(RejectedRequest), nextPageToken: NextPageToken });
export const Cleared = Type.Object({ success: Type.Boolean() });
