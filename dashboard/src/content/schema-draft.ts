import type { Collection, CreateCollectionRequest, Field, NestedField, UpdateCollectionRequest } from '@headwater/sdk';
import type { FieldType } from './field-types.ts';

/** A field as it is being edited. `key` stays whatever its id becomes. */
export interface DraftField {
  key: string;
  id: string;
  label: string;
  type: FieldType;
  required: boolean;
  repeated: boolean;
  status: 'active' | 'deleted';
  options: DraftOption[];
  fields: DraftField[];
  /** Not saved yet: its id and type may still change, and it can be thrown away. */
  isNew: boolean;
  /** Its id follows its label until somebody writes one. */
  hasOwnId: boolean;
}

export interface DraftOption {
  key: string;
  value: string;
  label: string;
  status: 'active' | 'deleted';
  isNew: boolean;
}

export interface Draft {
  name: string;
  description: string;
  fields: DraftField[];
  displayFieldId: string | null;
  sortFieldId: string | null;
  sortDirection: 'asc' | 'desc';
}

let lastKey = 0;
const newKey = () => `new-${++lastKey}`;

export const newOption = (): DraftOption => ({ key: newKey(), value: '', label: '', status: 'active', isNew: true });

export const newField = (type: FieldType = 'text'): DraftField => ({
  key: newKey(),
  id: '',
  label: '',
  type,
  required: false,
  repeated: false,
  status: 'active',
  options: [newOption()],
  fields: [],
  isNew: true,
  hasOwnId: false,
});

export function draftOf(collection: Collection): Draft {
  const { name, description, displayFieldId, defaultSort, fields } = collection;
  return {
    name,
    description: description ?? '',
    fields: fields.map(draftField),
    displayFieldId,
    sortFieldId: defaultSort?.fieldId ?? null,
    sortDirection: defaultSort?.direction ?? 'asc',
  };
}

function draftField(field: Field | NestedField): DraftField {
  const { id, label, type, required, status, options } = field;
  const nested = 'fields' in field ? ((field.fields ?? []) as NestedField[]) : [];
  return {
    key: id,
    id,
    label,
    type,
    required,
    repeated: 'repeated' in field && field.repeated,
    status,
    options: (options ?? []).map((option) => ({ ...option, key: option.value, isNew: false })),
    fields: nested.map(draftField),
    isNew: false,
    hasOwnId: true,
  };
}

/** An id made of a label: `Hero image` is `heroImage`. */
export function idOf(label: string): string {
  const words = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const joined = words
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  return (/^[A-Za-z]/.test(joined) || joined === '' ? joined : `f${joined}`).slice(0, 64);
}

/** A field whose label was changed, with its id as long as that follows. */
export function relabelled(field: DraftField, label: string): DraftField {
  return { ...field, label, ...(field.isNew && !field.hasOwnId && { id: idOf(label) }) };
}

type SentField = NonNullable<UpdateCollectionRequest['fields']>[number];

function sentField(field: DraftField, isNested: boolean): SentField {
  const { id, label, type, required, repeated, status, isNew } = field;
  return {
    ...(id !== '' && { id }),
    label: label.trim(),
    type,
    required,
    ...(!isNew && { status }),
    ...(!isNested && { repeated }),
    ...(type === 'select' && {
      options: field.options.map((option) => ({
        value: option.value || idOf(option.label),
        label: option.label.trim(),
        ...(!option.isNew && { status: option.status }),
      })),
    }),
    ...(type === 'group' && { fields: field.fields.map((each) => sentField(each, true)) }),
  };
}

export function requestOf(draft: Draft): UpdateCollectionRequest {
  const { name, description, displayFieldId, sortFieldId, sortDirection } = draft;
  return {
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    fields: draft.fields.map((field) => sentField(field, false)),
    displayFieldId,
    defaultSort: sortFieldId === null ? null : { fieldId: sortFieldId, direction: sortDirection },
  };
}

/** For a new collection: nothing of it has a status yet. */
export const newRequestOf = (draft: Draft) => requestOf(draft) as unknown as CreateCollectionRequest;
