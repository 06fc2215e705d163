import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { wholePattern } from './contentful.ts';
import { earliest } from './published-on.ts';
import {
  changesOf,
  checkFolder,
  entryKey,
  fieldId,
  Notes,
  parseNamed,
  type Rules,
  readText,
  type Source,
  type SourceAsset,
  type SourceEntry,
  type SourceField,
  type Values,
} from './source.ts';
import { htmlOfStrapi } from './strapi-blocks.ts';

interface Attribute {
  type: string;
  required?: boolean;
  enum?: string[];
  multiple?: boolean;
  component?: string;
  components?: string[];
  repeatable?: boolean;
  private?: boolean;
  relation?: string;
  target?: string;
  mappedBy?: string;
  unique?: boolean;
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  regex?: string;
  pluginOptions?: { i18n?: { localized?: boolean } };
}

interface Schema {
  uid: string;
  modelType?: string;
  kind?: string;
  info: { displayName?: string; description?: string; singularName?: string };
  options?: { draftAndPublish?: boolean };
  pluginOptions?: { i18n?: { localized?: boolean } };
  attributes: Record<string, Attribute>;
}

interface Entity {
  type: string;
  id: number | string;
  data: Record<string, unknown>;
}

interface Target {
  type: string;
  ref: number | string;
  field?: string;
  pos?: number;
}

interface Link {
  left: Target;
  right: Target;
}

/** Fields that Strapi adds to every content type. */
const SYSTEM = /^(createdAt|updatedAt|publishedAt|createdBy|updatedBy|locale|localizations|documentId|strapi_\w+)$/;
const FILE = 'plugin::upload.file';
/** Of the smaller images that Strapi makes. */
const SIZES = ['thumbnail', 'small', 'medium', 'large'];

/** Reads a folder into which an archive of `strapi export --no-encrypt` was unpacked. */
export function readStrapi(folder: string): Source {
  checkFolder(folder);
  if (!existsSync(join(folder, 'schemas'))) {
    throw new ConfigError(`${folder} has no schemas/: unpack the archive of \`strapi export --no-encrypt\` into it`);
  }
  return new Archive(folder).read();
}

