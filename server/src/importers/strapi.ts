import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { fieldId, Notes, type Source, type SourceEntry, type SourceField } from './source.ts';

interface Attribute {
  type: string;
  required?: boolean;
  enum?: string[];
  multiple?: boolean;
  component?: string;
  repeatable?: boolean;
  private?: boolean;
}

interface Schema {
  uid: string;
  modelType?: string;
  kind?: string;
  info: { displayName?: string; description?: string; singularName?: string };
  options?: { draftAndPublish?: boolean };
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

/** Reads a folder into which an archive of `strapi export --no-encrypt` was unpacked. */
export function readStrapi(folder: string): Source {
  if (!existsSync(join(folder, 'schemas'))) {
    throw new ConfigError(`${folder} has no schemas/: unpack the archive of \`strapi export --no-encrypt\` into it`);
  }
  const notes = new Notes();
  const schemas = new Map(readLines<Schema>(folder, 'schemas').map((schema) => [schema.uid, schema]));
  const entities = readLines<Entity>(folder, 'entities');
  const links = new Links(readLines<Link>(folder, 'links'));
  const source: Source = { collections: [], assets: [], entries: [], notes };
  const byKey = new Map(entities.map((entity) => [`${entity.type} ${entity.id}`, entity]));
  for (const entity of entities) if (entity.type === FILE) addFile(folder, entity, source);
  for (const schema of schemas.values()) {
    if (!schema.uid.startsWith('api::')) continue;
    const fields = Object.entries(schema.attributes).flatMap(([name, attribute]) => {
      const to = SYSTEM.test(name) ? undefined : fieldOf(schema, name, attribute, schemas, notes);
      return to ? [{ name, attribute, to }] : [];
    });
    const { displayName, singularName = schema.uid, description } = schema.info;
    source.collections.push({
      id: schema.uid,
      name: displayName ?? singularName,
      description: description || undefined,
      fields: fields.map(({ to }) => to),
    });
    if (schema.kind === 'singleType') notes.add(`A single type became a collection with one entry (${singularName}).`);
    for (const entity of currentVersions(schema, entities, notes)) {
      const values: SourceEntry['values'] = {};
      for (const { name, attribute, to } of fields) {
        const value = readValue(entity, name, attribute, links, byKey);
        if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
          values[to.id] = value;
      }
      source.entries.push({ id: String(entity.id), collectionId: schema.uid, values });
    }
  }
  return source;
}

/** Strapi 5 stores a document as a draft and, once published, as a second row. The published one counts. */
function currentVersions(schema: Schema, entities: Entity[], notes: Notes): Entity[] {
  const documents = new Map<string, Entity>();
  for (const entity of entities) {
    if (entity.type !== schema.uid) continue;
    const { documentId, locale } = entity.data;
    const id = documentId === undefined ? `row ${entity.id}` : `${documentId} ${locale ?? ''}`;
    const known = documents.get(id);
    if (!known || !isPublished(known)) documents.set(id, entity);
  }
  for (const entity of documents.values()) {
    if (schema.options?.draftAndPublish && !isPublished(entity)) {
      notes.add(`Drafts are imported like published entries (${schema.info.singularName}).`);
    }
    if (entity.data.locale) notes.add(`Each locale became an entry of its own (${schema.info.singularName}).`);
  }
  return [...documents.values()];
}

const isPublished = ({ data }: Entity) => data.publishedAt !== null && data.publishedAt !== undefined;

const TEXT = ['string', 'text', 'richtext', 'email', 'uid', 'time', 'biginteger'];

function fieldOf(
  schema: Schema,
  name: string,
  { type, required, enum: options, multiple, component, repeatable }: Attribute,
  schemas: Map<string, Schema>,
  notes: Notes,
): SourceField | undefined {
  const at = `${schema.info.singularName}.${name}`;
  const common = { id: fieldId(name), label: name, ...(required && { required: true }) };
  if (TEXT.includes(type)) {
    if (type === 'biginteger') notes.add(`Big integers are imported as text (${at}).`);
    return { ...common, type: 'text' };
  }
  if (type === 'integer' || type === 'decimal' || type === 'float') return { ...common, type: 'number' };
  if (type === 'boolean' || type === 'date') return { ...common, type };
  if (type === 'datetime' || type === 'timestamp') return { ...common, type: 'timestamp' };
  if (type === 'enumeration') {
    return { ...common, type: 'select', options: (options ?? []).map((value) => ({ value, label: value })) };
  }
  if (type === 'media') return { ...common, type: 'asset', ...(multiple && { repeated: true }) };
  if (type === 'blocks' || type === 'json') {
    notes.add(`${type === 'blocks' ? 'Rich text becomes plain text' : 'JSON is imported as text'} (${at}).`);
    return { ...common, type: 'text' };
  }
  if (type === 'relation') {
    notes.add(`Relations are imported as the ids that entries have in Strapi (${at}).`);
    return { id: common.id, label: name, type: 'text', repeated: true };
  }
  if (type === 'component' && component !== undefined && schemas.has(component)) {
    notes.add(`Components are imported as JSON (${at}).`);
    return { ...common, type: 'text', ...(repeatable && { repeated: true }) };
  }
  notes.add(`Fields of the type ${type} are not imported (${at}).`);
  return undefined;
}

function readValue(
  { type, id, data }: Entity,
  name: string,
  attribute: Attribute,
  links: Links,
  entities: Map<string, Entity>,
): unknown {
  const linked = links.of(type, id, name);
  if (attribute.type === 'media') {
    const ids = linked.map(({ ref }) => String(ref));
    return attribute.multiple ? ids : ids[0];
  }
  if (attribute.type === 'relation') return linked.map((target) => documentOf(entities, target));
  const value = data[name];
  if (value === undefined || value === null) return undefined;
  if (attribute.type === 'component') {
    return Array.isArray(value) ? value.map((part) => JSON.stringify(plain(part))) : JSON.stringify(plain(value));
  }
  if (attribute.type === 'blocks') return textOf(value);
  if (attribute.type === 'json') return JSON.stringify(value);
  return TEXT.includes(attribute.type) ? String(value) : value;
}

/** Versions of a document share its id. */
function documentOf(entities: Map<string, Entity>, { type, ref }: Target): string {
  return String(entities.get(`${type} ${ref}`)?.data.documentId ?? ref);
}

/** A component without its key in Strapi and what is empty. */
function plain(part: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(part)).filter(([name, value]) => value !== null && name !== 'id'));
}

