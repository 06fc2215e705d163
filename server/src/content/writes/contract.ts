import { type Static, Type } from 'typebox';
import { orNull, STRICT } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';
import { OPERATION_NAMES } from './operation-names.ts';

const byField = <T>(value: object, description: string) =>
  Type.Optional(Type.Unsafe<Record<string, T>>({ type: 'object', additionalProperties: value, description }));

export const anyValues = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

const RowChange = Type.Object(
  {
    field: Type.String({ description: 'The ID of a repeated group' }),
    id: Type.Optional(Type.String({ description: 'The `_id` of the row to change or delete' })),
    values: Type.Optional(anyValues('Merged into the row by field ID; `null` clears')),
    insert: Type.Optional(anyValues('A new row')),
    after: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The `_id` of the row before the new one; null: the new row is the first, absent: the last',
      }),
    ),
    delete: Type.Optional(Type.Boolean()),
  },
  { ...STRICT, title: 'RowChange' },
);
export type RowChange = Static<typeof RowChange>;

/** Changes of values that depend on the stored ones, applied to the current version of the entry. */
export const valueOperations = {
  increment: byField<unknown>({}, 'Numbers to add, by field ID. A field without a value counts as 0.'),
  append: byField<unknown>({}, 'Lists of values to add at the end of repeated fields, by field ID'),
  remove: byField<unknown>({}, 'Lists of values to remove from repeated fields, by field ID'),
  merge: byField<unknown>({}, 'Parts of groups, by field ID. Members that are not sent stay, `null` clears.'),
  rows: Type.Optional(
    Type.Array(RowChange, {
      maxItems: LIMITS.valuesPerField,
      description: 'Changes of single rows of repeated groups, in order',
    }),
  ),
};

/** Body of `PUT …/entries/by/{fieldId}/{value}`. */
export const EntryUpsert = Type.Object(
  { values: anyValues('Merged by field ID, as in an update. A new entry also gets the value of the path.') },
  STRICT,
);
export const UniqueValuePath = Type.Object({
  collectionId: Type.String(),
  fieldId: Type.String({ description: 'The ID of a unique field' }),
  value: Type.String({ description: 'Its value' }),
});

/** Body of `POST …/entries/{entryId}/duplicate`. */
export const EntryDuplicate = Type.Object(
  { values: Type.Optional(anyValues('Values that differ from those of the entry, by field ID')) },
  STRICT,
);

const BatchOperation = Type.Object(
  {
    op: Type.Enum([...OPERATION_NAMES]),
    collection: Type.String({ description: 'The ID or the key of the collection' }),
    id: Type.Optional(
      Type.String({ description: 'The ID of the entry, or `@` and the `ref` of an earlier operation' }),
    ),
    by: Type.Optional(
      anyValues('The entry by the value of a unique field, such as `{"sku": "4711"}`, instead of `id`'),
    ),
    values: Type.Optional(anyValues('By field ID. A reference may be `@` and the `ref` of an earlier operation.')),
    ...valueOperations,
    version: Type.Optional(Type.Integer({ description: 'The version that the entry must have' })),
    ref: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'A name for the new entry in later operations' }),
    ),
  },
  STRICT,
);

/** Body of `POST /v1/cms/batch`. */
export const Batch = Type.Object(
  {
    operations: Type.Array(BatchOperation, { maxItems: LIMITS.operationsPerBatch }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Checks the operations and changes nothing' })),
  },
  STRICT,
);
export type Batch = Static<typeof Batch>;
export const BatchResults = Type.Object({
  results: Type.Array(
    Type.Object({
      id: orNull(Type.String(), { description: 'null for an entry that a dry run would create' }),
      version: Type.Integer(),
    }),
    { description: 'In the order of the operations' },
  ),
});

/** The part of a change that says what becomes of values. */
export interface ValueChange {
  values?: Record<string, unknown>;
  increment?: Record<string, unknown>;
  append?: Record<string, unknown>;
  remove?: Record<string, unknown>;
  merge?: Record<string, unknown>;
  rows?: RowChange[];
}
