import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection as CollectionResponse, DefaultSort } from '../contract.ts';
import { type FieldType, type TextFormat, typeOf } from '../field-types/index.ts';
import type { Validation } from '../field-types/validation.ts';
import type { AccountLocales } from '../locales/contract.ts';

export type Status = 'active' | 'deleted';

export interface Option {
  value: string;
  label: string;
  status: Status;
}

/** A field of a group, as it is stored. */
export interface NestedField {
  id: string;
  label: string;
  type: FieldType;
  required: boolean;
  status: Status;
  options: Option[] | null;
  /** The format of the values of a `text` field. */
  format?: TextFormat;
  /** Of a slug: the field whose text it is derived from. */
  slugSource?: string;
  /** Of a reference: the collections of the entries. */
  collectionIds?: string[];
  /** Of a reference: whether the entries can be deleted. */
  onDelete?: 'refuse';
  helpText?: string;
  validation?: Validation;
  /** The field's number in the index, unique across all collections. */
  key: number;
  /** Its number in the index of published entries. */
  publishedKey?: number;
}

/** Bits of the filter bitmap. */
export interface BitRange {
  /** The lowest bit. */
  offset: number;
  width: number;
}

/** A field of a collection, as it is stored. */
export interface Field extends NestedField {
  repeated: boolean;
  fields: NestedField[] | null;
  /** The value of new entries that are created without one; a list if the field is repeated. */
  defaultValue?: unknown;
  /** No two entries have the same value. Not for repeated fields. */
  unique?: true;
  /** Not part of what everyone can read. */
  private?: true;
  /** Its value differs by locale. The other locales have fields of their own, its translations. */
  localized?: true;
  /** Of a translation: the locale, and the ID of the localized field. Its own ID is `title@de`. */
  locale?: string;
  translationOf?: string;
  /** In the view of a locale: the fields that can have its value, the preferred one first. */
  sources?: readonly Field[];
  filterBits?: BitRange;
  /** Entries that are older than the field may lack their index row; a worker is writing them. */
  pending?: true;
  /** The same for published entries. */
  publishedPending?: true;
}

export interface CollectionRow {
  id: string;
  name: string;
  description: string | null;
  fields: Field[];
  display_field_id: string | null;
  default_sort: DefaultSort | null;
  status: Status;
  publishing: boolean;
  public: boolean;
  preview_url: string | null;
  /** The role that must approve a version before it can be published; null: no approval is needed. */
  review: 'editor' | 'owner' | null;
  /** Those of the account, if a field is or was localized. */
  locales: AccountLocales | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** A collection as a process caches it: its row and what is derived from it. */
export interface Collection {
  row: CollectionRow;
  id: string;
  publicId: string;
  version: number;
  fields: Field[];
  byId: ReadonlyMap<string, Field>;
  hasAssets: boolean;
  hasReferences: boolean;
  /** Whether entries that are referenced cannot be deleted. */
  keepsReferenced: boolean;
  hasDeletedFields: boolean;
  /** Whether entries are drafts until they are published. */
  publishing: boolean;
  /** If a field is or was localized. */
  locales: AccountLocales | null;
  /** In the view of a locale: which one. */
  locale?: string;
  /**
   * The fields whose values are unique among these entries, deleted ones included: their values come back when they are
   * restored. None for drafts.
   */
  uniqueFields: Field[];
}

export function collectionOf(row: CollectionRow): Collection {
  const collection = derive(row);
  return row.publishing ? { ...collection, uniqueFields: [] } : collection;
}

export function derive(row: CollectionRow): Collection {
  const everyField = row.fields.flatMap((field): NestedField[] => [field, ...(field.fields ?? [])]);
  return {
    row,
    id: row.id,
    publicId: publicId('col', row.id),
    version: row.version,
    fields: row.fields,
    byId: new Map(row.fields.map((field) => [field.id, field])),
    hasAssets: everyField.some((field) => typeOf(field).structure === 'asset'),
    hasReferences: everyField.some((field) => typeOf(field).structure === 'reference'),
    keepsReferenced: everyField.some(({ onDelete }) => onDelete === 'refuse'),
    hasDeletedFields: everyField.some((field) => !isActive(field)),
    publishing: row.publishing,
    locales: row.locales,
    uniqueFields: row.fields.filter(({ unique }) => unique),
  };
}

const publishedViews = new WeakMap<Collection, Collection>();

/** A collection with publishing as its published entries are indexed. */
export function publishedView(collection: Collection): Collection {
  const known = publishedViews.get(collection);
  if (known) return known;
  const fields = collection.fields.map(({ pending: _, publishedPending, ...field }): Field => {
    const indexed = { ...field, key: publishedKeyOf(field), ...(publishedPending && { pending: publishedPending }) };
    return field.fields === null ? indexed : { ...indexed, fields: field.fields.map(asPublished) };
  });
  const view = derive({ ...collection.row, fields });
  publishedViews.set(collection, view);
  return view;
}

const asPublished = (field: NestedField): NestedField => ({ ...field, key: publishedKeyOf(field) });

export function publishedKeyOf({ id, publishedKey }: NestedField): number {
  if (publishedKey === undefined) throw new Error(`the field ${id} has no key for published entries`);
  return publishedKey;
}

export function isActive(resource: { status: Status }): boolean {
  return resource.status === 'active';
}

/** Whether it is a field of the collection itself, not the translation of one. */
export const isOwn = ({ locale }: Field): boolean => locale === undefined;

/** Whether entries can be sorted by the field. */
export function isSortable(field: Field): boolean {
  return !field.repeated && typeOf(field).isSortable;
}

export function serializeCollection(row: CollectionRow): CollectionResponse {
  return {
    id: publicId('col', row.id),
    name: row.name,
    description: row.description,
    fields: row.fields.filter(isOwn).map((field) => ({
      ...serializeField(field),
      repeated: field.repeated,
      ...(field.defaultValue !== undefined && { defaultValue: field.defaultValue }),
      ...(field.unique && { unique: true }),
      ...(field.private && { private: true }),
      ...(field.localized && { localized: true }),
      fields: field.fields?.map(serializeField) ?? null,
    })),
    displayFieldId: row.display_field_id,
    defaultSort: row.default_sort,
    status: row.status,
    ...(row.publishing && { publishing: true }),
    ...(row.public && { public: true }),
    ...(row.review !== null && { review: row.review }),
    ...(row.preview_url !== null && { previewUrl: row.preview_url }),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** What is not set is absent, so that the response has the members of the interface and no others. */
function serializeField(field: NestedField) {
  const { id, label, type, required, status, options } = field;
  const { format, slugSource, collectionIds, onDelete, helpText, validation } = field;
  const settings = {
    ...(format && { format }),
    ...(slugSource !== undefined && { slugSource }),
    ...(collectionIds && { collectionIds }),
    ...(onDelete && { onDelete }),
    ...(helpText !== undefined && { helpText }),
    ...(validation && { validation }),
  };
  return { id, label, type, required, status, options, ...settings };
}
