import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { NameList } from '../../shared/http/list-parameters.ts';
import { orNull, readOnly, recursive, STRICT, Time } from '../../shared/http/schemas.ts';
import { Author } from '../../users/index.ts';
import { Collection, newStatus, Status } from '../contract.ts';
import { LIMITS } from '../limits.ts';
import { ChosenLocales, LocaleParameter } from '../locales/contract.ts';
import { Explanation } from '../query/explain.ts';
import { valueOperations } from '../writes/contract.ts';

const valuesById = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

const order = {
  position: Type.Optional(
    orNull(Type.String(), { description: 'Only in collections with a manual order: sorts by its characters' }),
  ),
  parentId: Type.Optional(orNull(Type.String(), { description: 'Only in trees: the entry that this one is below' })),
};

export const Entry = Type.Object(
  {
    id: Type.String(),
    collectionId: Type.String(),
    values: valuesById(
      'By field ID. A field without a value is absent. Values in another locale than the default one are those of ' +
        '`<fieldId>@<locale>`.',
    ),
    ...order,
    children: Type.Optional(
      Type.Array(recursive('Entry'), { description: 'Only with `tree=true`: the entries below it' }),
    ),
    status: Status,
    version: Type.Integer({ description: 'Incremented by every change' }),
    publishedVersion: Type.Optional(
      orNull(Type.Integer(), {
        description: 'Only in collections with publishing: the version that is published; null if none is',
      }),
    ),
    publishedAt: Type.Optional(
      orNull(Time(), { description: 'Only in collections with publishing: since when it is published' }),
    ),
    publishedLocales: Type.Optional(
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'Only in collections with publishing and localized fields: the published version of each locale',
      }),
    ),
    locale: Type.Optional(
      Type.String({
        description:
          'Only if it was requested: the locale of the values. Such values contain fallbacks, so they cannot be sent back.',
      }),
    ),
    createdAt: Time(),
    updatedAt: Time(),
    joined: Type.Optional(
      Type.Unsafe<Record<string, { entries: unknown[]; total: number }>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Only of a query with `join`: by its names, the entries that reference this one, and how many there are',
      }),
    ),
  },
  { title: 'Entry' },
);
export type Entry = Static<typeof Entry>;

const Total = Type.Optional(Type.Integer({ description: 'Only with `count=exact`: all entries that match' }));
export const EntryPage = Type.Object({
  entries: Type.Array(Entry),
  nextPageToken: NextPageToken,
  total: Total,
  explain: Type.Optional(Explanation),
});

/** Body of `POST …/entries`. */
export const NewEntry = Type.Object(
  {
    values: valuesById('By field ID. `null` means no value. Every required field needs a value.'),
    status: newStatus,
    ...readOnly(
      'id',
      'collectionId',
      'version',
      'publishedVersion',
      'publishedAt',
      'publishedLocales',
      'position',
      'parentId',
      'children',
      'createdAt',
      'updatedAt',
    ),
  },
  STRICT,
);

/** Body of `PATCH …/entries/{entryId}`. */
export const EntryChange = Type.Object(
  {
    values: Type.Optional(valuesById('Merged by field ID. `null` clears a field, and a group is replaced as a whole.')),
    version: Type.Optional(
      Type.Integer({ description: 'The version that was read. If it is not the current one: `version_conflict`' }),
    ),
    status: Type.Optional(Status),
    ...valueOperations,
    ...readOnly(
      ...[
        'id',
        'collectionId',
        'publishedVersion',
        'publishedAt',
        'publishedLocales',
        'position',
        'parentId',
        'children',
      ],
      ...['createdAt', 'updatedAt'],
    ),
  },
  { ...STRICT, title: 'UpdateEntryRequest' },
);
export type EntryChange = Static<typeof EntryChange>;

