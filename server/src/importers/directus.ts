import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { common, type DirectusField, fieldOf, readValue } from './directus-fields.ts';
import {
  checkFolder,
  entryKey,
  Notes,
  objectOf,
  readJson,
  type Source,
  type SourceAsset,
  type SourceEntry,
  type SourceField,
} from './source.ts';

/** The parts of `directus schema snapshot --format json` that are read. */
interface Snapshot {
  directus?: string;
  collections?: { collection: string; meta?: CollectionMeta | null; schema?: object | null }[];
  fields?: DirectusField[];
  relations?: Relation[];
}

interface CollectionMeta {
  note?: string | null;
  singleton?: boolean | null;
  sort_field?: string | null;
  archive_field?: string | null;
  archive_value?: string | null;
  unarchive_value?: string | null;
}

interface Relation {
  collection: string;
  field: string;
  related_collection: string | null;
  meta?: {
    one_field?: string | null;
    sort_field?: string | null;
    junction_field?: string | null;
    one_collection_field?: string | null;
    one_allowed_collections?: string[] | null;
  } | null;
}

type Row = Record<string, unknown>;
const FILES = 'directus_files';

/** A field here, and how it is read from a row. */
interface Taken {
  to: SourceField;
  read(row: Row): unknown;
}

/**
 * Reads a folder with `snapshot.json` (`directus schema snapshot --format json`), `<collection>.json` for each collection (export of
 * its items as JSON), `directus_files.json`, and the files of the local storage in `uploads/`.
 */
export function readDirectus(folder: string): Source {
  checkFolder(folder);
  const snapshotPath = join(folder, 'snapshot.json');
  if (!existsSync(snapshotPath)) throw new ConfigError(`${folder} has no snapshot.json`);
  const sent = objectOf(readJson(snapshotPath), snapshotPath);
  // As the API returns it, too.
  const snapshot = (sent.data ?? sent) as Snapshot;
  if (snapshot.directus === undefined) throw new ConfigError(`${snapshotPath} is no snapshot of Directus`);
  return new DirectusExport(folder, snapshot).read();
}

class DirectusExport {
  readonly #folder: string;
  readonly #snapshot: Snapshot;
  readonly #notes = new Notes();
  readonly #rows = new Map<string, Row[]>();
  readonly #locales = new Set<string>();

  constructor(folder: string, snapshot: Snapshot) {
    this.#folder = folder;
    this.#snapshot = snapshot;
  }

