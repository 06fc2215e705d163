import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { FIELD_TYPES, TEXT_FORMATS, typeOf } from './field-types/index.ts';
import { LIMITS } from './limits.ts';

export const Status = Type.Enum(['active', 'deleted']);
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

const formats = TEXT_FORMATS.map((format) => [format, typeOf({ type: 'text', format })] as const);
const TextFormat = Type.Enum([...TEXT_FORMATS], {
  title: 'TextFormat',
  description: `The format of the values of a \`text\` field: ${formats.map(([format, { description }]) => `\`${format}\` ${description}`).join('; ')}`,
  'x-sdk-types': Object.fromEntries(formats.map(([format, { sdkType }]) => [format, sdkType])),
});
const SlugSource = Type.String({
  description: 'Of the format `slug`: the field from which the slug of an entry without one is generated',
});
const CollectionIds = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: LIMITS.referencedCollections,
  description: 'Of the format `reference`: the collections whose entries can be referenced',
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
  format: Type.Optional(TextFormat),
  slugSource: Type.Optional(SlugSource),
  collectionIds: Type.Optional(CollectionIds),
  onDelete: Type.Optional(
    Type.Enum(['refuse'], {
      description: 'Of the format `reference`: `refuse` if a referenced entry cannot be deleted, else absent',
    }),
  ),
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
    localized: Type.Optional(
      Type.Boolean({
        description: 'Absent unless values differ by locale: that of `de` is the value of `<fieldId>@de`',
      }),
    ),
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
    previewUrl: Type.Optional(Type.String({ description: 'Absent unless entries have a preview' })),
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
  format: Type.Optional(orNull(TextFormat)),
  slugSource: Type.Optional(orNull(SlugSource)),
  collectionIds: Type.Optional(CollectionIds),
  onDelete: Type.Optional(
    Type.Enum(['keep', 'refuse'], {
      description:
        'Of the format `reference`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the ' +
        'references, which apply again when the entry is restored; `refuse` returns `entry_referenced`',
    }),
  ),
  helpText: Type.Optional(orNull(Type.String({ maxLength: LIMITS.descriptionLength }))),
  validation: Type.Optional(orNull(Validation)),
};
const isPrivate = Type.Optional(
  Type.Boolean({ description: 'Whether public responses omit the field; `false` by default' }),
);

const localized = Type.Optional(
  Type.Boolean({
    description:
      'Whether values differ by locale; `false` by default. Existing values are those of the default locale. Values in ' +
      'other locales are kept, but not returned, while it is off.',
  }),
);

const FieldChange = Type.Object(
  {
    ...sentField,
    repeated,
    defaultValue,
    unique,
    private: isPrivate,
    localized,
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
    localized,
    fields: nestedFields(Type.Object(newField, STRICT)),
  },
  STRICT,
);

export const name = Type.String({ pattern: '\\S', maxLength: LIMITS.labelLength });
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
  previewUrl: Type.Optional(
    orNull(
      Type.String({
        maxLength: LIMITS.urlLength,
        description:
          'Where the site shows the draft of an entry: a URL with the placeholders `{id}`, `{slug}` (without a slug the ID), ' +
          '`{collectionId}`, `{locale}` and `{token}`, with which the site reads drafts for an hour. Only for public collections. null: none',
      }),
    ),
  ),
  review: Type.Optional(
    orNull(Type.Enum(['editor', 'owner']), {
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
