import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { type Collection, isSortable } from '../collections/collection.ts';
import { isActive, type NestedField } from '../collections/field.ts';
import { isSingleton } from '../entries/singleton.ts';
import { typeOf } from '../field-types/index.ts';
import { Filters } from './filters.ts';
import { Names, pascal } from './names.ts';
import { newRegistry, type Registry } from './registry.ts';
import { type Context, resolveEntry, resolveList } from './resolve.ts';
import { META, RICH_TEXT_FORMAT, valueTypeOf } from './scalars.ts';

/** An entry, or a group of one: what a field is read from. */
type Source = Record<string, unknown>;
type Config = GraphQLFieldConfig<Source, Context>;
type RootConfig = GraphQLFieldConfig<unknown, Context>;

const RESERVED = ['Query', 'JSON', 'Date', 'DateTime', 'Decimal', 'Point', 'Asset', 'FocalPoint', 'EntryMeta'];
const BUILT_IN = ['RichTextFormat', 'String', 'Int', 'Float', 'Boolean', 'ID'];
const DEFAULT_PAGE = 20;

export interface BuiltSchema {
  schema: GraphQLSchema;
  registry: Registry;
}

/** The GraphQL schema of collections as everyone sees them. Names are those of keys and field IDs. @param collections public views */
export function buildSchema(collections: readonly Collection[]): BuiltSchema {
  return new Builder(collections).build();
}

class Builder {
  readonly #collections: readonly Collection[];
  readonly #registry = newRegistry();
  readonly #types = new Names([...RESERVED, ...BUILT_IN]);
  readonly #entries = new Map<string, GraphQLObjectType>();
  readonly #wheres = new Map<string, GraphQLInputObjectType>();

  constructor(collections: readonly Collection[]) {
    this.#collections = collections;
  }

  build(): BuiltSchema {
    const filters = new Filters(this.#registry, this.#types, (id) => this.#wheres.get(id));
    const roots = new Names();
    const fields: Record<string, RootConfig> = {};
    const named = this.#collections.map((collection) => {
      const name = collection.row.key ?? collection.publicId;
      const typeName = this.#types.take(pascal(name));
      this.#entries.set(collection.publicId, this.#entryType(typeName, collection));
      this.#registry.entries.set(collection.publicId, typeName);
      return { collection, name, typeName };
    });
    for (const { collection, typeName } of named) {
      this.#wheres.set(collection.publicId, filters.where(typeName, collection.fields, true));
    }
    for (const { collection, name, typeName } of named) {
      const type = this.#entries.get(collection.publicId);
      const where = this.#wheres.get(collection.publicId);
      if (!type || !where) continue;
      const reading = { locale: { type: GraphQLString }, richtext: { type: RICH_TEXT_FORMAT } };
      const { description } = collection.row;
      const about = { description: description ?? collection.row.name };
      if (isSingleton(collection)) {
        fields[roots.take(name)] = { ...about, type, args: reading, resolve: resolveEntry(collection, typeName) };
        continue;
      }
      fields[roots.take(name)] = {
        ...about,
        type: new GraphQLNonNull(this.#pageType(typeName, type)),
        args: {
          where: { type: where },
          sort: { type: new GraphQLList(new GraphQLNonNull(this.#sortType(typeName, collection))) },
          q: { type: GraphQLString, description: 'Words to search for' },
          first: { type: GraphQLInt, defaultValue: DEFAULT_PAGE, description: 'At most 100' },
          after: { type: GraphQLString, description: '`nextPageToken` of the page before' },
          ...reading,
        },
        resolve: resolveList(collection, typeName, where.name),
      };
      fields[roots.take(`${name}_by_id`)] = {
        type,
        args: { id: { type: new GraphQLNonNull(GraphQLID), description: 'ID or slug' }, ...reading },
        resolve: resolveEntry(collection, typeName),
      };
    }
    if (Object.keys(fields).length === 0) {
      fields._empty = { type: GraphQLString, description: 'No collection is public', resolve: () => null };
    }
    return {
      schema: new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) }),
      registry: this.#registry,
    };
  }

