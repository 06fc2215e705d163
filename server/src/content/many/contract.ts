import { type Static, Type } from 'typebox';
import { orNull, STRICT } from '../../shared/http/schemas.ts';
import { anyValues, valueOperations } from '../writes/contract.ts';

const queryMembers = {
  where: Type.Unsafe<unknown>({ description: 'Which entries, as in queries. `{}`: all' }),
  expect: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How many entries there must be; otherwise nothing is changed' }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'Checks the change and changes nothing' })),
};

/** Body of `POST …/entries/update-many`. */
export const ManyUpdate = Type.Object(
  { ...queryMembers, values: Type.Optional(anyValues('Merged by field ID, as in an update')), ...valueOperations },
  { ...STRICT, title: 'ManyUpdate' },
);
export type ManyUpdate = Static<typeof ManyUpdate>;

/** Body of `POST …/entries/delete-many`. */
export const ManyDelete = Type.Object(queryMembers, { ...STRICT, title: 'ManyDelete' });
export type ManyDelete = Static<typeof ManyDelete>;

/** What a change of many entries did. */
export const ManyResult = Type.Object(
  {
    matched: Type.Integer({ description: 'Entries that match' }),
    changed: Type.Integer({ description: 'Entries that are different now' }),
    undoId: orNull(Type.String(), {
      description: 'For `POST …/undo/{undoId}` within 30 days; null if nothing was changed',
    }),
  },
  { title: 'ManyResult' },
);
export type ManyResult = Static<typeof ManyResult>;

export const UndoPath = Type.Object({ collectionId: Type.String(), undoId: Type.String() });

/** What an undo did. */
export const UndoResult = Type.Object(
  {
    entries: Type.Integer({ description: 'Entries that were different after the change' }),
    restored: Type.Integer(),
    skipped: Type.Integer({
      description: 'Entries that have been changed or deleted since, or whose earlier version is not kept',
    }),
  },
  { title: 'UndoResult' },
);
export type UndoResult = Static<typeof UndoResult>;
