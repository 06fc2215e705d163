import type { Action, Permission, RoleAccess } from '../../accounts/index.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection as CollectionResponse, DefaultSort, NestedField as NestedFieldResponse } from '../contract.ts';
import { settingsOf, typeOf } from '../field-types/index.ts';
import type { CollectionLocales, ShownIn } from '../locales/contract.ts';
import { isSystemField, POSITION, SYSTEM_NAMES } from '../ordering/system-fields.ts';
import { type CollectionSettings, serializeSettings, type UniqueTogether } from './collection-settings.ts';
import { everyField, type Field, isActive, mapFields, type NestedField, type Status } from './field.ts';
import type { STALE } from './stale.ts';

export type { CollectionSettings, UniqueTogether } from './collection-settings.ts';

export {
  type BitRange,
  type Block,
  everyField,
  type Field,
  fieldsOfRow,
  isActive,
  membersOf,
  type NestedField,
  type Option,
  type Status,
} from './field.ts';

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
  locales: CollectionLocales | null;
  /** Whether entries may be published without the default locale. */
  partial: boolean;
  /** Stands for the ID in paths. */
  key: string | null;
  settings: CollectionSettings | null;
  /** How all entries are indexed; null: some still as before. */
  index_format: number | null;
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
  /** Whether texts can link to entries. */
  hasLinks: boolean;
  /** Whether entries that are referenced cannot be deleted. */
  keepsReferenced: boolean;
  hasDeletedFields: boolean;
  /** Whether all entries have been indexed in the current format. */
  isIndexed: boolean;
  /** Whether entries are drafts until they are published. */
  publishing: boolean;
  /** If a field is or was localized. */
  locales: CollectionLocales | null;
  /** In the view of a locale: which one. */
  locale?: string;
  /** In the view of everyone: what is published. */
  isPublic?: true;
  /** In the view of everyone in a locale: which entries exist in it; undefined: all. */
  shownIn?: ShownIn;
  /**
   * The fields whose values are unique among these entries, deleted ones included: their values come back when they are
   * restored. None for drafts.
   */
  uniqueFields: Field[];
  /** The same of fields whose values are unique together, all of which are active. */
  uniqueTuples: UniqueTuple[];
  /** In the view of a role: what it may do. Absent: everything. */
  access?: CollectionAccess;
}

/** What a role may do with a collection. */
export interface CollectionAccess {
  /** The other collections, as the role sees them. */
  schema: SchemaView;
  /** The collection with everything in it, as it is stored. */
  whole: Collection;
  /** Which entries are read: of the drafts, or of what is published. */
  state: 'draft' | 'published';
  permissions: Partial<Record<Action, Permission>>;
  /** Which entries exist for an action; absent: all. Read it by `conditionOf`. */
  conditions: Partial<Record<Action, object>>;
  /** The same of what is published. */
  published?: CollectionAccess;
}

/**
 * The schema as one reader sees it. Whatever reads or writes entries needs a collection, which only a view has, and only
 * `CollectionCache` makes views: nothing is reached without a reader.
 */
export interface SchemaView {
  /** Of a reader with a role that the account defines; undefined: it sees everything. */
  readonly access: RoleAccess | undefined;
  use<T>(
    tx: Tx,
    accountId: string,
    publicId: string,
    operation: (collection: Collection) => Promise<T | typeof STALE>,
  ): Promise<T>;
  load(
    tx: Tx,
    accountId: string,
    versions: ReadonlyMap<string, number>,
  ): Promise<Map<string, Collection> | typeof STALE>;
  loadCurrent(tx: Tx, accountId: string, publicIds: readonly string[], isFresh: boolean): Promise<Collection[]>;
  /** A collection as another statement has just read it; undefined if it cannot be read. */
  read(tx: Tx, accountId: string, row: CollectionRow): Promise<Collection | undefined>;
}

interface UniqueTuple {
  key: number;
  fields: Field[];
}

export function collectionOf(row: CollectionRow): Collection {
  const collection = derive(row, undefined);
  return row.publishing ? { ...collection, uniqueFields: [], uniqueTuples: [] } : collection;
}

/** @param access of the view that it is derived from */
export function derive(row: CollectionRow, access: CollectionAccess | undefined): Collection {
  const all = everyField(row.fields);
  const hasDeletedBlocks = all.some(({ blocks }) => blocks?.some((block) => !isActive(block)));
  return {
    row: orderedRow(row),
    id: row.id,
    publicId: publicId('col', row.id),
    version: row.version,
    fields: row.fields,
    byId: fieldsById(row.fields),
    hasAssets: all.some((field) => typeOf(field).structure === 'asset'),
    hasReferences: all.some((field) => typeOf(field).structure === 'reference'),
    hasLinks: all.some(({ format, collectionIds }) => format === 'richtext' && collectionIds !== undefined),
    keepsReferenced: all.some(({ onDelete }) => onDelete === 'refuse'),
    hasDeletedFields: row.settings?.ordering !== undefined || hasDeletedBlocks || all.some((field) => !isActive(field)),
    isIndexed: row.index_format !== null,
    publishing: row.publishing,
    locales: row.locales,
    // The values of a deleted field block nothing that nobody can see.
    uniqueFields: row.fields.filter((field) => field.unique && isActive(field)),
    uniqueTuples: tuplesOf(row, ({ key }) => key),
    ...(access && { access }),
  };
}