/** An entry as everyone can read it. */
export const PublicEntry = Type.Object(
  {
    id: Type.String(),
    values: valuesById('By field ID, without private fields. An image has a `srcset` of smaller variants.'),
    publishedAt: orNull(Time(), { description: 'null only in a preview of an entry that is not published' }),
    createdAt: Time(),
    locales: Type.Optional(
      Type.Array(Type.String(), { description: 'Only in collections with localized fields: those that are published' }),
    ),
    ...order,
    url: Type.Optional(
      orNull(Type.String(), {
        description:
          'Only in collections with a `urlPattern`: its path, in the locale of the response; null while a value is missing',
      }),
    ),
    alternates: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Only in localized collections with a `urlPattern`: its path in each published locale',
      }),
    ),
    experiment: Type.Optional(
      Type.String({
        description: 'Only if the request names a variant of it: the key of the experiment on this entry',
      }),
    ),
    variant: Type.Optional(
      Type.String({
        description: 'Of this experiment. When it is used, record the event `experiment_exposure` with both',
      }),
    ),
    redirectTo: Type.Optional(
      Type.String({
        description: 'Only if the entry was read by an earlier slug: its current slug, to which a page should redirect',
      }),
    ),
  },
  { title: 'PublicEntry' },
);
export const PublicEntryPage = Type.Object({
  entries: Type.Array(PublicEntry),
  nextPageToken: NextPageToken,
  total: Total,
});

/** Body of the route that discards the draft of an entry. */
export const ExpectedVersion = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ description: 'The version that was read. If it is not the current one: `version_conflict`' }),
    ),
  },
  STRICT,
);

/** Body of the routes that publish and unpublish one entry. */
export const EntryPublishing = Type.Object({ ...ExpectedVersion.properties, locales: ChosenLocales }, STRICT);

/** Body of `POST …/publish` and `…/unpublish`. */
export const SomeEntries = Type.Object(
  {
    entryIds: Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.publishedTogether }),
    locales: ChosenLocales,
  },
  STRICT,
);
export const WrittenEntries = Type.Object({
  entries: Type.Array(Entry, { description: 'In the order of the request' }),
});

const versionMembers = {
  version: Type.Integer(),
  current: Type.Boolean({ description: 'Whether it is the current version of the entry' }),
  change: Type.Enum(['created', 'changed', 'deleted', 'restored'], { description: 'The change that created it' }),
  changedFields: orNull(Type.Array(Type.String()), { description: 'By ID; null for the first version' }),
  restoredFrom: orNull(Type.Integer(), { description: 'The version that it restored' }),
  status: Status,
  at: Time(),
  by: orNull(Author),
};
/** A version of an entry in a list. */
export const EntryVersion = Type.Object(versionMembers, { title: 'EntryVersion' });
export type EntryVersion = Static<typeof EntryVersion>;

export const EntryVersionWithValues = Type.Object(
  { ...versionMembers, values: valuesById('By field ID, without fields that are deleted now') },
  { title: 'EntryVersionWithValues' },
);
export type EntryVersionWithValues = Static<typeof EntryVersionWithValues>;

export const EntryVersionPage = Type.Object({ versions: Type.Array(EntryVersion), nextPageToken: NextPageToken });

/** Body of `POST …/versions/{version}/restore`. */
export const VersionRestore = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ description: 'The current version that was read. If it is another one: `version_conflict`' }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.fields,
        description: 'IDs of the fields to restore; all by default',
      }),
    ),
  },
  STRICT,
);
export type VersionRestore = Static<typeof VersionRestore>;

export const TrashedEntry = Type.Object(
  { ...Entry.properties, deletedAt: Time(), deletedBy: orNull(Author) },
  { title: 'TrashedEntry' },
);
export type TrashedEntry = Static<typeof TrashedEntry>;
export const TrashedEntryPage = Type.Object({ entries: Type.Array(TrashedEntry), nextPageToken: NextPageToken });

export const TrashedCollection = Type.Object(
  {
    ...Collection.properties,
    deletedAt: Time(),
    entryCount: Type.Integer({ description: 'Active entries that a restore brings back, counted up to 1,000' }),
  },
  { title: 'TrashedCollection' },
);
export type TrashedCollection = Static<typeof TrashedCollection>;
export const TrashedCollectionPage = Type.Object({
  collections: Type.Array(TrashedCollection),
  nextPageToken: NextPageToken,
});

/** Entries of a collection are counted up to this many. */
export const MAX_COUNT = 10_000;
export const EntryCounts = Type.Object({
  counts: Type.Array(Type.Object({ collectionId: Type.String(), entries: Type.Integer() })),
});

export const CollectionPath = Type.Object({ collectionId: Type.String() });
/** Of public entries. */
export const PublicEntryPath = Type.Object({
  collectionId: Type.String(),
  entryId: Type.String({ description: 'The ID of the entry, or its slug' }),
});
export const EntryPath = Type.Object({ collectionId: Type.String(), entryId: Type.String() });
export const VersionPath = Type.Object({ ...EntryPath.properties, version: Type.String() });

