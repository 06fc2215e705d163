import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, recursive, STRICT, Time } from '../shared/http/schemas.ts';
import { COLLECTION_KEY } from './collections/collection-keys.ts';
import { FIELD_SETTINGS, FIELD_TYPES, FORMATS, typeOf, typeOfFormat } from './field-types/index.ts';
import type { Where } from './field-types/where.ts';
import { LIMITS } from './limits.ts';

export const Status = Type.Enum(['active', 'deleted']);
const FieldId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  description: 'Unique within its list; generated if it is omitted',
});
export const FieldLabel = Type.String({ pattern: '\\S', maxLength: LIMITS.labelLength });
const OptionValue = Type.String({ minLength: 1, maxLength: LIMITS.labelLength });

const definitions = FIELD_TYPES.map((type) => [type, typeOf({ type })] as const);
const FieldType = Type.Enum([...FIELD_TYPES], {
  title: 'FieldType',
  description: `The values of a field: ${definitions.map(([type, { description }]) => `\`${type}\` ${description}`).join('; ')}`,
  'x-sdk-types': Object.fromEntries(definitions.map(([type, { sdkType }]) => [type, sdkType])),
});

const formats = FORMATS.map((format) => {
  const type = typeOfFormat(format);
  return [format, typeOf({ type, format }), type === 'text' ? '' : ` (of \`${type}\`)`] as const;
});
const TextFormat = Type.Enum([...FORMATS], {
  title: 'TextFormat',
  description: `The format of the values of a field of type \`text\`, unless another one is named: ${formats.map(([format, { description }, of]) => `\`${format}\`${of} ${description}`).join('; ')}`,
  'x-sdk-types': Object.fromEntries(formats.map(([format, { sdkType }]) => [format, sdkType])),
});

const DefaultSort = Type.Object(
  { fieldId: Type.String(), direction: Type.Enum(['asc', 'desc']) },
  { ...STRICT, title: 'DefaultSort' },
);
export type DefaultSort = Static<typeof DefaultSort>;

const Option = Type.Object({ value: Type.String(), label: Type.String(), status: Status }, { title: 'SelectOption' });

const Bound = Type.Union([Type.Number(), Type.String({ maxLength: 40 })]);
const Length = Type.Integer({ minimum: 0, maximum: LIMITS.textLength });
const Items = Type.Integer({ minimum: 0, maximum: LIMITS.valuesPerField });
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
    minItems: Type.Optional(Items),
    maxItems: Type.Optional(Items),
  },
  {
    ...STRICT,
    title: 'FieldValidation',
    description:
      'Rules for values that are written from now on, each value of a repeated field. `min` and `max` for the types ' +
      '`number`, `date` and `timestamp`; `minItems` and `maxItems` for the list of a repeated field; the others for `text` and ' +
      '`url`. A required text that is made without rules has `minLength` 1, so that an empty text is refused',
  },
);
const DefaultValue = Type.Unsafe<unknown>({
  title: 'FieldDefaultValue',
  description:
    'The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated ' +
    '`{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; ' +
    '`{"currentUser": true}` the ID of the user who creates it, of a text',
});

const VisibleWhen = Type.Unsafe<Where>({
  title: 'VisibleWhen',
  type: 'object',
  additionalProperties: true,
  description:
    'A condition on the fields beside this one, such as `{"kind": {"eq": "video"}}`, also with `and`, `or` and `not`. While it is not ' +
    'met, the field is neither required nor are its rules checked; its value is kept',
});

/** The settings that some types and formats have, in responses and in requests. */
const settingSchemas = (name: 'schema' | 'sent') =>
  Object.fromEntries(
    Object.entries(FIELD_SETTINGS).map(([setting, { schema, sent }]) => [
      setting,
      Type.Optional(name === 'schema' ? schema : (sent ?? orNull(schema))),
    ]),
  ) as Record<never, never>;

