import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { FIELD_TYPES, typeOf } from './field-types/index.ts';
import { LIMITS } from './limits.ts';

const Status = Type.Enum(['active', 'deleted']);
const FieldId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  description: 'Unique within its list; generated if it is omitted',
});
const Label = Type.String({ pattern: '\\S', maxLength: LIMITS.labelLength });
const OptionValue = Type.String({ minLength: 1, maxLength: LIMITS.labelLength });

const definitions = FIELD_TYPES.map((type) => [type, typeOf({ type })] as const);
const FieldType = Type.Enum([...FIELD_TYPES], {
  title: 'FieldType',
  description: `The values of a field: ${definitions.map(([type, { description }]) => `\`${type}\` ${description}`).join('; ')}`,
  'x-sdk-types': Object.fromEntries(definitions.map(([type, { sdkType }]) => [type, sdkType])),
});

const DefaultSort = Type.Object(
  { fieldId: Type.String(), direction: Type.Enum(['asc', 'desc']) },
  { ...STRICT, title: 'DefaultSort' },
);
export type DefaultSort = Static<typeof DefaultSort>;

const Option = Type.Object({ value: Type.String(), label: Type.String(), status: Status }, { title: 'Option' });

const Bound = Type.Union([Type.Number(), Type.String({ maxLength: 40 })]);
const Length = Type.Integer({ minimum: 0, maximum: LIMITS.textLength });
const Validation = Type.Object(
  {
    min: Type.Optional(Bound),
    max: Type.Optional(Bound),
    minLength: Type.Optional(Length),
    maxLength: Type.Optional(Length),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.patternLength,
        description: 'A regular expression in the syntax of RE2 that the whole value has to match',
      }),
    ),
  },
  {
    ...STRICT,
    title: 'FieldValidation',
    description:
      'Rules for values that are written from now on, each value of a repeated field. `min` and `max` for the types ' +
      '`number`, `date` and `timestamp`; the others for `text` and `url`',
  },
);
const DefaultValue = Type.Unsafe<unknown>({
  description: 'The value of entries that are created without one. Not for the types `asset` and `group`',
});

const nestedMembers = {
  id: Type.String(),
  label: Type.String(),
  type: FieldType,
  required: Type.Boolean(),
  status: Status,
  options: orNull(Type.Array(Option)),
  helpText: Type.Optional(Type.String({ description: 'Absent if there is none' })),
  validation: Type.Optional(Validation),
};
const NestedField = Type.Object(nestedMembers, { title: 'NestedField' });
const Field = Type.Object(
  {
    ...nestedMembers,
    repeated: Type.Boolean(),
    fields: orNull(Type.Array(NestedField)),
    defaultValue: Type.Optional(DefaultValue),
    private: Type.Optional(Type.Boolean({ description: 'Absent unless public responses omit the field' })),
    unique: Type.Optional(Type.Boolean({ description: 'Absent unless no two entries may have the same value' })),
  },
  { title: 'Field' },
);

export const Collection = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    fields: Type.Array(Field, { description: 'In order, including deleted ones' }),
    displayFieldId: orNull(Type.String()),
    defaultSort: orNull(DefaultSort),
    status: Status,
    publishing: Type.Optional(
      Type.Boolean({ description: 'Absent unless entries are drafts until they are published' }),
    ),
    public: Type.Optional(
      Type.Boolean({ description: 'Absent unless everyone with a publishable key can read what is published' }),
    ),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Collection' },
);
export type Collection = Static<typeof Collection>;

export const CollectionPage = Type.Object({ collections: Type.Array(Collection), nextPageToken: NextPageToken });

const SentOption = Type.Object(
  { value: OptionValue, label: Type.Optional(Label), status: Type.Optional(Status) },
  STRICT,
);
const NewOption = Type.Object({ value: OptionValue, label: Label, status: Type.Optional(Status) }, STRICT);
const options = <Item extends TSchema>(option: Item) => {
  const description = 'Required for the type `select`, and not allowed for others';
  return Type.Optional(orNull(Type.Array(option, { maxItems: LIMITS.options, description })));
};
const nestedFields = <Item extends TSchema>(field: Item) => {
  const description = 'Required for the type `group`, and not allowed for others';
  return Type.Optional(orNull(Type.Array(field, { maxItems: LIMITS.fields, description })));
};
const repeated = Type.Optional(Type.Boolean({ description: 'Whether the value is an array; `false` by default' }));
const defaultValue = Type.Optional(DefaultValue);
const unique = Type.Optional(
  Type.Boolean({
    description:
      'Whether no two active entries may have the same value; `false` by default. For the types `text`, `number`, `date`, ' +
      '`timestamp`, `url` and `select`, unless the field is repeated',
  }),
);

const sentField = {
  id: Type.Optional(FieldId),
  label: Type.Optional(Label),
  type: Type.Optional(FieldType),
  required: Type.Optional(Type.Boolean({ description: '`false` by default' })),
  status: Type.Optional(Status),
  options: options(SentOption),
  helpText: Type.Optional(orNull(Type.String({ maxLength: LIMITS.descriptionLength }))),
  validation: Type.Optional(orNull(Validation)),
};
const isPrivate = Type.Optional(
  Type.Boolean({ description: 'Whether public responses omit the field; `false` by default' }),
);

const FieldChange = Type.Object(
  {
    ...sentField,
    repeated,
    defaultValue,
    unique,
    private: isPrivate,
    fields: nestedFields(Type.Object(sentField, STRICT)),
  },
  STRICT,
);
/** A new or changed field of a collection or (without `repeated` and `fields`) of a group. */
export type FieldChange = Static<typeof FieldChange>;
export type OptionChange = Static<typeof SentOption>;

const newField = { ...sentField, label: Label, type: FieldType, options: options(NewOption) };
const NewField = Type.Object(
  {
    ...newField,
    repeated,
    defaultValue,
    unique,
    private: isPrivate,
    fields: nestedFields(Type.Object(newField, STRICT)),
  },
  STRICT,
);

const name = Type.String({ pattern: '\\S', maxLength: LIMITS.labelLength });
const settings = {
  description: Type.Optional(orNull(Type.String({ maxLength: LIMITS.descriptionLength }))),
  displayFieldId: Type.Optional(orNull(Type.String({ description: 'The ID of an active field' }))),
  defaultSort: Type.Optional(orNull(DefaultSort)),
  publishing: Type.Optional(
    Type.Boolean({
      description:
        'Whether entries are drafts until they are published; `false` by default. Required and unique fields then apply ' +
        'to what is published. It can only be turned off while no entry is published.',
    }),
  ),
  public: Type.Optional(
    Type.Boolean({
      description:
        'Whether everyone with a publishable key can read what is published, except private fields; `false` by default. ' +
        'Only with `publishing`.',
    }),
  ),
};
const newStatus = Type.Optional(Type.Enum(['active']));

/** Body of `POST /v1/cms/collections`. */
export const NewCollection = Type.Object(
  {
    name,
    ...settings,
    fields: Type.Optional(Type.Array(NewField, { maxItems: LIMITS.fields })),
    status: newStatus,
    ...readOnly('id', 'createdAt', 'updatedAt'),
  },
  STRICT,
);
export type NewCollection = Static<typeof NewCollection>;

/** Body of `PATCH /v1/cms/collections/{collectionId}`. */
export const CollectionChange = Type.Object(
  {
    name: Type.Optional(name),
    ...settings,
    fields: Type.Optional(
      Type.Array(FieldChange, {
        maxItems: LIMITS.fields,
        description:
          'Matched by ID. Fields that are not sent stay as they are and follow those that are. A field with an unknown ' +
          'or no ID is new. Set `status` to delete or restore a field.',
      }),
    ),
    status: Type.Optional(Status),
    ...readOnly('id', 'createdAt', 'updatedAt'),
  },
  STRICT,
);
export type CollectionChange = Static<typeof CollectionChange>;

const valuesById = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const Entry = Type.Object(
  {
    id: Type.String(),
    collectionId: Type.String(),
    values: valuesById('By field ID. A field without a value is absent.'),
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
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Entry' },
);
export type Entry = Static<typeof Entry>;

export const EntryPage = Type.Object({ entries: Type.Array(Entry), nextPageToken: NextPageToken });

/** Body of `POST …/entries`. */
export const NewEntry = Type.Object(
  {
    values: valuesById('By field ID. `null` means no value. Every required field needs a value.'),
    status: newStatus,
    ...readOnly('id', 'collectionId', 'version', 'publishedVersion', 'publishedAt', 'createdAt', 'updatedAt'),
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
    ...readOnly('id', 'collectionId', 'publishedVersion', 'publishedAt', 'createdAt', 'updatedAt'),
  },
  STRICT,
);
export type EntryChange = Static<typeof EntryChange>;

/** An entry as everyone can read it. */
export const PublicEntry = Type.Object(
  {
    id: Type.String(),
    values: valuesById('By field ID, without private fields. An image has a `srcset` of smaller variants.'),
    publishedAt: Time(),
    createdAt: Time(),
  },
  { title: 'PublicEntry' },
);
export const PublicEntryPage = Type.Object({ entries: Type.Array(PublicEntry), nextPageToken: NextPageToken });

/** Body of the routes that publish, unpublish and discard one entry. */
export const ExpectedVersion = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ description: 'The version that was read. If it is not the current one: `version_conflict`' }),
    ),
  },
  STRICT,
);

/** Body of `POST …/publish` and `…/unpublish`. */
export const SomeEntries = Type.Object(
  { entryIds: Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.publishedTogether }) },
  STRICT,
);
export const WrittenEntries = Type.Object({
  entries: Type.Array(Entry, { description: 'In the order of the request' }),
});

const Author = Type.Object(
  {
    type: Type.Enum(['user', 'key', 'command']),
    id: orNull(Type.String()),
    name: orNull(Type.String(), { description: 'null: deleted since' }),
  },
  { title: 'Author' },
);

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

export const EntryQuery = Type.Object({ ...IncludeDeleted.properties, state: State }, STRICT);

export const EntriesQuery = Type.Object(
  {
    ...pageQuery,
    state: State,
    sort: Type.Optional(
      Type.String({
        description:
          '`<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default ' +
          "the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of " +
          'equal values the older entry comes first, with `desc` the newer. Text is sorted by its first ' +
          '256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by.',
      }),
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
  { ...STRICT, patternProperties: { '^filter\\[': {} } },
);
export type EntriesQuery = Static<typeof EntriesQuery> & Record<string, unknown>;