  #entryType(name: string, collection: Collection): GraphQLObjectType {
    const own: Record<string, Config> = {
      id: { type: new GraphQLNonNull(GraphQLID) },
      _meta: { type: new GraphQLNonNull(META), resolve: (entry) => entry },
    };
    return this.#objectType(name, collection.fields, own, (entry) => (entry.values ?? {}) as Source);
  }

  #objectType(
    name: string,
    fields: readonly NestedField[],
    own: Record<string, Config>,
    valuesOf: (source: Source) => Source,
  ): GraphQLObjectType {
    const names = new Names(Object.keys(own));
    const active = fields.filter((field) => isActive(field) && !field.id.startsWith('$'));
    const byName = new Map(active.map((field) => [names.take(field.id), field]));
    this.#registry.fields.set(name, byName);
    return new GraphQLObjectType<Source, Context>({
      name,
      fields: () => {
        const config: Record<string, Config> = { ...own };
        for (const [fieldName, field] of byName) {
          const type = this.#typeOf(`${name}_${field.id}`, field);
          if (!type) continue;
          const { id, label, repeated } = field;
          const isReference = typeOf(field).structure === 'reference';
          config[fieldName] = {
            type: repeated ? new GraphQLList(new GraphQLNonNull(type)) : type,
            description: label,
            ...(isReference && { args: this.#referenceArguments(field) }),
            resolve: (source) => {
              const value = valuesOf(source)[id] ?? null;
              return isReference ? expanded(value) : value;
            },
          };
        }
        if (Object.keys(config).length === 0) config._empty = { type: GraphQLString, resolve: () => null };
        return config;
      },
    });
  }

  #typeOf(name: string, field: NestedField): GraphQLOutputType | undefined {
    const { structure } = typeOf(field);
    if (field.blocks) return this.#blocksType(name, field);
    if (structure === 'fields') {
      const own: Record<string, Config> = field.rowIds ? { _id: { type: GraphQLID } } : {};
      return this.#objectType(this.#types.take(name), field.fields ?? [], own, (group) => group);
    }
    if (structure !== 'reference') return valueTypeOf(field);
    const targets = (field.collectionIds ?? []).flatMap((id) => this.#entries.get(id) ?? []);
    if (targets.length <= 1) return targets[0];
    return new GraphQLUnionType({
      name: this.#types.take(`${name}_entry`),
      types: targets,
      resolveType: (entry) => this.#registry.entries.get(String((entry as Source).collectionId)),
    });
  }

  #blocksType(name: string, field: NestedField): GraphQLOutputType | undefined {
    const types = new Map<string, string>();
    const objects = (field.blocks ?? []).filter(isActive).map((block) => {
      const typeName = this.#types.take(`${name}_${block.id}`);
      types.set(block.id, typeName);
      this.#registry.blocks.set(typeName, block.id);
      return this.#objectType(typeName, block.fields, { _id: { type: GraphQLID } }, (row) => row);
    });
    if (objects.length === 0) return undefined;
    const resolveType = (row: Source) => types.get(String(row._block));
    return new GraphQLUnionType({ name: this.#types.take(`${name}_block`), types: objects, resolveType });
  }

  #referenceArguments(field: NestedField) {
    const [only, ...others] = field.collectionIds ?? [];
    const where = others.length === 0 && only !== undefined ? this.#wheres.get(only) : undefined;
    return {
      ...(where && { where: { type: where } }),
      ...(field.repeated && {
        sort: { type: GraphQLString, description: 'Such as `title:asc`' },
        first: { type: GraphQLInt },
      }),
    };
  }

  #pageType(name: string, type: GraphQLObjectType): GraphQLObjectType {
    return new GraphQLObjectType({
      name: this.#types.take(`${name}Page`),
      fields: {
        items: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))),
          resolve: (page: Source) => page.entries,
        },
        nextPageToken: { type: GraphQLString },
        total: { type: GraphQLInt, description: 'How many entries match' },
      },
    });
  }

  #sortType(name: string, { fields, row }: Collection): GraphQLEnumType {
    const own = fields.filter((field) => isActive(field) && isSortable(field) && !field.id.startsWith('$'));
    const paths = new Set([
      ...own.map(({ id }) => id),
      'id',
      'createdAt',
      'publishedAt',
      ...(row.settings?.ordering ? ['position'] : []),
    ]);
    const names = new Names();
    const values = [...paths].flatMap((path) =>
      ['asc', 'desc'].map(
        (direction) => [names.take(`${path}_${direction}`), { value: `${path}:${direction}` }] as const,
      ),
    );
    return new GraphQLEnumType({
      name: this.#types.take(`${name}Sort`),
      values: { ...Object.fromEntries(values), relevance: { value: 'relevance' } },
    });
  }
}

/** References that were not expanded, as only their IDs are read. */
const expanded = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(expanded);
  return typeof value === 'string' ? { id: value, values: {} } : value;
};