class Archive {
  readonly #folder: string;
  readonly #notes = new Notes();
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #entities: readonly Entity[];
  readonly #byKey: ReadonlyMap<string, Entity>;
  readonly #links: Links;
  /** The ids of documents, by the types and ids of their rows. */
  readonly #documents: ReadonlyMap<string, string>;
  readonly #locales = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#schemas = new Map(readLines<Schema>(folder, 'schemas').map((schema) => [schema.uid, schema]));
    this.#entities = readLines<Entity>(folder, 'entities');
    this.#byKey = new Map(this.#entities.map((entity) => [`${entity.type} ${entity.id}`, entity]));
    const links = readLines<Link>(folder, 'links');
    this.#links = new Links(links);
    this.#documents = documentsOf(this.#entities, links);
  }

  /** Versions and locales of a document share its id. */
  #documentOf = ({ type, id }: Pick<Entity, 'type' | 'id'>): string =>
    this.#documents.get(`${type} ${id}`) ?? `row-${id}`;

  read(): Source {
    const source: Source = { collections: [], assets: [], entries: [], notes: this.#notes };
    for (const entity of this.#entities) {
      if (entity.type === FILE) source.assets.push(...[this.#fileOf(entity) ?? []].flat());
    }
    for (const schema of this.#schemas.values()) {
      if (!schema.uid.startsWith('api::')) continue;
      const { displayName, singularName = schema.uid, description } = schema.info;
      const fields = this.#fieldsOf(schema, 1);
      source.collections.push({
        id: schema.uid,
        name: displayName ?? singularName,
        description: description || undefined,
        fields,
        displayFieldId: fields.find(({ type, format }) => type === 'text' && format === undefined)?.id,
        ...(schema.options?.draftAndPublish && { publishing: true }),
        ...(schema.kind === 'singleType' && { singleton: true }),
      });
      source.entries.push(...this.#entriesOf(schema));
    }
    if (this.#locales.size > 0) source.locales = { default: this.#defaultLocale(), all: [...this.#locales] };
    return source;
  }

  /** That of the account of Strapi: the only setting of the archive that is read. */
  #defaultLocale(): string {
    const setting = readLines<{ key?: string; value?: unknown }>(this.#folder, 'configuration').find(({ key }) =>
      String(key).includes('i18n_default_locale'),
    );
    const named = /[a-z]{2,3}(-[A-Za-z0-9]+)*/.exec(JSON.stringify(setting?.value ?? ''))?.[0];
    const [first = 'en'] = this.#locales;
    return named && this.#locales.has(named) ? named : this.#locales.has('en') ? 'en' : first;
  }

  #fileOf(entity: Entity): SourceAsset | undefined {
    const { hash, ext, name, alternativeText, caption } = entity.data as Record<string, string | null | undefined>;
    const file = `${hash}${ext ?? ''}`;
    const path = join(this.#folder, 'assets/uploads', file);
    if (!existsSync(path)) {
      this.#notes.add('Files that are not in assets/uploads/ were left out.', { unit: 'file', name: name ?? file });
      return undefined;
    }
    const texts = { ...(alternativeText && { alt: alternativeText }), ...(caption && { caption }) };
    const folder = this.#folderOf(entity);
    const { x, y } = Object(entity.data.focalPoint) as { x?: number; y?: number };
    return {
      id: this.#documentOf(entity),
      path,
      name: name ?? file,
      texts,
      urls: [`uploads/${file}`, ...SIZES.map((size) => `uploads/${size}_${file}`)],
      ...(folder.length > 0 && { folder }),
      // In percent.
      ...(x !== undefined && y !== undefined && { focalPoint: { x: x / 100, y: y / 100 } }),
    };
  }

  #folderOf({ type, id }: Entity): string[] {
    const [link] = this.#links.of(type, id, type === FILE ? 'folder' : 'parent');
    const folder = link && this.#byKey.get(`${link.type} ${link.ref}`);
    return folder ? [...this.#folderOf(folder), String(folder.data.name ?? folder.id)] : [];
  }

  #fieldsOf(schema: Schema, depth: number): SourceField[] {
    return Object.entries(schema.attributes).flatMap(([name, attribute]) => {
      const field = SYSTEM.test(name) ? undefined : this.#fieldOf(schema, name, attribute, depth);
      return field ?? [];
    });
  }

  #fieldOf(schema: Schema, name: string, attribute: Attribute, depth: number): SourceField | undefined {
    const { type, required, enum: options, multiple, component, components = [], repeatable } = attribute;
    const about = { collection: schema.uid, unit: 'field', name };
    const isLocalized = depth === 1 && isLocalizedAttribute(schema, attribute);
    const common = {
      id: fieldId(name),
      label: name,
      ...(required && { required: true }),
      ...(isLocalized && { localized: true }),
      ...(attribute.private && { private: true }),
      // Of localized fields, values are unique in each locale, which has no counterpart.
      ...((attribute.unique || type === 'uid') && depth === 1 && !isLocalized && { unique: true }),
    };
    const rules = rulesOf(attribute);
    const validation = Object.keys(rules).length > 0 ? { validation: rules } : {};
    const format = FORMATS[type];
    if (format !== undefined) {
      const { unique, ...own } = common;
      const isUnique = unique && format !== 'json' && format !== 'richtext';
      const kind = format === 'integer' ? 'number' : 'text';
      const kept = format === 'markdown' || format === 'integer' || format === 'email' ? validation : {};
      return { ...own, ...kept, ...(isUnique && { unique }), type: kind, format };
    }
    if (TEXT.includes(type)) return { ...common, ...validation, type: 'text' };
    if (type === 'integer' || type === 'decimal' || type === 'float')
      return { ...common, ...validation, type: 'number' };
    if (type === 'boolean' || type === 'date') return { ...common, type };
    if (type === 'datetime' || type === 'timestamp') return { ...common, type: 'timestamp' };
    if (type === 'enumeration') {
      return { ...common, type: 'select', options: (options ?? []).map((value) => ({ value, label: value })) };
    }
    if (type === 'media') return { ...common, type: 'asset', ...(multiple && { repeated: true }) };
    if (type === 'relation') {
      const { target = '', relation = '', mappedBy } = attribute;
      if (mappedBy !== undefined && target.startsWith('api::')) {
        const note = `The list is the other side of ${target}.${mappedBy}, which has the references.`;
        this.#notes.add(note, { collection: schema.uid, unit: 'field', name });
        return undefined;
      }
      if (!this.#schemas.has(target) || !target.startsWith('api::')) {
        this.#notes.add(`Relations to ${target || 'several types'} are not imported.`, about);
        return undefined;
      }
      return { ...common, type: 'text', collections: [target], ...(/ToMany$/.test(relation) && { repeated: true }) };
    }
    const inner = (uid: string) => {
      const known = this.#schemas.get(uid);
      return known ? this.#fieldsOf(known, depth + 1) : [];
    };
    if ((type === 'component' || type === 'dynamiczone') && depth > MOST_DEEP) {
      this.#notes.add(`Components within more than ${MOST_DEEP} others are not imported.`, about);
      return undefined;
    }
    if (type === 'component' && component !== undefined) {
      return {
        ...common,
        ...(repeatable && validation),
        type: 'group',
        fields: inner(component),
        ...(repeatable && { repeated: true }),
      };
    }
    if (type === 'dynamiczone') {
      const blocks = components.map((uid) => ({
        id: blockId(uid),
        label: this.#schemas.get(uid)?.info.displayName ?? uid,
        fields: inner(uid),
      }));
      return { ...common, ...validation, type: 'group', repeated: true, format: 'blocks', blocks };
    }
    this.#notes.add(`Fields of the type ${type} are not imported.`, about);
    return undefined;
  }

  /**
   * Strapi 5 stores a document as a draft and, once published, as a second row, each for every locale. They become one entry,
   * which is published with the values of the published rows, and has a draft if the others differ.
   */
  #entriesOf(schema: Schema): SourceEntry[] {
    const documents = new Map<string, Entity[]>();
    for (const entity of this.#entities) {
      if (entity.type !== schema.uid) continue;
      const id = this.#documentOf(entity);
      documents.set(id, [...(documents.get(id) ?? []), entity]);
    }
    const hasDrafts = schema.options?.draftAndPublish === true;
    return [...documents].map(([id, entities]) => {
      const times = entities.flatMap(({ data }) => (typeof data.createdAt === 'string' ? data.createdAt : []));
      // Documents have ids that no other site has; rows are counted.
      const createdAt = id.startsWith('row-') ? times.sort()[0] : undefined;
      const published = hasDrafts ? entities.filter(isPublished) : [];
      const drafts = entities.filter((entity) => !published.includes(entity));
      const draft = this.#valuesOf(schema, drafts);
      if (published.length === 0) return { id, collectionId: schema.uid, values: draft, createdAt };
      const values = this.#valuesOf(schema, published);
      const changed = drafts.length > 0 ? changesOf(values, draft) : undefined;
      const publishedOn = earliest(published.map(({ data }) => data.publishedAt));
      return {
        ...{ id, collectionId: schema.uid, values, createdAt, publishedOn, isPublished: true },
        ...(changed && { draft: changed }),
      };
    });
  }

  /** The values of the rows of a document, one for each locale. */
  #valuesOf(schema: Schema, entities: readonly Entity[]): Values {
    const all: Values = {};
    for (const entity of entities) {
      const { locale } = entity.data;
      const own = this.#read(schema, entity.id, entity.data);
      for (const [name, attribute] of Object.entries(schema.attributes)) {
        const id = fieldId(name);
        if (!(id in own)) continue;
        const isOfLocale = isLocalizedAttribute(schema, attribute) && typeof locale === 'string';
        if (isOfLocale) this.#locales.add(tagOf(locale));
        all[isOfLocale ? `${id}@${tagOf(locale)}` : id] = own[id];
      }
    }
    return all;
  }

  /** @param id of the row of an entry or component, by which the archive links it */
  #read(schema: Schema, id: number | string, data: Values): Values {
    const values: Values = {};
    for (const [name, attribute] of Object.entries(schema.attributes)) {
      if (SYSTEM.test(name)) continue;
      const value = this.#valueOf(schema.uid, id, name, attribute, data[name]);
      if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
      values[fieldId(name)] = value;
    }
    return values;
  }

  #valueOf(uid: string, id: number | string, name: string, attribute: Attribute, value: unknown): unknown {
    const { type, multiple, component = '', relation = '' } = attribute;
    const linked = () => this.#links.of(uid, id, name);
    if (type === 'media') {
      const ids = linked().map(({ ref }) => this.#documentOf({ type: FILE, id: ref }));
      return multiple ? ids : ids[0];
    }
    if (type === 'relation') {
      const keys = linked().map(({ type: of, ref }) => {
        return entryKey(of, this.#documentOf({ type: of, id: ref }));
      });
      const different = [...new Set(keys)];
      return /ToMany$/.test(relation) ? different : different[0];
    }
    if (value === undefined || value === null) return undefined;
    const part = (of: string, row: unknown) => {
      const schema = this.#schemas.get(of);
      const own = Object(row) as Values;
      return schema ? this.#read(schema, own.id as number, own) : {};
    };
    if (type === 'component') {
      return Array.isArray(value) ? value.map((row) => part(component, row)) : part(component, value);
    }
    if (type === 'dynamiczone') {
      return (value as { __component: string }[]).map((row) => ({
        _block: blockId(row.__component),
        ...part(row.__component, row),
      }));
    }
    if (type === 'blocks') return { html: htmlOfStrapi(value) };
    if (type === 'time') return String(value).split('.')[0];
    if (type === 'json') return value;
    return TEXT.includes(type) || FORMATS[type] !== undefined ? String(value) : value;
  }
}

