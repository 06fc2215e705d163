import { type Static, Type } from 'typebox';
import { orNull, STRICT } from '../../shared/http/schemas.ts';

/** Body of `POST …/entries/{entryId}/move`. */
export const EntryMove = Type.Object(
  {
    before: Type.Optional(
      Type.String({ description: 'The entry that follows it afterwards; in a tree, below the same parent' }),
    ),
    after: Type.Optional(
      Type.String({ description: 'The entry that it follows afterwards; in a tree, below the same parent' }),
    ),
    first: Type.Optional(Type.Literal(true, { description: 'Before all others' })),
    last: Type.Optional(Type.Literal(true, { description: 'Behind all others; the default with `parentId`' })),
    parentId: Type.Optional(
      orNull(Type.String(), {
        description: 'In a tree: the entry below which it is afterwards; null: none. By default as before',
      }),
    ),
  },
  STRICT,
);
export type EntryMove = Static<typeof EntryMove>;