export const DeleteQuery = Type.Object(
  {
    permanently: Type.Optional(
      Type.Boolean({ description: '`true` removes a deleted resource and its history. It cannot be restored.' }),
    ),
  },
  STRICT,
);

export const IncludeDeleted = Type.Object(
  { includeDeleted: Type.Optional(Type.Boolean({ description: '`true` also returns a deleted resource' })) },
  STRICT,
);

export const CollectionsQuery = Type.Object(pageQuery, STRICT);
export const VersionsQuery = Type.Object({ ...pageQuery, ...IncludeDeleted.properties }, STRICT);

const State = Type.Optional(
  Type.Enum(['draft', 'published'], {
    description:
      'For collections with publishing: `published` reads the published entries as they were published; `draft`, the ' +
      'default, reads all entries with their latest values.',
  }),
);

export const Expand = Type.Optional(
  NameList(Type.String(), {
    maxLength: 2_000,
    description:
      'Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to ' +
      `${LIMITS.expandDepth} references deep; write a field of a group as \`seo.author\`. With \`state=published\`, the ` +
      'published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out.',
  }),
);

export const EntryQuery = Type.Object(
  { ...IncludeDeleted.properties, state: State, expand: Expand, locale: LocaleParameter },
  STRICT,
);

export const SingletonQuery = Type.Object({ state: State, expand: Expand, locale: LocaleParameter }, STRICT);

const Operand = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const Operands = Type.Union([Operand, Type.Array(Operand)], { title: 'FilterOperands' });
const oneEach = (names: readonly string[], schema: TSchema) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));

/** The query parameters `filter[<path>][<operator>]` as one object. */
const EntryFilter = Type.Record(
  Type.String(),
  Type.Object(
    {
      ...oneEach(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'between', 'all', 'none'], Operands),
      ...oneEach(['ieq', 'contains', 'startsWith', 'endsWith', 'near'], Type.String()),
      exists: Type.Optional(Type.Boolean()),
    },
    { ...STRICT, title: 'FieldConditions' },
  ),
  {
    title: 'EntryFilter',
    description:
      'Conditions, which all have to hold: `filter[<path>][<operator>]=<value>`, such as `filter[price][gte]=10` or ' +
      '`filter[author.name][in]=ada,bob`',
  },
);

/** Of the query of a list of entries. */
export const FILTERED = {
  ...STRICT,
  patternProperties: { '^filter\\[': {} },
  'x-deep-objects': { filter: EntryFilter },
};

const EntryWhere = Type.Unsafe<unknown>({
  type: 'object',
  title: 'EntryWhere',
  properties: {
    and: Type.Array(recursive('EntryWhere')),
    or: Type.Array(recursive('EntryWhere')),
    not: recursive('EntryWhere'),
  },
  additionalProperties: true,
  description: 'Or `{"<path>": {"<operator>": value}}`',
});

export const EntriesQuery = Type.Object(
  {
    ...pageQuery,
    tree: Type.Optional(
      Type.Boolean({
        description: 'Of a tree: returns the entries at the top, each with those below it in `children`',
      }),
    ),
    depth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'With `tree`: how many levels are returned; 3 by default' }),
    ),
    state: State,
    expand: Expand,
    locale: LocaleParameter,
    sort: Type.Optional(
      NameList(Type.String(), {
        description:
          '`<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default ' +
          "the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of " +
          'equal values the older entry comes first, with `desc` the newer. Text is sorted by its first ' +
          '256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by.',
      }),
    ),
    where: Type.Optional(
      Type.Unsafe<unknown>({
        'x-json': EntryWhere,
        description:
          'Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or ' +
          '`{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots.',
      }),
    ),
    select: Type.Optional(
      NameList(Type.String(), {
        maxLength: 10_000,
        description: 'The values to return, by path, such as `title,author.name`; `-body` leaves a value out.',
      }),
    ),
    count: Type.Optional(
      Type.Enum(['exact'], { description: 'Also returns `total`, the number of all matching entries' }),
    ),
    explain: Type.Optional(
      Type.Boolean({ description: '`true` also returns `explain`: how the entries were found, and by which indexes' }),
    ),
    q: Type.Optional(
      Type.String({
        maxLength: LIMITS.searchLength,
        description:
          'Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer ' +
          'word, ignoring case and accents.',
      }),
    ),
  },
  FILTERED,
);
export type EntriesQuery = Static<typeof EntriesQuery> & Record<string, unknown>;
