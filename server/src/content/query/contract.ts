import { type Static, Type } from 'typebox';
import { BodyPageToken, NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { STRICT } from '../../shared/http/schemas.ts';
import { VARIANTS } from '../delivery/contract.ts';
import { EntriesQuery } from '../entries/contract.ts';
import { LIMITS } from '../limits.ts';
import { Explanation } from './explain.ts';

const { where, sort, select, count, q, locale, state, explain } = EntriesQuery.properties;

const ExpandQueries = Type.Unsafe<Record<string, ExpandQuery>>({
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: {
      where: {},
      sort: { type: 'string' },
      limit: { type: 'integer', minimum: 0, maximum: 100 },
      select: { type: 'string' },
      expand: {},
    },
    additionalProperties: false,
  },
});
/** How the references at a path are expanded. */
export interface ExpandQuery {
  where?: unknown;
  sort?: string;
  limit?: number;
  select?: string;
  expand?: string | Record<string, ExpandQuery>;
}

export const Join = Type.Object(
  {
    collection: Type.String({ description: 'ID or key of the collection whose entries reference these' }),
    field: Type.String({ description: 'Its reference, by path' }),
    where: Type.Optional(Type.Unsafe<unknown>({})),
    sort: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: '10 by default' })),
    select: Type.Optional(Type.String()),
  },
  { ...STRICT, title: 'Join' },
);
export type Join = Static<typeof Join>;

const queryMembers = {
  ...pageQuery,
  pageToken: BodyPageToken,
  where,
  sort,
  select,
  count,
  q,
  expand: Type.Optional(
    Type.Union([Type.String({ maxLength: 2_000 }), ExpandQueries], {
      title: 'EntryExpansion',
      description:
        'As the parameter of the list; or by path, each with `where`, `sort`, `limit`, `select` and `expand` of its own. ' +
        'References that do not match are left out.',
    }),
  ),
  join: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$' }), Join, {
      maxProperties: LIMITS.joins,
      description:
        'Adds `joined.<name>` to each entry: `{entries, total}` of the entries of a collection that reference it',
    }),
  ),
};

/** Body of `POST …/entries/query`. */
export const QueryBody = Type.Object({ ...queryMembers, locale, state, explain }, { ...STRICT, title: 'EntriesQuery' });
export type QueryBody = Static<typeof QueryBody>;

/** Body of `POST /v1/content/{collectionId}/query`. */
export const PublicQueryBody = Type.Object(
  {
    ...queryMembers,
    locale,
    richtext: Type.Optional(Type.Enum(['json', 'html', 'markdown'])),
    ...VARIANTS,
  },
  { ...STRICT, title: 'PublicEntriesQuery' },
);
export type PublicQueryBody = Static<typeof PublicQueryBody>;

const GroupKey = Type.Union(
  [
    Type.String({ description: 'A path' }),
    Type.Object(
      {
        path: Type.String(),
        by: Type.Optional(Type.Enum(['day', 'week', 'month', 'year'], { description: 'Of a time or date' })),
        timeZone: Type.Optional(Type.String({ description: 'UTC by default' })),
      },
      STRICT,
    ),
  ],
  { title: 'GroupKey' },
);
export type GroupKey = Static<typeof GroupKey>;

const path = Type.Optional(Type.String());
const Measure = Type.Object(
  {
    count: Type.Optional(Type.Boolean({ description: '`true`: entries of the group' })),
    countDistinct: path,
    sum: path,
    avg: path,
    min: path,
    max: path,
  },
  { ...STRICT, minProperties: 1, maxProperties: 1, title: 'Measure' },
);
export type Measure = Static<typeof Measure>;

/** Body of the routes that aggregate entries. */
export const AggregateBody = Type.Object(
  {
    where,
    q,
    groupBy: Type.Optional(Type.Array(GroupKey, { maxItems: LIMITS.groupKeys })),
    measures: Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$' }), Measure, {
      minProperties: 1,
      maxProperties: LIMITS.measures,
    }),
    having: Type.Optional(Type.Unsafe<unknown>({ description: 'Conditions on measures, such as `{"n": {"gte": 2}}`' })),
    sort: Type.Optional(Type.String({ description: 'By measures or keys: `n:desc,status:asc`' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '100 by default' })),
    pageToken: BodyPageToken,
    locale,
    state,
    explain,
  },
  { ...STRICT, title: 'AggregateQuery' },
);
export type AggregateBody = Static<typeof AggregateBody>;
const { state: _, explain: __, ...publicMembers } = AggregateBody.properties;
export const PublicAggregateBody = Type.Object(publicMembers, { ...STRICT, title: 'PublicAggregateQuery' });

export const Aggregates = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        {
          key: Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
            description: 'By path; null: no value',
          }),
        },
        { additionalProperties: true },
      ),
      { description: 'Each with its measures by name. A sum or average is a decimal string.' },
    ),
    nextPageToken: NextPageToken,
    explain: Type.Optional(Explanation),
  },
  { title: 'Aggregates' },
);
export type Aggregates = Static<typeof Aggregates>;
