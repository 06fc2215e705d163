import type { Collection, Field } from '@headwater/sdk';
import type { AnyField, FieldType } from '../field-types/definition.ts';
import { nestedFieldsOf } from '../field-types/fields.ts';
import { toApiId } from './api-id.ts';

/** A field while it is edited. */
export interface DraftField {
  /** Stays the same when the ID changes. */
  key: string;
  /** Empty while it follows the label: see `apiIdOf`. */
  id: string;
  label: string;
  type: FieldType;
  format: Field['format'];
  slugSource: string | undefined;
  collectionIds: string[];
  onDelete: 'keep' | 'refuse';
  required: boolean;
  repeated: boolean;
  status: 'active' | 'deleted';
  options: DraftOption[];
  fields: DraftField[];
  /** Empty: none. */
  helpText: string;
  /** undefined and null: none. */
  defaultValue: unknown;
  unique: boolean;
  isPrivate: boolean;
  isLocalized: boolean;
  validation: FieldRules;
  /** Not saved yet: its ID and type can change, and removing it leaves no trace. */
  isNew: boolean;
}

export interface FieldRules {
  min?: number | string | undefined;
  max?: number | string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
}

export interface DraftOption {
  key: string;
  value: string;
  label: string;
  status: 'active' | 'deleted';
  isNew: boolean;
}

export interface SchemaDraft {
  name: string;
  description: string;
  fields: DraftField[];
  displayFieldId: string | null;
  sortFieldId: string | null;
  sortDirection: 'asc' | 'desc';
  publishing: boolean;
  isPublic: boolean;
  previewUrl: string;
  review: Collection['review'] | null;
}

/** A field as the routes that create and update collections accept it. */
export interface FieldRequest {
  id?: string;
  label: string;
  type: FieldType;
  format?: NonNullable<Field['format']>;
  slugSource?: string | null;
  collectionIds?: string[];
  onDelete?: 'keep' | 'refuse';
  required: boolean;
  repeated?: boolean;
  status?: 'active' | 'deleted';
  options?: { value: string; label: string; status?: 'active' | 'deleted' }[];
  fields?: FieldRequest[];
  helpText?: string | null;
  defaultValue?: unknown;
  unique?: boolean;
  private?: boolean;
  localized?: boolean;
  validation?: FieldRules | null;
}

let lastKey = 0;
const newKey = () => `new-${++lastKey}`;

/** The types whose values can be unique, as the API allows. */
const UNIQUE_TYPES = new Set(['text', 'number', 'date', 'timestamp', 'url', 'select']);

/** Slugs always are. */
const NEVER_UNIQUE = new Set(['slug', 'json', 'richtext', 'reference']);

export const canBeUnique = ({ type, format, repeated }: DraftField, isNested: boolean) =>
  !isNested && !repeated && UNIQUE_TYPES.has(type) && !(format && NEVER_UNIQUE.has(format));

export const newOption = (): DraftOption => ({ key: newKey(), value: '', label: '', status: 'active', isNew: true });

export const newField = (): DraftField => ({
  key: newKey(),
  id: '',
  label: '',
  type: 'text',
  format: undefined,
  slugSource: undefined,
  collectionIds: [],
  onDelete: 'keep',
  required: false,
  repeated: false,
  status: 'active',
  options: [newOption()],
  fields: [],
  helpText: '',
  defaultValue: undefined,
  unique: false,
  isPrivate: false,
  isLocalized: false,
  validation: {},
  isNew: true,
});

export const emptyDraft = (): SchemaDraft => ({
  name: '',
  description: '',
  fields: [newField()],
  displayFieldId: null,
  sortFieldId: null,
  sortDirection: 'asc',
  publishing: false,
  isPublic: false,
  previewUrl: '',
  review: null,
});

export const toDraft = ({
  name,
  description,
  displayFieldId,
  defaultSort,
  fields,
  ...settings
}: Collection): SchemaDraft => ({
  name,
  description: description ?? '',
  fields: fields.map(toDraftField),
  displayFieldId,
  sortFieldId: defaultSort?.fieldId ?? null,
  sortDirection: defaultSort?.direction ?? 'asc',
  publishing: settings.publishing ?? false,
  isPublic: settings.public ?? false,
  previewUrl: settings.previewUrl ?? '',
  review: settings.review ?? null,
});

function toDraftField(field: AnyField): DraftField {
  const { id, label, type, format, slugSource, collectionIds = [], onDelete = 'keep' } = field;
  const { required, status, options, helpText = '', validation = {} } = field;
  return {
    key: id,
    id,
    label,
    type,
    ...{ format, slugSource, collectionIds, onDelete },
    required,
    repeated: 'repeated' in field && field.repeated,
    status,
    options: (options ?? []).map((option) => ({ ...option, key: option.value, isNew: false })),
    fields: nestedFieldsOf(field).map(toDraftField),
    helpText,
    defaultValue: 'defaultValue' in field ? field.defaultValue : undefined,
    unique: 'unique' in field && field.unique === true,
    isPrivate: 'private' in field && field.private === true,
    isLocalized: 'localized' in field && field.localized === true,
    validation,
    isNew: false,
  };
}

/** The ID of a field: the one that was typed, else the one that its label suggests. */
export const apiIdOf = ({ id, label }: DraftField): string => id || toApiId(label);
