import { type Static, type TSchema, Type } from 'typebox';

/** Bounds of content. The contract leaves them open; each is named in the fault that a request beyond it gets. */
export const LIMITS = {
  /** In one list of fields, deleted ones included. */
  fields: 200,
  /** Of one field, deleted ones included. */
  options: 500,
  /** JSON text of a collection's fields. */
  fieldsBytes: 1_048_576,
  label: 255,
  description: 10_000,
  text: 100_000,
  url: 4_096,
  /** Values of a repeated field. */
  repeated: 1_000,
  filters: 20,
  /** Values of one `in`. */
  inValues: 100,
  query: 200,
} as const;

export const FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'date',
  'timestamp',
  'url',
  'asset',
  'select',
  'group',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** The schema's own type or null. One `type` list and not a union, so that a fault names what is wrong and nothing else. */
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });

const strict = { additionalProperties: false };

const FieldId = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
  description: 'Unique in its list; made by the service where none is sent',
});
const Label = Type.String({ pattern: '\\S', maxLength: LIMITS.label });
const OptionValue = Type.String({ minLength: 1, maxLength: LIMITS.label });
const Status = Type.Enum(['active', 'deleted']);
const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' });
const TypeName = Type.Enum([...FIELD_TYPES]);

const DefaultSort = Type.Object({ fieldId: Type.String(), direction: Type.Enum(['asc', 'desc']) }, strict);
export type DefaultSort = Static<typeof DefaultSort>;

const Option = Type.Object({ value: Type.String(), label: Type.String(), status: Status }, { title: 'Option' });

const nestedMembers = {
  id: Type.String(),
  label: Type.String(),
  type: TypeName,
  required: Type.Boolean(),
  status: Status,
  options: orNull(Type.Array(Option)),
};
const NestedField = Type.Object(nestedMembers, { title: 'NestedField' });
const Field = Type.Object(
  { ...nestedMembers, repeated: Type.Boolean(), fields: orNull(Type.Array(NestedField)) },
  { title: 'Field' },
);

/** A collection as it is answered. */
export const Collection = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    fields: Type.Array(Field, { description: 'In their order, deleted ones included' }),
    displayFieldId: orNull(Type.String()),
    defaultSort: orNull(DefaultSort),
    status: Status,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Collection' },
);
export type Collection = Static<typeof Collection>;