const Fields = Type.Array(recursive('NestedField'), { description: 'Of a group; none of blocks' });
const ComponentId = Type.String({ description: 'The component whose fields these are' });
const ReturnedBlock = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    status: Status,
    componentId: Type.Optional(ComponentId),
    fields: Type.Array(recursive('NestedField')),
  },
  { title: 'Block' },
);
const nestedMembers = {
  id: Type.String(),
  label: Type.String(),
  type: FieldType,
  required: Type.Boolean(),
  status: Status,
  options: orNull(Type.Array(Option)),
  format: Type.Optional(TextFormat),
  ...settingSchemas('schema'),
  componentId: Type.Optional(ComponentId),
  blocks: Type.Optional(Type.Array(ReturnedBlock, { description: 'Of the format `blocks`: the kinds of rows' })),
  helpText: Type.Optional(Type.String({ description: 'Absent if there is none' })),
  validation: Type.Optional(Validation),
  defaultValue: Type.Optional(DefaultValue),
  private: Type.Optional(Type.Boolean({ description: 'Absent unless public responses omit the field' })),
  visibleWhen: Type.Optional(VisibleWhen),
};
export const NestedField = Type.Object(
  {
    ...nestedMembers,
    repeated: Type.Optional(Type.Boolean({ description: 'Absent unless the value is an array' })),
    fields: Type.Optional(Fields),
  },
  { title: 'NestedField' },
);
export type NestedField = Omit<Static<typeof NestedField>, 'fields' | 'blocks'> & {
  fields?: NestedField[];
  blocks?: (Omit<Static<typeof ReturnedBlock>, 'fields'> & { fields: NestedField[] })[];
};
const Field = Type.Object(
  {
    ...nestedMembers,
    repeated: Type.Boolean(),
    fields: orNull(Type.Array(NestedField)),
    unique: Type.Optional(Type.Boolean({ description: 'Absent unless no two entries may have the same value' })),
    localized: Type.Optional(
      Type.Boolean({
        description: 'Absent unless values differ by locale: that of `de` is the value of `<fieldId>@de`',
      }),
    ),
    section: Type.Optional(Type.String({ description: 'The part of the form that shows it; absent: the first' })),
  },
  { title: 'Field' },
);