  read(): Source {
    const assets = readFiles(this.#folder, this.#notes);
    const source: Source = { collections: [], assets, entries: [], notes: this.#notes };
    // Folders of the navigation have no table.
    const collections = (this.#snapshot.collections ?? []).filter(({ schema }) => schema);
    const joined = this.#joinedCollections();
    for (const { collection, meta } of collections) {
      if (collection.startsWith('directus_') || joined.has(collection)) continue;
      const key = this.#keyOf(collection);
      const fields = this.#fieldsOf(collection);
      const taken = fields.flatMap((field) => (field.field === key ? [] : this.#take(field)));
      const names = new Map<string, Taken>();
      // Translated fields come from another collection, under the names that they have there.
      for (const each of taken) if (!names.has(each.to.id)) names.set(each.to.id, each);
      const status = meta?.archive_field ?? undefined;
      const all = [...names.values()];
      source.collections.push({
        id: collection,
        name: collection,
        description: meta?.note ?? undefined,
        fields: all.map(({ to }) => to),
        displayFieldId: all.find(({ to }) => to.type === 'text' && !to.format && !to.collections)?.to.id,
        ...(status && { publishing: true }),
        ...(meta?.singleton && { singleton: true }),
        ...(meta?.sort_field && { isOrdered: true }),
      });
      const rows = this.#rowsOf(collection);
      const order = meta?.sort_field;
      const created = fields.find((field) => field.meta?.special?.includes('date-created'))?.field;
      for (const row of order ? sortedBy(rows, order) : rows) {
        const id = row[key] ?? (meta?.singleton ? 1 : undefined);
        if (id === undefined) {
          this.#notes.add('Items without a primary key are left out.', { collection });
          continue;
        }
        const createdAt = created === undefined ? undefined : row[created];
        const entry: SourceEntry = {
          ...{ id: String(id), collectionId: collection, values: {} },
          ...(typeof createdAt === 'string' && { createdAt }),
        };
        for (const { to, read } of all) {
          const value = read(row);
          if (value === undefined || value === null) continue;
          if (to.localized) Object.assign(entry.values, value);
          else entry.values[to.id] = value;
        }
        if (status) entry.isPublished = isPublished(row[status], meta);
        if (status && String(row[status]) === meta?.archive_value) {
          this.#notes.add('Archived items are imported as drafts.', { collection });
        }
        source.entries.push(entry);
      }
    }
    if (this.#locales.size > 0) {
      const all = [...this.#locales];
      const main = all.find((tag) => /^en\b/.test(tag)) ?? all[0] ?? 'en';
      source.locales = { default: main, all };
    }
    return source;
  }

  /** Collections that only join two others, or hold translations: what they say is in the collections themselves. */
  #joinedCollections(): Set<string> {
    const joined = new Set<string>();
    for (const field of this.#snapshot.fields ?? []) {
      const relation = field.type === 'alias' ? this.#relationTo(field) : undefined;
      if (!relation) continue;
      const special = field.meta?.special ?? [];
      if (special.includes('translations')) joined.add(relation.collection);
      else if (relation.meta?.junction_field) {
        const known = new Set([relation.field, relation.meta.junction_field, relation.meta.sort_field]);
        const junction = this.#relationOf(relation.collection, relation.meta.junction_field);
        known.add(junction?.meta?.one_collection_field ?? undefined);
        const key = this.#keyOf(relation.collection);
        const more = this.#fieldsOf(relation.collection).filter(({ field: name }) => name !== key && !known.has(name));
        // A collection with more than the two relations is kept as well.
        if (more.length === 0) joined.add(relation.collection);
      }
    }
    return joined;
  }

  #fieldsOf(collection: string): DirectusField[] {
    return (this.#snapshot.fields ?? [])
      .filter((field) => field.collection === collection)
      .sort((a, b) => (a.meta?.sort ?? 0) - (b.meta?.sort ?? 0));
  }

  #keyOf(collection: string): string {
    return this.#fieldsOf(collection).find(({ schema }) => schema?.is_primary_key)?.field ?? 'id';
  }

  #relationOf(collection: string, field: string): Relation | undefined {
    return this.#snapshot.relations?.find((each) => each.collection === collection && each.field === field);
  }

  /** The relation whose other side a list of related items is. */
  #relationTo({ collection, field }: DirectusField): Relation | undefined {
    return this.#snapshot.relations?.find(
      (each) => each.related_collection === collection && each.meta?.one_field === field,
    );
  }

  #rowsOf(collection: string): Row[] {
    const known = this.#rows.get(collection) ?? readRows(this.#folder, collection, this.#notes);
    this.#rows.set(collection, known);
    return known;
  }

