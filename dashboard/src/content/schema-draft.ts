import type { Collection } from '@headwater/sdk';
import type { AnyField } from '../field-types/definition.ts';
import type { DraftBlock, DraftField, DraftOption } from '../field-types/draft.ts';
import { isRepeated, nestedFieldsOf } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { toApiId } from './api-id.ts';

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
  /** Empty: none. */
  collectionKey: string;
  isSingleton: boolean;
  isOrdered: boolean;
  isTree: boolean;
  /** Empty: none. */
  urlPattern: string;
  /** Lists of fields by ID. */
  uniqueTogether: string[][];
}

/** Unlike those of a draft that is restored. */
const newKey = () => `new-${Math.random().toString(36).slice(2)}`;

/** The types whose values can be unique, as the API allows. */
const UNIQUE_TYPES = new Set(['text', 'number', 'date', 'timestamp', 'url', 'select']);

/** Slugs always are. */
const NEVER_UNIQUE = new Set(['slug', 'json', 'richtext', 'reference', 'point']);

export const canBeUnique = ({ type, format, repeated }: DraftField, isNested: boolean) =>
  !isNested && !repeated && UNIQUE_TYPES.has(type) && !(format && NEVER_UNIQUE.has(format));

/** Whether entries can differ in it together with other fields. */
export const canBeCompared = (field: DraftField) =>
  canBeUnique(field, false) ||
  (!field.repeated && (field.type === 'boolean' || field.format === 'slug' || field.format === 'reference'));

export const canBeComputed = ({ type, format, repeated }: DraftField) =>
  type === 'text' && (!format || format === 'email') && !repeated;

/** The default value that the service can make for a field when an entry is created. */
export function madeDefaultOf({ type, format, repeated }: DraftField): 'now' | 'currentUser' | 'fields' | undefined {
  if (repeated) return undefined;
  if (type === 'date' || type === 'timestamp' || format === 'time') return 'now';
  if (type === 'text' && !format) return 'currentUser';
  return type === 'group' ? 'fields' : undefined;
}

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
  blocks: [],
  componentId: undefined,
  helpText: '',
  defaultValue: undefined,
  unique: false,
  isPrivate: false,
  isLocalized: false,
  section: '',
  validation: {},
  ...{ computed: '', visibleWhen: undefined, scale: undefined, rowIds: false },
  isNew: true,
});

export const newBlock = (): DraftBlock => ({
  ...{ key: newKey(), id: '', label: '', status: 'active', isNew: true },
  fields: [newField()],
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
  ...{ collectionKey: '', isSingleton: false, isOrdered: false, isTree: false },
  ...{ urlPattern: '', uniqueTogether: [] },
});

/** What most sites start with: pages with a title, a text and an image, which are published. */
export const articlesDraft = (isLocalized: boolean): SchemaDraft => ({
  ...emptyDraft(),
  name: t('Articles'),
  collectionKey: 'articles',
  publishing: true,
  isPublic: true,
  displayFieldId: 'title',
  fields: [
    { ...newField(), id: 'title', label: t('Title'), required: true, isLocalized },
    { ...newField(), id: 'slug', label: 'Slug', format: 'slug', slugSource: 'title', isLocalized },
    { ...newField(), id: 'cover', label: t('Cover'), type: 'asset' },
    { ...newField(), id: 'body', label: t('Body'), format: 'richtext', isLocalized },
  ],
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
  collectionKey: settings.key ?? '',
  isSingleton: settings.singleton ?? false,
  isOrdered: settings.ordering === 'manual',
  isTree: settings.tree ?? false,
  urlPattern: settings.urlPattern ?? '',
  uniqueTogether: settings.uniqueTogether ?? [],
});

export function toDraftField(field: AnyField): DraftField {
  const { id, label, type, format, slugSource, collectionIds = [], onDelete = 'keep' } = field;
  const { required, status, options, helpText = '', validation = {} } = field;
  return {
    key: id,
    id,
    label,
    type,
    ...{ format, slugSource, collectionIds, onDelete },
    required,
    repeated: isRepeated(field),
    status,
    options: (options ?? []).map((option) => ({ ...option, key: option.value, isNew: false })),
    fields: nestedFieldsOf(field).map(toDraftField),
    blocks: (field.blocks ?? []).map((block) => ({
      ...block,
      key: block.id,
      fields: block.fields.map(toDraftField),
      isNew: false,
    })),
    componentId: field.componentId,
    helpText,
    defaultValue: 'defaultValue' in field ? field.defaultValue : undefined,
    unique: 'unique' in field && field.unique === true,
    isPrivate: 'private' in field && field.private === true,
    isLocalized: 'localized' in field && field.localized === true,
    section: ('section' in field ? field.section : undefined) ?? '',
    validation,
    computed: field.computed ?? '',
    ...{ visibleWhen: field.visibleWhen, scale: field.scale, rowIds: field.rowIds ?? false },
    isNew: false,
  };
}

/** The ID of a field: the one that was typed, else the one that its label suggests. */
export const apiIdOfBlock = ({ id, label }: DraftBlock): string => id || toApiId(label);

export const apiIdOf = ({ id, label }: DraftField): string => id || toApiId(label);

/** A field as its values have it. */
export const draftAsField = (field: DraftField, label = field.label, isRepeated = field.repeated): AnyField => ({
  id: apiIdOf(field),
  label,
  type: field.type,
  ...(field.format && { format: field.format }),
  required: false,
  status: 'active',
  options: field.options.map((option) => ({ ...option, value: option.value || toApiId(option.label) })),
  repeated: isRepeated,
});