export const Collection = Type.Object(
  {
    id: Type.String(),
    key: Type.Optional(Type.String({ description: 'Absent if there is none' })),
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
    previewUrl: Type.Optional(Type.String({ description: 'Absent unless entries have a preview' })),
    baseLocale: Type.Optional(
      Type.String({
        description:
          'The locale of values without a locale in their name. Absent unless the default locale of the account became another one',
      }),
    ),
    urlPattern: Type.Optional(Type.String({ description: 'Absent unless public entries have a `url`' })),
    singleton: Type.Optional(Type.Boolean({ description: 'Absent unless the collection has one entry' })),
    uniqueTogether: Type.Optional(
      Type.Array(Type.Array(Type.String()), {
        description: 'Absent unless no two entries may have the same values of some fields',
      }),
    ),
    ordering: Type.Optional(Type.Enum(['manual'], { description: 'Absent unless entries have a `position`' })),
    tree: Type.Optional(Type.Boolean({ description: 'Absent unless entries have a `parentId`' })),
    review: Type.Optional(
      Type.Enum(['editor', 'owner'], {
        description: 'Absent unless versions must be approved before they are published: the role of who may approve',
      }),
    ),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Collection' },
);
export type Collection = Static<typeof Collection>;

export const CollectionPage = Type.Object({ collections: Type.Array(Collection), nextPageToken: NextPageToken });

const SentOption = Type.Object(
  { value: OptionValue, label: Type.Optional(FieldLabel), status: Type.Optional(Status) },
  STRICT,
);
const NewOption = Type.Object({ value: OptionValue, label: FieldLabel, status: Type.Optional(Status) }, STRICT);
const options = <Item extends TSchema>(option: Item, title: string) => {
  const description = 'Required for the type `select`, and not allowed for others';
  return Type.Optional(orNull(Type.Array(option, { maxItems: LIMITS.options, description }), { title }));
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

const isPrivate = Type.Optional(
  Type.Boolean({ description: 'Whether public responses omit the field; `false` by default' }),
);

const localized = Type.Optional(
  Type.Boolean({
    description:
      'Whether values differ by locale; `false` by default. Existing values are those of the default locale, or the `baseLocale`. Values in ' +
      'other locales are kept, but not returned, while it is off.',
  }),
);

const section = Type.Optional(
  orNull(
    Type.String({
      maxLength: LIMITS.labelLength,
      description:
        'The name of the part of the form that shows the field, with others of the same name; null: the first',
    }),
  ),
);

/** The members of a field in a request. @param nested the schema of fields in it @param titles those of its blocks and options */
const sentField = <Nested extends TSchema, Name extends TSchema, OfType extends TSchema, OneOption extends TSchema>(
  nested: Nested,
  [blockTitle, optionsTitle]: readonly [string, string],
  label: Name,
  type: OfType,
  option: OneOption,
) => ({
  id: Type.Optional(FieldId),
  label,
  type,
  required: Type.Optional(Type.Boolean({ description: '`false` by default' })),
  status: Type.Optional(Status),
  options: options(option, optionsTitle),
  format: Type.Optional(orNull(TextFormat)),
  ...settingSchemas('sent'),
  repeated,
  fields: Type.Optional(
    orNull(Type.Array(nested, { maxItems: LIMITS.fields, description: 'Of a group. Ignored with `componentId`' })),
  ),
  componentId: Type.Optional(
    orNull(Type.String(), {
      description: 'Of a group: the component whose fields it has. null leaves it the fields as its own.',
    }),
  ),
  blocks: Type.Optional(
    orNull(
      Type.Array(
        Type.Object(
          {
            id: Type.Optional(FieldId),
            label: Type.Optional(FieldLabel),
            status: Type.Optional(Status),
            componentId: Type.Optional(orNull(Type.String())),
            fields: Type.Optional(orNull(Type.Array(nested, { maxItems: LIMITS.fields }))),
          },
          { ...STRICT, title: blockTitle },
        ),
        {
          maxItems: LIMITS.blocks,
          description: 'Of the format `blocks`: the kinds of rows, matched by ID, each with fields or a component',
        },
      ),
    ),
  ),
  helpText: Type.Optional(orNull(Type.String({ maxLength: LIMITS.descriptionLength }))),
  validation: Type.Optional(orNull(Validation)),
  defaultValue,
  private: isPrivate,
  visibleWhen: Type.Optional(orNull(VisibleWhen)),
});
const ofCollection = { unique, localized, section };

const changed = <Nested extends TSchema>(nested: Nested) =>
  sentField(
    nested,
    ['BlockChange', 'SelectOptionChanges'],
    Type.Optional(FieldLabel),
    Type.Optional(FieldType),
    SentOption,
  );
export const NestedFieldChange = Type.Object(
  changed(recursive('NestedFieldChange', (): TSchema => NestedFieldChange)),
  { ...STRICT, title: 'NestedFieldChange' },
);
const ChangedField = Type.Object({ ...changed(NestedFieldChange), ...ofCollection }, STRICT);
type Sent = Static<typeof ChangedField>;
export type BlockChange = Omit<NonNullable<Sent['blocks']>[number], 'fields'> & { fields?: NestedFieldChange[] | null };
/** A new or changed field of a group. */
export type NestedFieldChange = Omit<Sent, 'unique' | 'localized' | 'section' | 'fields' | 'blocks'> & {
  fields?: NestedFieldChange[] | null;
  blocks?: BlockChange[] | null;
};
/** A new or changed field of a collection or of a group. */
export type FieldChange = NestedFieldChange & Pick<Sent, 'unique' | 'localized' | 'section'>;
export type OptionChange = Static<typeof SentOption>;

const created = <Nested extends TSchema>(nested: Nested) =>
  sentField(nested, ['NewBlock', 'NewSelectOptions'], FieldLabel, FieldType, NewOption);
export const NewNestedField = Type.Object(created(recursive('NewNestedField', (): TSchema => NewNestedField)), {
  ...STRICT,
  title: 'NewNestedField',
});
const NewField = Type.Object({ ...created(NewNestedField), ...ofCollection }, { ...STRICT, title: 'NewField' });

export const name = Type.String({ pattern: '\\S', maxLength: LIMITS.labelLength });
const settings = {
  key: Type.Optional(
    orNull(
      Type.String({
        pattern: COLLECTION_KEY,
        description:
          'A name that stands for the ID in every path and in `collectionIds`, such as `posts`; unique among the active ' +
          'collections of the account. It can change, and the old one then leads nowhere.',
      }),
      { title: 'CollectionKey' },
    ),
  ),
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
  previewUrl: Type.Optional(
    orNull(
      Type.String({
        maxLength: LIMITS.urlLength,
        description:
          'Where the site shows the draft of an entry: a URL with the placeholders `{id}`, `{slug}` (without a slug the ID), ' +
          '`{collectionId}`, `{locale}` and `{token}`, with which the site reads drafts for an hour. Only for public collections. null: none',
      }),
      { title: 'PreviewUrl' },
    ),
  ),
  urlPattern: Type.Optional(
    orNull(
      Type.String({
        maxLength: 500,
        description:
          'The path of the page of an entry, such as `/{locale}/blog/{category.slug}/{slug}`: with the values of fields, or of a field of ' +
          'a referenced entry, and `{id}` and `{locale}`. Public entries then have `url` and `alternates`. null: none',
      }),
      { title: 'UrlPattern' },
    ),
  ),
  singleton: Type.Optional(
    Type.Boolean({
      description:
        'Whether the collection has one entry, which is made when it is first read or written by `/entry`; `false` by default',
    }),
  ),
  uniqueTogether: Type.Optional(
    orNull(
      Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 5 }), {
        maxItems: 10,
        description:
          'Lists of fields: no two active entries have the same values of all fields of a list, as `eq` compares them. ' +
          'Entries without a value of one of them do not count.',
      }),
      { title: 'UniqueTogether' },
    ),
  ),
  ordering: Type.Optional(
    orNull(Type.Enum(['manual']), {
      title: 'CollectionOrdering',
      description:
        '`manual` gives entries a `position`, which `POST …/entries/{id}/move` changes; null, the default: none',
    }),
  ),
  tree: Type.Optional(
    Type.Boolean({
      description: 'Whether entries also have a `parentId`; `false` by default. A tree has a manual order.',
    }),
  ),
  review: Type.Optional(
    orNull(Type.Enum(['editor', 'owner']), {
      title: 'CollectionReview',
      description:
        'Whether a version must be approved before it is published, and the least role of who may approve; null, the default: ' +
        'not. Among users, only owners can change it.',
    }),
  ),
};
export const newStatus = Type.Optional(Type.Enum(['active']));

/** Body of `POST /v1/cms/collections`. */
export const NewCollection = Type.Object(
  {
    name,
    ...settings,
    fields: Type.Optional(Type.Array(Type.Unsafe<FieldChange>(NewField), { maxItems: LIMITS.fields })),
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
      Type.Array(Type.Unsafe<FieldChange>(ChangedField), {
        maxItems: LIMITS.fields,
        description:
          'Matched by ID. Fields that are not sent stay as they are and follow those that are. A field with an unknown ' +
          'or no ID is new. Set `status` to delete or restore a field.',
      }),
    ),
    status: Type.Optional(Status),
    allowDataLoss: Type.Optional(
      Type.Boolean({
        description:
          'Whether a change of blocks or of the component of a group is made by which values of entries are no longer returned. ' +
          'Otherwise it is refused with `data_loss`, which says of how many.',
      }),
    ),
    ...readOnly('id', 'createdAt', 'updatedAt'),
  },
  STRICT,
);
export type CollectionChange = Static<typeof CollectionChange>;
