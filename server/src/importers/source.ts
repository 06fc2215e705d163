import { existsSync, readFileSync, statSync } from 'node:fs';
import { ConfigError } from '../shared/config.ts';
import { parseWithTexts } from '../shared/json.ts';

/** Rules for values, as the API takes them. */
export interface Rules {
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
}

/** A field of a collection as the API takes it. */
export interface SourceField {
  id: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';
  required?: boolean;
  repeated?: boolean;
  format?: string;
  options?: { value: string; label: string }[];
  localized?: boolean;
  private?: boolean;
  unique?: boolean;
  validation?: Rules;
  helpText?: string;
  /** Of a group. */
  fields?: SourceField[];
  /** Of the format `blocks`. */
  blocks?: { id: string; label: string; fields: SourceField[] }[];
  /** Of a reference, or of the links of a rich text: ids of collections in the other system. */
  collections?: string[];
  /** Of what refers to a collection that is not imported: the key in the other system is kept as text. */
  isForeignKey?: true;
}

export interface SourceCollection {
  /** Its id in the other system. */
  id: string;
  name: string;
  description?: string | undefined;
  fields: SourceField[];
  displayFieldId?: string | undefined;
  /** Whether entries are drafts until they are published. */
  publishing?: boolean;
  singleton?: boolean;
  /** Whether its entries have an order of their own, which is that of `entries`. */
  isOrdered?: boolean;
}

export interface SourceAsset {
  /** The same in every export. */
  id: string;
  /** A local file. */
  path: string;
  name: string;
  /** Texts, also in other locales (`alt@de`). */
  texts?: Record<string, string>;
  tags?: string[];
  /** Names of folders, from the outermost. */
  folder?: string[];
  focalPoint?: { x: number; y: number };
  /** The ends of URLs by which texts show or link to it. */
  urls?: string[];
}

export type Values = Record<string, unknown>;

export interface SourceEntry {
  /** The same in every export. */
  id: string;
  collectionId: string;
  /**
   * By field id; those of a localized field by `<field>@<locale>`. Values of asset fields are ids of assets in the other system, those of
   * references what `entryKey` returns. Rich text names both by `entryUrl` and `assetUrl`.
   */
  values: Values;
  isPublished?: boolean;
  /** When it was published there first. */
  publishedOn?: string | undefined;
  /** When it was created there, if the export says so: counted ids alone do not tell two sites apart. */
  createdAt?: string | undefined;
  /** What its draft has after it was published. */
  draft?: Values | undefined;
}

/** Fields in which what refers to collections that are not imported is text. */
export function withoutUnknown(
  fields: readonly SourceField[],
  known: ReadonlySet<string>,
  notes: Notes,
  collection: string,
): SourceField[] {
  return fields.map(({ collections, ...field }) => {
    const { fields: inner, blocks } = field;
    const targets = collections?.filter((id) => known.has(id));
    const isLost = targets?.length === 0 && field.format !== 'richtext';
    if (isLost) {
      const note = `Relations to ${collections?.join(', ')} are imported as keys: it is not in the export.`;
      notes.add(note, { collection, unit: 'field', name: field.id });
    }
    return {
      ...field,
      ...(targets && targets.length > 0 && { collections: targets }),
      ...(isLost && { isForeignKey: true as const }),
      ...(inner && { fields: withoutUnknown(inner, known, notes, collection) }),
      ...(blocks && {
        blocks: blocks.map((block) => ({ ...block, fields: withoutUnknown(block.fields, known, notes, collection) })),
      }),
    };
  });
}

/** The name of an entry in references. */
export const entryKey = (collectionId: string, id: unknown): string => `${collectionId}/${String(id)}`;

/** In rich text, the URL of an entry or of an asset of the other system. */
export const entryUrl = (key: string): string => `imported-entry:${encodeURIComponent(key)}`;
export const assetUrl = (id: string): string => `imported-asset:${encodeURIComponent(id)}`;

/** The content of another system, and what of it has no counterpart. */
export interface Source {
  /** What tells it apart from others of the same system, if it says so itself. */
  space?: string | undefined;
  collections: SourceCollection[];
  assets: SourceAsset[];
  entries: SourceEntry[];
  /** If there are localized fields. */
  locales?: { default: string; all: string[]; fallbacks?: Record<string, string> };
  /** Sentences for the report, with how often each applies. */
  notes: Notes;
}

/** What a draft has that differs from what is published; null for a value that it lacks. */
export function changesOf(published: Values, draft: Values): Values | undefined {
  const names = new Set([...Object.keys(published), ...Object.keys(draft)]);
  const changed = [...names].filter((name) => JSON.stringify(published[name]) !== JSON.stringify(draft[name]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, draft[name] ?? null]));
}

export interface Note {
  /** The collection in the other system; empty if it is about all. */
  collection: string;
  note: string;
  count: number;
  /** `36 references`. */
  amount: string;
  /** The first of the files, entries or fields. */
  names?: string[];
}

const MAX_NAMES = 20;
const plural = (unit: string) => (unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`);

/** Counts what could not be taken over. */
export class Notes {
  readonly #found = new Map<
    string,
    { collection: string; note: string; unit: string; count: number; names: string[] }
  >();

  add(
    note: string,
    about: { collection?: string; unit?: string; name?: string | undefined; count?: number } = {},
  ): void {
    const { collection = '', unit = 'entry', name, count = 1 } = about;
    const key = `${collection}\n${note}`;
    const found = this.#found.get(key) ?? { collection, note, unit, count: 0, names: [] };
    found.count += count;
    if (name !== undefined && found.names.length < MAX_NAMES) found.names.push(name);
    this.#found.set(key, found);
  }

  list(): Note[] {
    return [...this.#found.values()].map(({ unit, names, ...about }) => ({
      ...about,
      amount: `${about.count} ${about.count === 1 ? unit : plural(unit)}`,
      ...(names.length > 0 && { names }),
    }));
  }
}

/** An id that the API accepts for a field: letters, digits, `_` and `-`, starting with a letter or digit. */
export function fieldId(text: string): string {
  const id = text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return /^[A-Za-z0-9]/.test(id) ? id : `x${id}`.slice(0, 64);
}

/** @throws ConfigError if there is none */
export function checkFile(path: string): void {
  if (!existsSync(path)) throw new ConfigError(`${path} does not exist`);
  if (!statSync(path).isFile()) throw new ConfigError(`${path} is a folder, not a file`);
}

/** @throws ConfigError if there is none */
export function checkFolder(path: string): void {
  if (!existsSync(path)) throw new ConfigError(`${path} does not exist`);
  if (!statSync(path).isDirectory()) throw new ConfigError(`${path} is a file, not a folder`);
}

/** Reads a text, without the mark that some programs put before it. @throws ConfigError */
export function readText(path: string): string {
  checkFile(path);
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}

/** Numbers with more digits than a double has are texts. @throws ConfigError */
export function readJson(path: string): unknown {
  return parseNamed(readText(path), path);
}

/** @param name what the error calls it @throws ConfigError */
export function parseNamed(text: string, name: string): unknown {
  try {
    return parseWithTexts(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ConfigError(`${name} is no whole JSON: ${error.message}. Export it again.`);
  }
}

/** @throws ConfigError if it is none */
export function objectOf(value: unknown, path: string): Values {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  throw new ConfigError(`${path} must contain a JSON object`);
}
