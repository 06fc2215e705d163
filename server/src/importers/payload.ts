import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { htmlOfLexical } from './payload-lexical.ts';
import {
  changesOf,
  checkFolder,
  entryKey,
  fieldId,
  Notes,
  objectOf,
  type Rules,
  readJson,
  type Source,
  type SourceEntry,
  type SourceField,
  type Values,
} from './source.ts';

/** The parts of Payload's config that are read, as JSON. */
interface Config {
  collections?: PayloadCollection[];
  globals?: PayloadCollection[];
  localization?: false | { defaultLocale: string; locales: (string | { code: string })[] };
  /** Blocks that fields name by their slug. */
  blocks?: PayloadBlock[];
}

interface PayloadCollection {
  slug: string;
  labels?: { plural?: unknown };
  label?: unknown;
  fields: PayloadField[];
  admin?: { useAsTitle?: string; description?: unknown };
  upload?: unknown;
  auth?: unknown;
  versions?: false | { drafts?: unknown };
}

interface PayloadBlock {
  slug: string;
  labels?: { singular?: unknown };
  fields: PayloadField[];
}

interface PayloadField {
  name?: string;
  type: string;
  label?: unknown;
  required?: boolean;
  localized?: boolean;
  hasMany?: boolean;
  relationTo?: string | string[];
  options?: (string | { value: string; label?: unknown })[];
  fields?: PayloadField[];
  tabs?: { name?: string; fields: PayloadField[] }[];
  blocks?: PayloadBlock[];
  blockReferences?: (string | PayloadBlock)[];
  virtual?: unknown;
  unique?: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  minRows?: number;
  maxRows?: number;
}

/** Fields that Payload adds to every document. */
const SYSTEM = /^(id|createdAt|updatedAt|_status|deletedAt|blockType|blockName)$/;
const MOST_DEEP = 4;

/**
 * Reads a folder with `config.json` (the config of Payload as JSON), `<slug>.json` for each collection and `globals/<slug>.json` for each
 * global (responses of its REST API with `depth=0&locale=all&limit=0`, drafts also in `<slug>.drafts.json` with `draft=true`), and the
 * files of uploads in `media/`.
 */
export function readPayload(folder: string): Source {
  checkFolder(folder);
  const path = join(folder, 'config.json');
  if (!existsSync(path)) throw new ConfigError(`${folder} has no config.json`);
  const config = objectOf(readJson(path), path) as Config;
  if (!Array.isArray(config.collections))
    throw new ConfigError(`${path} is no config of Payload: it has no collections`);
  return new PayloadExport(folder, config).read();
}

class PayloadExport {
  readonly #folder: string;
  readonly #config: Config;
  readonly #notes = new Notes();
  readonly #uploads: ReadonlySet<string>;
  readonly #locales: { default: string; all: string[] } | undefined;
  /** The collections to which rich text can link. */
  readonly #linked: string[];
  /** The locale in which values within groups are read. */
  #locale: string | undefined;

