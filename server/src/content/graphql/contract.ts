import { type Static, Type } from 'typebox';
import { STRICT } from '../../shared/http/schemas.ts';

const MAX_TEXT = 100_000;
const query = Type.String({ maxLength: MAX_TEXT, description: 'The document; omitted for a persisted query' });
const Extensions = Type.Object({
  persistedQuery: Type.Optional(
    Type.Object({ version: Type.Optional(Type.Integer()), sha256Hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
});

/** Body of `POST /v1/graphql`. */
export const GraphqlRequest = Type.Object(
  {
    query: Type.Optional(query),
    operationName: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    variables: Type.Optional(
      Type.Union([Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }), Type.Null()]),
    ),
    extensions: Type.Optional(Extensions),
  },
  { ...STRICT, title: 'GraphqlRequest' },
);
export type GraphqlRequest = Static<typeof GraphqlRequest>;

export const GraphqlQuery = Type.Object(
  {
    query: Type.Optional(query),
    operationName: Type.Optional(Type.String()),
    variables: Type.Optional(Type.String({ maxLength: MAX_TEXT, description: 'As JSON' })),
    extensions: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'As JSON: `{"persistedQuery": {"version": 1, "sha256Hash": "…"}}`',
      }),
    ),
  },
  STRICT,
);

export const GraphqlResult = Type.Object(
  {
    data: Type.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: true }),
    errors: Type.Optional(Type.Array(Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }))),
  },
  { title: 'GraphqlResult' },
);
