import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken } from '../../../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT } from '../../../shared/http/schemas.ts';
import { FieldLabel, NestedField, NestedFieldChange, NewNestedField } from '../../contract.ts';

type SentField = NestedFieldChange;

import { LIMITS } from '../../limits.ts';
import { COLLECTION_KEY } from '../collection-keys.ts';

const Key = Type.Optional(
  orNull(Type.String({ pattern: COLLECTION_KEY, description: 'A name for programs, unique among the components' })),
);

export const Component = Type.Object(
  {
    id: Type.String(),
    key: orNull(Type.String()),
    name: Type.String(),
    fields: Type.Array(NestedField, { description: 'In order, including deleted ones' }),
  },
  { title: 'Component' },
);
export type Component = Static<typeof Component>;

export const ComponentPage = Type.Object({ components: Type.Array(Component), nextPageToken: NextPageToken });

const fieldsOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { maxItems: LIMITS.fields, description });

export const NewComponent = Type.Object(
  {
    key: Key,
    name: FieldLabel,
    fields: fieldsOf(Type.Unsafe<SentField>(NewNestedField), 'At least one'),
    ...readOnly('id'),
  },
  STRICT,
);
export type NewComponent = Static<typeof NewComponent>;

export const ComponentChange = Type.Object(
  {
    key: Key,
    name: Type.Optional(FieldLabel),
    fields: Type.Optional(
      fieldsOf(Type.Unsafe<SentField>(NestedFieldChange), 'Matched by ID, as those of a collection'),
    ),
    allowDataLoss: Type.Optional(
      Type.Boolean({
        description:
          'Whether a change is made by which values of entries are no longer returned. Otherwise it is refused with ' +
          '`data_loss`, which says of how many.',
      }),
    ),
    ...readOnly('id'),
  },
  STRICT,
);
export type ComponentChange = Static<typeof ComponentChange>;

export const ComponentPath = Type.Object({ id: Type.String() });
