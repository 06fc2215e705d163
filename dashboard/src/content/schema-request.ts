import type { DraftField, FieldRequest } from '../field-types/draft.ts';
import { fieldTypeOf } from '../field-types/index.ts';
import { SELF } from './own-collection.ts';
import { apiIdOf, canBeComputed, canBeUnique, emptyDraft, type SchemaDraft } from './schema-draft.ts';

export function fieldToRequest(field: DraftField, isNested = false): FieldRequest {
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
    section,
    // A draft that was kept by an earlier version has none.
    computed = '',
    visibleWhen,
    defaultValue = null,
  } = field;
  const rules = definedOnly(validation);
  const hasRules = Object.keys(rules).length > 0;
  const id = apiIdOf(field);
  return {
    ...(id !== '' && { id }),
    label: label.trim(),
    type,
    ...(format ? { format } : !isNew && type === 'text' && { format: null }),
    required,
    ...(!isNew && { status }),
    repeated,
    // null removes what the field had.
    ...((!isNew || helpText.trim() !== '') && { helpText: helpText.trim() || null }),
    ...((!isNew || hasRules) && { validation: hasRules ? rules : null }),
    ...((!isNew || defaultValue !== null) && { defaultValue }),
    ...(canBeUnique(field, isNested) && (!isNew || unique) && { unique }),
    ...((!isNew || isPrivate) && { private: isPrivate }),
    ...(!isNested && (!isNew || isLocalized) && { localized: isLocalized }),
    ...(!isNested && (!isNew || section.trim() !== '') && { section: section.trim() || null }),
    ...(canBeComputed(field) && (!isNew || computed.trim() !== '') && { computed: computed.trim() || null }),
    ...((!isNew || visibleWhen) && { visibleWhen: visibleWhen ?? null }),
    ...fieldTypeOf(field).settings?.toRequest(field, (nested) => fieldToRequest(nested, true)),
  };
}

const definedOnly = <T extends object>(rules: T) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as T;

/** The service takes the key of a new collection where its own fields reference it. */
const withOwnKey = (fields: readonly DraftField[], key: string): DraftField[] =>
  fields.map((field) => ({
    ...field,
    collectionIds: field.collectionIds.map((id) => (id === SELF ? key : id)),
    fields: withOwnKey(field.fields, key),
    blocks: field.blocks.map((block) => ({ ...block, fields: withOwnKey(block.fields, key) })),
  }));

/** @param before what is saved: what neither was set nor is stays unsent */
export const draftToRequest = (draft: SchemaDraft, before: SchemaDraft = emptyDraft()) => ({
  name: draft.name.trim(),
  description: draft.description.trim() || null,
  fields: withOwnKey(draft.fields, draft.collectionKey.trim()).map((field) => fieldToRequest(field)),
  ...{ publishing: draft.publishing, public: draft.publishing && draft.isPublic },
  ...(draft.collectionKey !== before.collectionKey && { key: draft.collectionKey.trim() || null }),
  ...(draft.isSingleton !== before.isSingleton && { singleton: draft.isSingleton }),
  ...(draft.isTree !== before.isTree && { tree: draft.isTree }),
  ...(draft.isOrdered !== before.isOrdered && { ordering: draft.isOrdered ? ('manual' as const) : null }),
  // What is set is checked again, as the fields that it names may be other ones. A draft of an earlier version has neither.
  ...((draft.urlPattern || before.urlPattern) && { urlPattern: draft.urlPattern?.trim() || null }),
  ...((draft.uniqueTogether?.length || before.uniqueTogether.length) && { uniqueTogether: draft.uniqueTogether ?? [] }),
  previewUrl: draft.previewUrl.trim() || null,
  review: draft.publishing ? (draft.review ?? null) : null,
  displayFieldId: draft.displayFieldId,
  defaultSort: draft.sortFieldId === null ? null : { fieldId: draft.sortFieldId, direction: draft.sortDirection },
});