  #take(field: DirectusField): Taken[] {
    if (field.type === 'alias') return this.#takeList(field);
    const { collection, field: name, meta } = field;
    const read = fieldOf(field, this.#notes);
    if (!read) return [];
    const to = this.#withOptionsInUse(field, read);
    const relation = this.#relationOf(collection, name);
    const related = relation?.related_collection;
    if (related === FILES || meta?.special?.includes('file')) {
      return [{ to: { ...without(common(field), 'unique'), type: 'asset' }, read: (row) => idOf(row[name]) }];
    }
    if (related?.startsWith('directus_')) {
      this.#notes.add(`Relations to ${related} are imported as the keys that they have in Directus.`, {
        ...{ collection, unit: 'field', name },
      });
      return [{ to: { ...common(field), type: 'text' }, read: (row) => textOrNothing(idOf(row[name])) }];
    }
    if (related) {
      const reference: SourceField = { ...without(common(field), 'unique'), type: 'text', collections: [related] };
      return [{ to: reference, read: (row) => keyTo(related, row[name]) }];
    }
    const named = relation?.meta?.one_collection_field;
    if (named) {
      // Any of several collections, named by another field.
      const allowed = relation.meta?.one_allowed_collections ?? [];
      const reference: SourceField = { ...without(common(field), 'unique'), type: 'text', collections: allowed };
      return [{ to: reference, read: (row) => keyTo(String(row[named]), row[name]) }];
    }
    return [{ to, read: (row) => readValue(field, row[name]) }];
  }

  /** Directus suggests choices, and stores other values, too. */
  #withOptionsInUse(field: DirectusField, to: SourceField): SourceField {
    const { collection, field: name } = field;
    const { options } = to;
    if (!options) return to;
    const known = new Set(options.map(({ value }) => value));
    const used = this.#rowsOf(collection).flatMap((row) => [readValue(field, row[name]) ?? []].flat());
    const others = [...new Set(used.filter((each) => typeof each === 'string' && each !== '' && !known.has(each)))];
    if (others.length === 0) return to;
    this.#notes.add('Values that are none of the choices became options.', {
      ...{ collection, unit: 'option', count: others.length, name: `${name}: ${others.slice(0, 20).join(', ')}` },
    });
    return { ...to, options: [...options, ...others.map((value) => ({ value: String(value), label: String(value) }))] };
  }

  /** Lists of related items: translations, files, and those that are joined by a collection between. */
  #takeList(field: DirectusField): Taken[] {
    const { collection, field: name, meta } = field;
    if (/^(group|presentation)/.test(meta?.interface ?? '') || meta?.special?.includes('no-data')) return [];
    const relation = this.#relationTo(field);
    if (!relation) {
      this.#notes.add('This list has no relation, so it is not imported.', { collection, unit: 'field', name });
      return [];
    }
    const key = this.#keyOf(collection);
    if (meta?.special?.includes('translations')) return this.#takeTranslations(relation, key);
    const junctionField = relation.meta?.junction_field;
    if (!junctionField) {
      const note = `The list is the other side of ${relation.collection}.${relation.field}, which has the references.`;
      this.#notes.add(note, { collection, unit: 'field', name });
      return [];
    }
    const junction = this.#relationOf(relation.collection, junctionField);
    const named = junction?.meta?.one_collection_field;
    const target = junction?.related_collection;
    const rows = Map.groupBy(
      sortedBy(this.#rowsOf(relation.collection), relation.meta?.sort_field ?? this.#keyOf(relation.collection)),
      (row) => String(idOf(row[relation.field])),
    );
    const ofRow = (row: Row) => rows.get(String(row[key])) ?? [];
    const list = { ...common(field), repeated: true as const };
    if (target === FILES) {
      const read = (row: Row) => ofRow(row).flatMap((each) => idOf(each[junctionField]) ?? []);
      return [{ to: { ...list, type: 'asset' }, read }];
    }
    const collections = named ? (junction?.meta?.one_allowed_collections ?? []) : [target ?? ''];
    const read = (row: Row) => [
      ...new Set(
        ofRow(row).flatMap((each) => keyTo(named ? String(each[named]) : (target ?? ''), each[junctionField]) ?? []),
      ),
    ];
    return [{ to: { ...list, type: 'text', collections }, read }];
  }

  /** The fields of a collection of translations become localized fields of the collection itself. */
  #takeTranslations(relation: Relation, key: string): Taken[] {
    const { collection } = relation;
    const own = this.#keyOf(collection);
    const language =
      relation.meta?.junction_field ??
      this.#fieldsOf(collection).find(({ field }) => /lang|locale/i.test(field))?.field ??
      'languages_code';
    const rows = Map.groupBy(this.#rowsOf(collection), (row) => String(idOf(row[relation.field])));
    return this.#fieldsOf(collection).flatMap((field): Taken[] => {
      if ([own, relation.field, language].includes(field.field)) return [];
      return this.#take(field).map(({ to, read }) => ({
        // Values are unique in each locale, which has no counterpart.
        to: { ...without(to, 'unique'), localized: true },
        read: (row) => {
          const values: Row = {};
          for (const translation of rows.get(String(row[key])) ?? []) {
            const tag = String(idOf(translation[language]) ?? '').replaceAll('_', '-');
            const value = read(translation);
            if (tag === '' || value === undefined || value === null) continue;
            this.#locales.add(tag);
            values[`${to.id}@${tag}`] = value;
          }
          return values;
        },
      }));
    });
  }
}