/** Fields by ID; those of a manual order also by the name that requests have for them. */
export function fieldsById(fields: readonly Field[]): Map<string, Field> {
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const [name, id] of SYSTEM_NAMES) {
    const field = byId.get(id);
    if (field && isActive(field) && !byId.has(name)) byId.set(name, field);
  }
  return byId;
}

/** Entries with a manual order are listed in it, unless another one is set. */
function orderedRow(row: CollectionRow): CollectionRow {
  if (!row.settings?.ordering || row.default_sort) return row;
  return { ...row, default_sort: { fieldId: POSITION, direction: 'asc' } };
}

/** The fields of a collection whose values are unique together, those in which one is deleted aside. */
export function tuplesOf(
  { fields, settings }: { fields: readonly Field[]; settings: CollectionSettings | null },
  keyOf: (tuple: UniqueTogether) => number,
): UniqueTuple[] {
  if (!settings?.uniqueTogether) return [];
  const byId = new Map(fields.map((field) => [field.id, field]));
  return settings.uniqueTogether.flatMap((tuple) => {
    const members = tuple.fieldIds.flatMap((id) => byId.get(id) ?? []).filter(isActive);
    return members.length === tuple.fieldIds.length ? { key: keyOf(tuple), fields: members } : [];
  });
}

const publishedViews = new WeakMap<Collection, Collection>();

/** A collection with publishing as its published entries are indexed. */
export function publishedView(collection: Collection): Collection {
  const known = publishedViews.get(collection);
  if (known) return known;
  const fields = mapFields(collection.fields, ({ pending: _, publishedPending, ...field }) => ({
    ...field,
    key: publishedKeyOf(field),
    ...(publishedPending && { pending: publishedPending }),
  }));
  const row = { ...collection.row, fields };
  const view = {
    ...derive(row, collection.access?.published),
    uniqueTuples: tuplesOf(row, ({ publishedKey = 0 }) => publishedKey),
  };
  publishedViews.set(collection, view);
  return view;
}

export function publishedKeyOf({ id, publishedKey }: NestedField): number {
  if (publishedKey === undefined) throw new Error(`the field ${id} has no key for published entries`);
  return publishedKey;
}

/** What is read of a collection: its drafts or what is published, if it has drafts. */
export const stateView = (state: 'draft' | 'published') => (stored: Collection) =>
  state === 'published' && stored.publishing ? publishedView(stored) : stored;

/** Whether it is a field of the collection itself, not the translation of one. */
export const isOwn = (field: Field): boolean => field.locale === undefined && !isSystemField(field);

/** Whether entries can be sorted by the field. */
export function isSortable(field: Field): boolean {
  return !field.repeated && typeOf(field).isSortable;
}

export function serializeCollection(row: CollectionRow): CollectionResponse {
  return {
    id: publicId('col', row.id),
    ...(row.key !== null && { key: row.key }),
    name: row.name,
    description: row.description,
    fields: row.fields
      .filter((field) => isOwn(field) && !field.hidden)
      .map(({ repeated, fields, unique, localized, section, ...field }) => ({
        ...serializeField(field),
        repeated,
        ...(unique && { unique }),
        ...(localized && { localized }),
        ...(section !== undefined && { section }),
        fields: fields?.map(serializeField) ?? null,
      })),
    displayFieldId: row.display_field_id,
    defaultSort: row.default_sort?.fieldId === POSITION ? null : row.default_sort,
    status: row.status,
    ...(row.publishing && { publishing: true }),
    ...(row.public && { public: true }),
    ...(row.review !== null && { review: row.review }),
    ...(row.preview_url !== null && { previewUrl: row.preview_url }),
    ...(row.locales?.base !== undefined && { baseLocale: row.locales.base }),
    ...serializeSettings(row.settings),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** What is not set is absent, so that the response has the members of the interface and no others. */
export function serializeField(field: NestedField): NestedFieldResponse {
  const { id, label, type, required, status, options } = field;
  const { repeated, fields, componentId, blocks, format, helpText, validation, defaultValue } = field;
  return {
    ...{ id, label, type, required, status, options },
    ...(repeated && { repeated }),
    ...(fields && { fields: fields.map(serializeField) }),
    ...(componentId !== undefined && { componentId }),
    ...(blocks && { blocks: blocks.map((block) => ({ ...block, fields: block.fields.map(serializeField) })) }),
    ...(format && format !== 'position' && { format }),
    ...settingsOf(field),
    ...(field.visibleWhen && { visibleWhen: field.visibleWhen }),
    ...(helpText !== undefined && { helpText }),
    ...(validation && { validation }),
    ...(defaultValue !== undefined && { defaultValue }),
    ...(field.private && { private: true }),
  };
}