export const CollectionPage = Type.Object({
  collections: Type.Array(Collection),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

const newOption = { value: OptionValue, label: Label };
const NewOption = Type.Object(newOption, strict);
const newField = {
  id: Type.Optional(FieldId),
  label: Label,
  type: TypeName,
  required: Type.Optional(Type.Boolean({ description: 'false unless sent' })),
};
const options = <T extends TSchema>(option: T) =>
  Type.Optional(
    orNull(Type.Array(option, { maxItems: LIMITS.options, description: 'Only and always with the type `select`' })),
  );
const nestedFields = <T extends TSchema>(field: T) =>
  Type.Optional(
    orNull(Type.Array(field, { maxItems: LIMITS.fields, description: 'Only and always with the type `group`' })),
  );
const repeated = Type.Optional(Type.Boolean({ description: 'The value is an array; false unless sent' }));

const NewField = Type.Object(
  {
    ...newField,
    repeated,
    options: options(NewOption),
    fields: nestedFields(Type.Object({ ...newField, options: options(NewOption) }, strict)),
  },
  strict,
);

const name = Type.String({ pattern: '\\S', maxLength: LIMITS.label });
const settings = {
  description: Type.Optional(orNull(Type.String({ maxLength: LIMITS.description }))),
  displayFieldId: Type.Optional(orNull(Type.String({ description: 'An active field' }))),
  defaultSort: Type.Optional(orNull(DefaultSort)),
};

/** Body of `POST /v1/cms/collections`. */
export const NewCollection = Type.Object(
  { name, ...settings, fields: Type.Optional(Type.Array(NewField, { maxItems: LIMITS.fields })) },
  strict,
);
export type NewCollection = Static<typeof NewCollection>;

const optionChange = Type.Object(
  { value: OptionValue, label: Type.Optional(Label), status: Type.Optional(Status) },
  strict,
);
const fieldChange = {
  id: Type.Optional(FieldId),
  label: Type.Optional(Label),
  type: Type.Optional(TypeName),
  required: Type.Optional(Type.Boolean()),
  status: Type.Optional(Status),
  options: options(optionChange),
};
const NestedFieldChange = Type.Object(fieldChange, strict);
const FieldChange = Type.Object({ ...fieldChange, repeated, fields: nestedFields(NestedFieldChange) }, strict);
/** A field as it is sent, new or to be changed, of a collection or (without `repeated` and `fields`) of a group. */
export type FieldChange = Static<typeof FieldChange>;
export type OptionChange = Static<typeof optionChange>;

/** Body of `PATCH /v1/cms/collections/{collectionId}`. */
export const CollectionChange = Type.Object(
  {
    name: Type.Optional(name),
    ...settings,
    fields: Type.Optional(
      Type.Array(FieldChange, {
        maxItems: LIMITS.fields,
        description:
          'Matched by id; those not named stay as they are, behind those sent. A field comes by an id that is not ' +
          'known yet, or none, and goes or comes back by its `status`.',
      }),
    ),
    status: Type.Optional(Status),
  },
  strict,
);
export type CollectionChange = Static<typeof CollectionChange>;

const free = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

/** An entry as it is answered. */
export const Entry = Type.Object(
  {
    id: Type.String(),
    collectionId: Type.String(),
    values: free('By field id; a field without a value is absent'),
    status: Status,
    version: Type.Integer({ description: 'Counts the changes' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Entry' },
);
export type Entry = Static<typeof Entry>;

export const EntryPage = Type.Object({
  entries: Type.Array(Entry),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

/** Body of `POST …/entries`. */
export const NewEntry = Type.Object(
  { values: free('By field id. null is no value. Every required field is needed.') },
  strict,
);

/** Body of `PATCH …/entries/{entryId}`. */
export const EntryChange = Type.Object(
  {
    values: Type.Optional(free('Merged by field id. null takes a value away; a group is replaced as a whole.')),
    version: Type.Optional(
      Type.Integer({ description: 'The version that the change is meant for: another one is `version_conflict`' }),
    ),
    status: Type.Optional(Status),
  },
  strict,
);
export type EntryChange = Static<typeof EntryChange>;

const Author = Type.Object(
  {
    kind: Type.Enum(['user', 'key', 'command']),
    id: orNull(Type.String()),
    name: orNull(Type.String({ description: 'null: not known any more' })),
  },
  { title: 'Author' },
);
const by = orNull(Author);

const versionMembers = {
  version: Type.Integer(),
  current: Type.Boolean({ description: 'Whether it is what the entry has now' }),
  change: Type.Enum(['created', 'changed', 'deleted', 'restored'], { description: 'What made it' }),
  changedFields: orNull(Type.Array(Type.String(), { description: 'By id; null for the creation' })),
  restoredFrom: orNull(Type.Integer({ description: 'The version that it brought back' })),
  status: Status,
  at: Timestamp,
  by,
};
/** A version of an entry, as it is listed. */
export const EntryVersion = Type.Object(versionMembers, { title: 'EntryVersion' });
export type EntryVersion = Static<typeof EntryVersion>;

export const EntryVersionWithValues = Type.Object(
  { ...versionMembers, values: free('By field id, as they would be answered today: without those of deleted fields') },
  { title: 'EntryVersionWithValues' },
);
export type EntryVersionWithValues = Static<typeof EntryVersionWithValues>;

export const EntryVersionPage = Type.Object({
  versions: Type.Array(EntryVersion),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

/** Body of `POST …/versions/{version}/restore`. */
export const VersionRestore = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ description: 'The current version, as it is known: another one is `version_conflict`' }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.fields,
        description: 'Only these come back, by id; all unless sent',
      }),
    ),
  },
  strict,
);
export type VersionRestore = Static<typeof VersionRestore>;

/** A deleted entry. */
export const TrashedEntry = Type.Object(
  { ...Entry.properties, deletedAt: Timestamp, deletedBy: by },
  { title: 'TrashedEntry' },
);
export type TrashedEntry = Static<typeof TrashedEntry>;
export const TrashedEntryPage = Type.Object({
  entries: Type.Array(TrashedEntry),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

/** A deleted collection. */
export const TrashedCollection = Type.Object(
  {
    ...Collection.properties,
    deletedAt: Timestamp,
    entryCount: Type.Integer({
      description: 'How many active entries come back with it, counted no further than 1,000',
    }),
  },
  { title: 'TrashedCollection' },
);
export type TrashedCollection = Static<typeof TrashedCollection>;
export const TrashedCollectionPage = Type.Object({
  collections: Type.Array(TrashedCollection),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

export const CollectionPath = Type.Object({ collectionId: Type.String() });
export const EntryPath = Type.Object({ collectionId: Type.String(), entryId: Type.String() });
export const VersionPath = Type.Object({ ...EntryPath.properties, version: Type.String() });

export const Removal = Type.Object(
  {
    permanently: Type.Optional(
      Type.Boolean({ description: 'true: what is deleted already is removed for good, with all that is kept of it' }),
    ),
  },
  strict,
);

export const IncludeDeleted = Type.Object(
  { includeDeleted: Type.Optional(Type.Boolean({ description: 'true: a deleted one is answered, too' })) },
  strict,
);

const paging = {
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
  pageToken: Type.Optional(
    Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
  ),
};
export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

export const CollectionsQuery = Type.Object(paging, strict);
export const VersionsQuery = Type.Object({ ...paging, ...IncludeDeleted.properties }, strict);

export const EntriesQuery = Type.Object(
  {
    ...paging,
    sort: Type.Optional(
      Type.String({
        description:
          '`<fieldId>:asc` or `:desc`; also `createdAt` and `updatedAt` (a field of that id goes first). The ' +
          "collection's `defaultSort` unless sent, else oldest first. Entries without a value come last both ways; of " +
          'equals the older comes first, with `desc` the newer. Text sorts without case and accents by its first 256 ' +
          'characters. Repeated fields, groups and assets do not sort.',
      }),
    ),
    q: Type.Optional(
      Type.String({
        maxLength: LIMITS.query,
        description:
          'Entries in whose text fields, those in groups included, every word occurs, as a part of a word too, ' +
          'whatever case and accents.',
      }),
    ),
  },
  { ...strict, patternProperties: { '^filter\\[': {} } },
);
export type EntriesQuery = Static<typeof EntriesQuery> & Record<string, unknown>;