/** Groups are nested so deep at most. */
const MOST_DEEP = 4;
const TEXT = ['string', 'text', 'uid'];
const FORMATS: Record<string, string> = {
  richtext: 'markdown',
  blocks: 'richtext',
  email: 'email',
  time: 'time',
  json: 'json',
  biginteger: 'integer',
};

const isLocalizedAttribute = ({ pluginOptions }: Schema, attribute: Attribute): boolean =>
  pluginOptions?.i18n?.localized === true && attribute.pluginOptions?.i18n?.localized !== false;
const tagOf = (locale: string) => locale.replaceAll('_', '-');
const blockId = (uid: string) => fieldId(uid.replaceAll('.', '_'));
const isPublished = ({ data }: Entity) => data.publishedAt !== null && data.publishedAt !== undefined;

/**
 * The document of each row. Before Strapi 5 a document is the rows that are localizations of each other, and has the id of the first.
 */
function documentsOf(entities: readonly Entity[], links: readonly Link[]): Map<string, string> {
  const first = new Map<string, number>();
  const others = Map.groupBy(
    links.filter(({ left }) => left.field === 'localizations'),
    ({ left }) => `${left.type} ${left.ref}`,
  );
  for (const { type, id } of entities) {
    const all = (others.get(`${type} ${id}`) ?? []).map(({ right }) => Number(right.ref));
    first.set(`${type} ${id}`, Math.min(Number(id), ...all));
  }
  return new Map(
    entities.map(({ type, id, data }) => [
      `${type} ${id}`,
      String(data.documentId ?? `row-${first.get(`${type} ${id}`) ?? id}`),
    ]),
  );
}

