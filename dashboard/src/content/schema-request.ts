import { fieldTypeOf } from '../field-types/index.ts';
import { apiIdOf, canBeUnique, type DraftField, type FieldRequest, type SchemaDraft } from './schema-draft.ts';

function fieldToRequest(field: DraftField, isNested = false): FieldRequest {
  const {
    label,
    type,
    format,
    required,
    repeated,
    status,
    isNew,
    helpText,
    validation,
    unique,
    isPrivate,
    isLocalized,
    defaultValue = null,
  } = field;
  const rules = fieldTypeOf(field).rules ? definedOnly(validation) : {};
  const hasRules = Object.keys(rules).length > 0;
  const id = apiIdOf(field);
  return {
    ...(id !== '' && { id }),
    label: label.trim(),
    type,
    ...(format && { format }),
    required,
    ...(!isNew && { status }),
    ...(!isNested && { repeated }),
    // null removes what the field had.
    ...((!isNew || helpText.trim() !== '') && { helpText: helpText.trim() || null }),
    ...((!isNew || hasRules) && { validation: hasRules ? rules : null }),
    ...(!isNested && (!isNew || defaultValue !== null) && fieldTypeOf(field).hasDefault !== false && { defaultValue }),
    ...(canBeUnique(field, isNested) && (!isNew || unique) && { unique }),
    ...(!isNested && (!isNew || isPrivate) && { private: isPrivate }),
    ...(!isNested && (!isNew || isLocalized) && { localized: isLocalized }),
    ...fieldTypeOf(field).settings?.toRequest(field, (nested) => fieldToRequest(nested, true)),
  };
}

const definedOnly = <T extends object>(rules: T) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as T;

export const draftToRequest = (draft: SchemaDraft) => ({
  name: draft.name.trim(),
  description: draft.description.trim() || null,
  fields: draft.fields.map((field) => fieldToRequest(field)),
  ...{ publishing: draft.publishing, public: draft.publishing && draft.isPublic },
  previewUrl: draft.previewUrl.trim() || null,
  review: draft.publishing ? (draft.review ?? null) : null,
  displayFieldId: draft.displayFieldId,
  defaultSort: draft.sortFieldId === null ? null : { fieldId: draft.sortFieldId, direction: draft.sortDirection },
});