/** The text of Strapi's blocks, a line for each paragraph, heading and item. */
function textOf(blocks: unknown): string {
  interface Node {
    type?: string;
    text?: string;
    children?: Node[];
  }
  const inline = ({ text, children }: Node): string => text ?? (children ?? []).map(inline).join('');
  const lines = (node: Node): string[] =>
    node.type === 'list' ? (node.children ?? []).flatMap(lines) : [inline(node)];
  return Array.isArray(blocks) ? blocks.flatMap((node: Node) => lines(node)).join('\n') : String(blocks);
}

/** From an entry and its field to what it refers to, in order. Of a file, Strapi stores what refers to it. */
class Links {
  readonly #targets = new Map<string, Target[]>();

  constructor(links: Link[]) {
    const owned = links.map(({ left, right }) =>
      left.type === FILE ? { owner: right, target: left } : { owner: left, target: right },
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

function addFile(folder: string, { id, data }: Entity, source: Source): void {
  const { hash, ext, name } = data as { hash?: string; ext?: string; name?: string };
  const path = join(folder, 'assets/uploads', `${hash}${ext ?? ''}`);
  if (existsSync(path)) source.assets.push({ id: String(id), path, name: name ?? `${hash}${ext ?? ''}` });
  else source.notes.add('Files that are not in assets/uploads/ were left out.');
}

function readLines<T>(folder: string, part: string): T[] {
  const path = join(folder, part);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(path, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
