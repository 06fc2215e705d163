import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { fieldId, Notes, type Source, type SourceAsset, type SourceField } from './source.ts';

/** The parts of `directus schema snapshot --format json` that are read. */
interface Snapshot {
  directus?: string;
  collections?: { collection: string; meta?: { note?: string | null } | null; schema?: object | null }[];
  fields?: DirectusField[];
  relations?: { collection: string; field: string; related_collection: string | null }[];
}

interface DirectusField {
  collection: string;
  field: string;
  type: string;
  meta?: {
    required?: boolean;
    special?: string[] | null;
    sort?: number | null;
    options?: { choices?: { text: string; value: string }[] } | null;
    interface?: string | null;
  } | null;
  schema?: { is_primary_key?: boolean } | null;
}

type Row = Record<string, unknown>;

/**
 * Reads a folder with `snapshot.json` (`directus schema snapshot --format json`), `<collection>.json` for each collection (export of
 * its items as JSON), `directus_files.json`, and the files of the local storage in `uploads/`.
 */
export function readDirectus(folder: string): Source {
  const snapshotPath = join(folder, 'snapshot.json');
  if (!existsSync(snapshotPath)) throw new ConfigError(`${folder} has no snapshot.json`);
  const snapshot = JSON.parse(readFileSync(snapshotPath, 'utf8')) as Snapshot;
  if (snapshot.directus === undefined) throw new ConfigError(`${snapshotPath} is no snapshot of Directus`);
  const notes = new Notes();
  // Folders of the navigation have no table.
  const collections = (snapshot.collections ?? []).filter(({ schema }) => schema);
  const fieldsOf = (collection: string) =>
    (snapshot.fields ?? [])
      .filter((field) => field.collection === collection)
      .sort((a, b) => (a.meta?.sort ?? 0) - (b.meta?.sort ?? 0));
  const relatedTo = new Map(
    (snapshot.relations ?? []).map((each) => [`${each.collection}.${each.field}`, each.related_collection]),
  );
  const source: Source = { collections: [], assets: readFiles(folder, notes), entries: [], notes };
  for (const { collection, meta } of collections) {
    const fields = fieldsOf(collection);
    const key = fields.find(({ schema }) => schema?.is_primary_key)?.field ?? 'id';
    const taken = fields.flatMap((field) => {
      const related = relatedTo.get(`${collection}.${field.field}`);
      const found = field.field === key ? undefined : fieldOf(field, related, notes);
      return found ? [{ from: field, to: found }] : [];
    });
    source.collections.push({
      id: collection,
      name: collection,
      description: meta?.note ?? undefined,
      fields: taken.map(({ to }) => to),
    });
    for (const row of readRows(folder, collection, notes)) {
      const values: Row = {};
      for (const { from, to } of taken) {
        const value = readValue(from, row[from.field]);
        // The key of a related item may be a number.
        if (value !== undefined && value !== null)
          values[to.id] = typeof value === 'number' && to.type === 'text' ? String(value) : value;
      }
      source.entries.push({ id: String(row[key]), collectionId: collection, values });
    }
  }
  return source;
}

function fieldOf(field: DirectusField, related: string | null | undefined, notes: Notes): SourceField | undefined {
  const { type, meta } = field;
  const common = { id: fieldId(field.field), label: field.field, ...(meta?.required && { required: true }) };
  const choices = meta?.options?.choices;
  if (type === 'alias') {
    if (!/^(group|presentation)/.test(meta?.interface ?? '')) {
      notes.add(`Lists of related items are not imported (${field.collection}.${field.field}).`);
    }
    return undefined;
  }
  if (related === 'directus_files' || meta?.special?.includes('file')) return { ...common, type: 'asset' };
  if (related)
    notes.add(`Relations are imported as the keys that they have in Directus (${field.collection}.${field.field}).`);
  if (/^(integer|bigInteger|float|decimal)$/.test(type) && !related) return { ...common, type: 'number' };
  if (type === 'boolean' || type === 'date') return { ...common, type };
  if (type === 'timestamp' || type === 'dateTime') return { ...common, type: 'timestamp' };
  if (type === 'csv') return { ...common, type: 'text', repeated: true };
  if (type === 'hash') {
    notes.add(`Hashes are not imported (${field.collection}.${field.field}).`);
    return undefined;
  }
  if (type === 'json') notes.add(`JSON is imported as text (${field.collection}.${field.field}).`);
  if (type === 'string' && choices && meta?.interface === 'select-dropdown') {
    return {
      ...common,
      type: 'select',
      options: choices.map(({ text, value }) => ({ value: String(value), label: text })),
    };
  }
  return { ...common, type: 'text' };
}

function readValue({ type }: DirectusField, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'csv') return Array.isArray(value) ? value.map(String) : String(value).split(',');
  // Without an offset Directus means UTC.
  if (type === 'dateTime') return /[zZ]|[+-]\d\d:?\d\d$/.test(String(value)) ? value : `${value}Z`;
  if (typeof value === 'object') return String((value as { id?: unknown }).id ?? JSON.stringify(value));
  return /^(string|text|uuid|time)$/.test(type) ? String(value) : value;
}

function readRows(folder: string, collection: string, notes: Notes): Row[] {
  const path = join(folder, `${collection}.json`);
  if (!existsSync(path)) {
    notes.add(`There is no ${collection}.json, so the collection is empty.`);
    return [];
  }
  const content = JSON.parse(readFileSync(path, 'utf8')) as Row[] | { data: Row[] };
  return Array.isArray(content) ? content : content.data;
}

function readFiles(folder: string, notes: Notes): SourceAsset[] {
  const uploads = join(folder, 'uploads');
  const stored = existsSync(uploads) ? readdirSync(uploads) : [];
  if (!existsSync(join(folder, 'directus_files.json'))) return [];
  return readRows(folder, 'directus_files', notes).flatMap(({ id, filename_disk, filename_download }) => {
    const name = stored.find((each) => each === filename_disk || each.startsWith(`${id}.`));
    if (name !== undefined)
      return { id: String(id), path: join(uploads, name), name: String(filename_download ?? name) };
    notes.add('Files that are not in uploads/ were left out.');
    return [];
  });
}
