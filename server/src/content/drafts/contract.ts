import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';

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

/** Body of `PUT …/draft`. */
export const EntryDraftBody = Type.Object({ version, changes, ...readOnly('updatedAt') }, STRICT);
