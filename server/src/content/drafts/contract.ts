import { type Static, Type } from 'typebox';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';

const changes = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Values by field ID, as in an update. They are checked when they are saved',
});
const version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The version of the entry that the changes are based on',
});

const Unsaved = Type.Object({ version, changes, updatedAt: Time() }, { title: 'UnsavedChanges' });

export const EntryDraft = Type.Object({ draft: orNull(Unsaved) }, { title: 'EntryDraft' });
export type EntryDraft = Static<typeof EntryDraft>;

const expected =
  'Of the unsaved changes that were read. If others have been stored since: `version_conflict`, and nothing changes';

/** Body of `PUT …/draft`. */
export const EntryDraftBody = Type.Object(
  {
    version,
    changes,
    updatedAt: Type.Optional(orNull(Time(), { description: `${expected}. Null: there were none` })),
  },
  STRICT,
);

export const DeleteDraftQuery = Type.Object({ updatedAt: Type.Optional(Time({ description: expected })) }, STRICT);