function rulesOf({ min, max, minLength, maxLength, regex, type, repeatable }: Attribute): Rules {
  const isList = type === 'dynamiczone' || (type === 'component' && repeatable);
  if (isList) {
    return { ...(min !== undefined && { minItems: Number(min) }), ...(max !== undefined && { maxItems: Number(max) }) };
  }
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(regex && { pattern: wholePattern(regex) }),
  };
}

/** From an entry and its field to what it refers to, in order. Of a file, Strapi stores what refers to it. */
class Links {
  readonly #targets = new Map<string, Target[]>();

  constructor(links: Link[]) {
    const owned = links.map(({ left, right }) =>
      left.type === FILE && left.field === 'related' ? { owner: right, target: left } : { owner: left, target: right },
    );
    owned.sort((a, b) => (a.owner.pos ?? 0) - (b.owner.pos ?? 0));
    for (const { owner, target } of owned) {
      const key = `${owner.type} ${owner.ref} ${owner.field}`;
      const known = this.#targets.get(key);
      if (known) known.push(target);
      else this.#targets.set(key, [target]);
    }
  }

  of(type: string, id: number | string, field: string): Target[] {
    return this.#targets.get(`${type} ${id} ${field}`) ?? [];
  }
}

function readLines<T>(folder: string, part: string): T[] {
  const path = join(folder, part);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) =>
      readText(join(path, name))
        .split('\n')
        .flatMap((line, i) =>
          line.trim() === '' ? [] : (parseNamed(line, `${join(path, name)}, line ${i + 1}`) as T),
        ),
    );
}