  constructor(folder: string, config: Config) {
    this.#folder = folder;
    this.#config = config;
    this.#uploads = new Set(config.collections?.filter(({ upload }) => upload).map(({ slug }) => slug));
    this.#linked = (config.collections ?? []).flatMap(({ slug, auth }) =>
      this.#uploads.has(slug) || auth ? [] : slug,
    );
    const { localization } = config;
    if (localization) {
      const all = localization.locales.map((each) => (typeof each === 'string' ? each : each.code));
      this.#locales = { default: localization.defaultLocale, all };
    }
  }

  read(): Source {
    const source: Source = { collections: [], assets: [], entries: [], notes: this.#notes };
    if (this.#locales) source.locales = this.#locales;
    for (const collection of this.#config.collections ?? []) {
      this.#noteMissing(collection);
      if (this.#uploads.has(collection.slug)) this.#addFiles(collection, source);
      else if (collection.auth) {
        const count = this.#docs(collection.slug).length;
        if (count > 0) this.#notes.add('Users are not imported.', { collection: collection.slug, unit: 'user', count });
      } else this.#add(collection, collection.slug, this.#docs(`${collection.slug}`), source);
    }
    for (const global of this.#config.globals ?? []) {
      const docs = this.#docs(`globals/${global.slug}`).map((doc): Values => ({ id: global.slug, ...doc }));
      this.#add(global, `globals/${global.slug}`, docs, source, true);
    }
    return source;
  }

  #noteMissing({ slug, auth }: PayloadCollection): void {
    if (auth || existsSync(join(this.#folder, `${slug}.json`))) return;
    this.#notes.add(`There is no ${slug}.json, so the collection is empty.`, { collection: slug, unit: 'file' });
  }

  #docs(name: string): Values[] {
    const path = join(this.#folder, `${name}.json`);
    if (!existsSync(path)) return [];
    const sent = readJson(path);
    if (Array.isArray(sent)) return sent as Values[];
    const content = objectOf(sent, path);
    return Array.isArray(content.docs) ? (content.docs as Values[]) : [content];
  }

  #add(collection: PayloadCollection, id: string, docs: Values[], source: Source, singleton = false): void {
    const { labels, label, slug, admin, versions } = collection;
    const hasDrafts = Boolean(versions ? versions.drafts : undefined);
    const fields = this.#fieldsOf(collection.fields, slug, 1);
    const description = textOf(admin?.description);
    source.collections.push({
      id,
      name: textOf(labels?.plural) ?? textOf(label) ?? slug,
      ...(description && { description }),
      fields,
      ...(admin?.useAsTitle && { displayFieldId: fieldId(admin.useAsTitle) }),
      ...(hasDrafts && { publishing: true }),
      ...(singleton && { singleton }),
    });
    const drafts = new Map(this.#docs(`${id}.drafts`).map((doc) => [String(doc.id ?? slug), doc]));
    const known = new Set(docs.map((doc) => String(doc.id)));
    // A document that was never published is only among the drafts.
    const all = [...docs, ...[...drafts.values()].filter((doc) => !known.has(String(doc.id ?? slug)))];
    for (const doc of all) {
      const key = String(doc.id ?? slug);
      if (doc.deletedAt != null) {
        this.#notes.add('Documents in the trash are left out.', { collection: id, unit: 'document', name: key });
        continue;
      }
      const values = this.#read(collection.fields, doc, 1);
      const isPublished = hasDrafts && doc._status !== 'draft';
      const draft = drafts.get(key);
      const createdAt = typeof doc.createdAt === 'string' ? doc.createdAt : undefined;
      const entry: SourceEntry = { id: key, collectionId: id, values, createdAt, ...(isPublished && { isPublished }) };
      if (isPublished && draft) {
        const changed = changesOf(values, this.#read(collection.fields, draft, 1));
        if (changed) entry.draft = changed;
      }
      source.entries.push(entry);
    }
  }

  #addFiles({ slug, fields }: PayloadCollection, source: Source): void {
    const texts = fields.flatMap(({ name }) => name ?? []);
    for (const doc of this.#docs(slug)) {
      const name = String(doc.filename ?? '');
      const path = [join(this.#folder, 'media', name), join(this.#folder, slug, name)].find((each) => existsSync(each));
      if (name === '' || path === undefined) {
        this.#notes.add('Files that are not in media/ were left out.', { unit: 'file', name: name || String(doc.id) });
        continue;
      }
      const own: Record<string, string> = {};
      for (const member of ['alt', 'caption', 'title']) {
        if (!texts.includes(member)) continue;
        for (const [locale, text] of this.#textsOf(doc[member])) own[locale ? `${member}@${locale}` : member] = text;
      }
      const { focalX, focalY } = doc as { focalX?: unknown; focalY?: unknown };
      const hasPoint = typeof focalX === 'number' && typeof focalY === 'number';
      source.assets.push({
        id: entryKey(slug, doc.id),
        path,
        name,
        texts: own,
        urls: [`api/${slug}/file/${name}`, `api/${slug}/file/${encodeURIComponent(name)}`, `${slug}/${name}`],
        // In percent.
        ...(hasPoint && { focalPoint: { x: focalX / 100, y: focalY / 100 } }),
      });
    }
  }

  /** The texts of a file by locale; without one, that of the default locale. */
  #textsOf(value: unknown): [string, string][] {
    const byLocale = isLocalizedValue(value, this.#locales?.all) ? Object.entries(value) : [['', value] as const];
    return byLocale.flatMap(([locale, text]) =>
      typeof text === 'string' && text !== ''
        ? [[locale === this.#locales?.default ? '' : locale, text] as [string, string]]
        : [],
    );
  }

  #fieldsOf(fields: readonly PayloadField[], at: string, depth: number): SourceField[] {
    return fields.flatMap((field) => this.#fieldOf(field, `${at}.${field.name ?? field.type}`, depth));
  }

  #fieldOf(field: PayloadField, at: string, depth: number): SourceField[] {
    const { type, name } = field;
    // Rows, tabs and collapsibles without a name only arrange fields.
    if (type === 'tabs') {
      return (field.tabs ?? []).flatMap((tab) =>
        this.#fieldOf({ ...tab, type: tab.name ? 'group' : 'row' }, at, depth),
      );
    }
    if (name === undefined) return this.#fieldsOf(field.fields ?? [], at, depth);
    if (SYSTEM.test(name) || field.virtual) return [];
    const common = {
      id: fieldId(name),
      label: textOf(field.label) ?? name,
      ...(field.required && { required: true }),
      ...(depth === 1 && this.#isLocalized(field) && { localized: true }),
      ...(field.hasMany && { repeated: true }),
      ...(field.unique &&
        depth === 1 &&
        !field.hasMany &&
        !this.#isLocalized(field) &&
        UNIQUE.has(type) && { unique: true }),
    };
    const rules = rulesOf(field);
    const validation = Object.keys(rules).length > 0 ? { validation: rules } : {};
    const about = { collection: at.split('.')[0] ?? at, unit: 'field', name: at };
    const targets = [field.relationTo ?? []].flat();
    switch (type) {
      case 'text':
      case 'textarea':
      case 'code':
        return [{ ...common, ...validation, type: 'text' }];
      case 'email':
        return [{ ...common, type: 'text', format: 'email' }];
      case 'richText':
        return [{ ...common, type: 'text', format: 'richtext', collections: this.#linked }];
      case 'json':
        return [{ ...common, type: 'text', format: 'json' }];
      case 'point':
        return [{ ...common, type: 'text', format: 'point' }];
      case 'number':
      case 'date':
        return [{ ...common, ...(type === 'number' && validation), type: type === 'date' ? 'timestamp' : 'number' }];
      case 'checkbox':
        return [{ ...common, type: 'boolean' }];
      case 'select':
      case 'radio': {
        const options = (field.options ?? []).map((option) =>
          typeof option === 'string'
            ? { value: option, label: option }
            : { value: option.value, label: textOf(option.label) ?? option.value },
        );
        return [{ ...common, type: 'select', options }];
      }
      case 'upload':
        return [{ ...common, type: 'asset' }];
      case 'relationship': {
        const known = targets.filter((slug) => !this.#uploads.has(slug));
        if (known.length === 0) return [{ ...common, type: 'asset' }];
        return [{ ...common, type: 'text', collections: known }];
      }
      case 'ui':
      case 'join':
        // The documents on the other side have the relation.
        return [];
      case 'group':
      case 'array':
      case 'blocks':
        break;
      default:
        this.#notes.add(`Fields of the type ${type} are not imported.`, about);
        return [];
    }
    if (depth > MOST_DEEP) {
      this.#notes.add(`Fields within more than ${MOST_DEEP} others are not imported.`, about);
      return [];
    }
    if (type !== 'blocks') {
      const fields = this.#fieldsOf(field.fields ?? [], at, depth + 1);
      return [{ ...common, type: 'group', fields, ...(type === 'array' && { repeated: true, ...validation }) }];
    }
    const blocks = this.#blocksOf(field).map((block) => ({
      id: fieldId(block.slug),
      label: textOf(block.labels?.singular) ?? block.slug,
      fields: this.#fieldsOf(block.fields, `${at}.${block.slug}`, depth + 1),
    }));
    return [{ ...common, ...validation, type: 'group', repeated: true, format: 'blocks', blocks }];
  }

  #blocksOf({ blocks = [], blockReferences = [] }: PayloadField): PayloadBlock[] {
    const named = blockReferences.flatMap((each) =>
      typeof each === 'string' ? (this.#config.blocks?.find(({ slug }) => slug === each) ?? []) : each,
    );
    return [...blocks, ...named];
  }

  #read(fields: readonly PayloadField[], doc: Values, depth: number): Values {
    const values: Values = {};
    for (const field of fields) {
      const { type, name } = field;
      if (type === 'tabs') {
        for (const tab of field.tabs ?? []) {
          Object.assign(values, this.#read([{ ...tab, type: tab.name ? 'group' : 'row' }], doc, depth));
        }
      } else if (name === undefined) Object.assign(values, this.#read(field.fields ?? [], doc, depth));
      else if (!SYSTEM.test(name) && !field.virtual && type !== 'join') {
        this.#readField(field, name, doc[name], depth, values);
      }
    }
    return values;
  }

  #readField(field: PayloadField, name: string, value: unknown, depth: number, values: Values): void {
    if (value === undefined || value === null) return;
    const id = fieldId(name);
    const locales = this.#locales;
    const main = locales?.default ?? '';
    const inLocale = (tag: string) => {
      if (field.localized && isLocalizedValue(value, locales?.all)) {
        return depth === 1 ? value[tag] : (value[tag] ?? value[main]);
      }
      return depth === 1 && field.localized && tag !== main ? undefined : value;
    };
    if (depth > 1 || !locales || !this.#isLocalized(field)) {
      const own = this.#valueOf(field, inLocale(this.#locale ?? main), depth);
      if (own !== undefined) values[id] = own;
      return;
    }
    for (const tag of [main, ...locales.all.filter((each) => each !== main)]) {
      this.#locale = tag;
      const own = this.#valueOf(field, inLocale(tag), depth);
      this.#locale = undefined;
      // A group without translations within is that of the default locale.
      const isSame = !field.localized && JSON.stringify(own) === JSON.stringify(values[`${id}@${main}`]);
      if (own !== undefined && !(tag !== main && isSame)) values[`${id}@${tag}`] = own;
    }
  }

  /** Only fields of a collection are localized here: of a group with translations, all of it is. */
  #isLocalized(field: PayloadField): boolean {
    if (!this.#locales) return false;
    const { fields = [], tabs = [] } = field;
    const inner = [
      ...fields,
      ...tabs.flatMap((tab) => tab.fields),
      ...this.#blocksOf(field).flatMap((block) => block.fields),
    ];
    return field.localized === true || inner.some((each) => this.#isLocalized(each));
  }

  #valueOf(field: PayloadField, value: unknown, depth: number): unknown {
    if (value === undefined || value === null) return undefined;
    const { type, relationTo } = field;
    const rows = () => (Array.isArray(value) ? (value as Values[]) : []);
    switch (type) {
      case 'group':
        return this.#read(field.fields ?? [], value as Values, depth + 1);
      case 'array':
        return rows().map((row) => this.#read(field.fields ?? [], row, depth + 1));
      case 'blocks': {
        const blocks = new Map(this.#blocksOf(field).map((block) => [block.slug, block]));
        return rows().flatMap((row) => {
          const block = blocks.get(String(row.blockType));
          if (!block) return [];
          return [{ _block: fieldId(block.slug), ...this.#read(block.fields, row, depth + 1) }];
        });
      }
      case 'point': {
        const [lng, lat] = value as [number, number];
        return { lat, lng };
      }
      case 'richText':
        return { html: htmlOfLexical(value, this.#notes, this.#uploads) };
      case 'relationship':
      case 'upload':
        return field.hasMany ? [value].flat().map((each) => keyOf(each, relationTo)) : keyOf(value, relationTo);
      default:
        return value;
    }
  }
}

const UNIQUE = new Set(['text', 'textarea', 'email', 'number', 'date', 'select', 'radio']);

function rulesOf({ type, min, max, minLength, maxLength, minRows, maxRows }: PayloadField): Rules {
  if (type === 'number') return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minRows !== undefined && { minItems: minRows }),
    ...(maxRows !== undefined && { maxItems: maxRows }),
  };
}

/** What a relation refers to: an id, a document, or `{relationTo, value}` of several collections. */
function keyOf(value: unknown, relationTo: string | string[] | undefined): string {
  const idOf = (each: unknown) => (typeof each === 'object' && each !== null ? (each as { id?: unknown }).id : each);
  const { relationTo: named, value: inner } = Object(value) as { relationTo?: string; value?: unknown };
  if (named !== undefined) return entryKey(named, idOf(inner));
  return entryKey([relationTo ?? ''].flat()[0] ?? '', idOf(value));
}

/** With `locale=all`, the value of a localized field is an object of the values in each locale. */
const isLocalizedValue = (value: unknown, locales: readonly string[] | undefined): value is Values =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  locales !== undefined &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => locales.includes(key));

/** A label, or its English text. */
function textOf(label: unknown): string | undefined {
  if (typeof label === 'string') return label;
  const texts = Object(label) as Record<string, unknown>;
  const found = texts.en ?? Object.values(texts)[0];
  return typeof found === 'string' ? found : undefined;
}
