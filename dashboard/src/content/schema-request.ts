import { fieldTypeOf } from '../field-types/index.ts';
import { apiIdOf, type DraftField, type FieldRequest, type SchemaDraft } from './schema-draft.ts';

function fieldToRequest(field: DraftField, isNested = false): FieldRequest {
  const { label, type, required, repeated, status, isNew } = field;
  const id = apiIdOf(field);
  return {
    ...(id !== '' && { id }),
    label: label.trim(),
    type,
    required,
    ...(!isNew && { status }),
    ...(!isNested && { repeated }),
    ...fieldTypeOf(field).settings?.toRequest(field, (nested) => fieldToRequest(nested, true)),
  };
}

export const draftToRequest = (draft: SchemaDraft) => ({
  name: draft.name.trim(),
  description: draft.description.trim() || null,
  fields: draft.fields.map((field) => fieldToRequest(field)),
  displayFieldId: draft.displayFieldId,
  defaultSort: draft.sortFieldId === null ? null : { fieldId: draft.sortFieldId, direction: draft.sortDirection },
});