/** By the field that archives items: those that are neither archived nor drafts. */
function isPublished(value: unknown, meta: CollectionMeta | null | undefined): boolean {
  if (typeof value === 'boolean') return String(value) !== meta?.archive_value;
  return ![meta?.archive_value, meta?.unarchive_value, 'draft', 'archived'].includes(String(value)) && value != null;
}

/** The key of a related item, which may be expanded. */
function idOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const { id, code } = value as { id?: unknown; code?: unknown };
  return id ?? code;
}

const textOrNothing = (value: unknown) => (value === undefined ? undefined : String(value));

function keyTo(collection: string, value: unknown): string | undefined {
  const id = idOf(value);
  return id === undefined || id === null ? undefined : entryKey(collection, id);
}

function sortedBy(rows: readonly Row[], field: string): Row[] {
  const place = (row: Row) => (row[field] === null || row[field] === undefined ? Number.MAX_VALUE : Number(row[field]));
  return rows.every((row) => !Number.isNaN(place(row))) ? [...rows].sort((a, b) => place(a) - place(b)) : [...rows];
}

function readRows(folder: string, collection: string, notes: Notes): Row[] {
  const path = join(folder, `${collection}.json`);
  if (!existsSync(path)) {
    notes.add(`There is no ${collection}.json, so the collection is empty.`, { collection, unit: 'file' });
    return [];
  }
  const content = readJson(path);
  if (Array.isArray(content)) return content as Row[];
  const row = objectOf(content, path);
  const { data } = row;
  // As the API returns it, or the item of a singleton, which may have a field of this name.
  const isResponse = typeof data === 'object' && data !== null && !('id' in row);
  return (isResponse ? [data].flat() : [row]) as Row[];
}

function readFiles(folder: string, notes: Notes): SourceAsset[] {
  const uploads = join(folder, 'uploads');
  const stored = existsSync(uploads) ? readdirSync(uploads) : [];
  if (!existsSync(join(folder, `${FILES}.json`))) {
    notes.add(`There is no ${FILES}.json, so no file is imported.`, { unit: 'file', name: `${FILES}.json` });
    return [];
  }
  const folders = existsSync(join(folder, 'directus_folders.json')) ? readRows(folder, 'directus_folders', notes) : [];
  const byId = new Map(folders.map((row) => [String(row.id), row]));
  const folderOf = (id: unknown): string[] => {
    const row = byId.get(String(idOf(id)));
    return row ? [...folderOf(row.parent), String(row.name)] : [];
  };
  return readRows(folder, FILES, notes).flatMap((row) => {
    const { id, filename_disk, filename_download, title, description, tags, width, height } = row;
    const name = stored.find((each) => each === filename_disk || each.startsWith(`${id}.`) || each === id);
    if (name === undefined) {
      const missing = String(filename_download ?? filename_disk ?? id);
      notes.add('Files that are not in uploads/ were left out.', { unit: 'file', name: missing });
      return [];
    }
    const texts: Record<string, string> = {};
    if (typeof title === 'string' && title !== '') texts.title = title;
    if (typeof description === 'string' && description !== '') texts.alt = description;
    const [x, y] = [Number(row.focal_point_x) / Number(width), Number(row.focal_point_y) / Number(height)];
    const hasPoint = row.focal_point_x != null && row.focal_point_y != null && x >= 0 && x <= 1 && y >= 0 && y <= 1;
    const path = folderOf(row.folder);
    return {
      id: String(id),
      path: join(uploads, name),
      name: String(filename_download ?? name),
      texts,
      urls: [`assets/${id}`, `assets/${id}/${filename_download}`, `assets/${filename_disk}`],
      ...(Array.isArray(tags) && tags.length > 0 && { tags: tags.map(String) }),
      ...(path.length > 0 && { folder: path }),
      ...(hasPoint && { focalPoint: { x, y } }),
    };
  });
}

/** Without one of its members. */
function without<Each extends object, Name extends string>(object: Each, name: Name): Omit<Each, Name> {
  const { [name]: _, ...others } = object as Each & Record<Name, unknown>;
  return others;
}
