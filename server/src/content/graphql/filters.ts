import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import { type Field, isActive, type NestedField } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';
import { operatorsOf } from '../query/operators.ts';
import { Names } from './names.ts';
import type { FilterMember, Registry } from './registry.ts';
import { DATE_TIME, valueTypeOf } from './scalars.ts';

const LISTS = new Set(['in', 'nin', 'all', 'between']);
const TEXTS = new Set(['contains', 'ieq', 'startsWith', 'endsWith', 'near']);
const QUANTIFIERS = ['some', 'every', 'none'];

type Config = Record<string, GraphQLInputFieldConfig>;

/** Makes the input types of conditions. */
export class Filters {
  readonly #registry: Registry;
  readonly #types: Names;
  readonly #made = new Map<string, GraphQLInputObjectType>();
  readonly #whereOf: (collectionId: string) => GraphQLInputObjectType | undefined;

  /** @param whereOf the conditions on entries of a collection, if everyone can read it */
  constructor(registry: Registry, types: Names, whereOf: (collectionId: string) => GraphQLInputObjectType | undefined) {
    this.#registry = registry;
    this.#types = types;
    this.#whereOf = whereOf;
  }

  /** The conditions on entries, or on groups and rows of them. @param isEntry whether they have IDs and times */
  where(typeName: string, fields: readonly NestedField[], isEntry: boolean): GraphQLInputObjectType {
    const name = this.#types.take(`${typeName}Where`);
    const members = new Map<string, FilterMember>();
    this.#registry.filters.set(name, members);
    const made: GraphQLInputObjectType = new GraphQLInputObjectType({
      name,
      fields: () => {
        const config: Config = {
          and: { type: listOf(made) },
          or: { type: listOf(made) },
          not: { type: made },
        };
        const names = new Names(Object.keys(config));
        if (isEntry) {
          for (const [id, type] of [
            ['id', GraphQLID],
            ['createdAt', DATE_TIME],
            ['publishedAt', DATE_TIME],
          ] as const) {
            if (fields.some((field) => field.id === id)) continue;
            members.set(names.take(id), { id, kind: 'value' });
            const operators = id === 'id' ? ['eq', 'ne', 'in', 'nin'] : ['lt', 'lte', 'gt', 'gte', 'between'];
            config[id] = { type: this.#operators(type, operators) };
          }
        }
        for (const field of fields.filter(isActive)) {
          const type = this.#member(typeName, field);
          if (!type) continue;
          const member = names.take(field.id);
          members.set(member, type.member);
          config[member] = { type: type.type, description: field.label };
        }
        return config;
      },
    });
    return made;
  }

  #member(typeName: string, field: NestedField): { type: GraphQLInputType; member: FilterMember } | undefined {
    const { id, repeated = false } = field;
    const { structure } = typeOf(field);
    const nested = `${typeName}_${id}`;
    if (field.blocks) {
      const blocks = field.blocks.filter(isActive).filter(({ fields }) => fields.some(isActive));
      if (blocks.length === 0) return undefined;
      const name = this.#types.take(`${nested}Where`);
      const members = new Map<string, FilterMember>();
      const config: Config = {};
      const names = new Names();
      for (const block of blocks) {
        const type = this.where(`${nested}_${block.id}`, block.fields, false);
        const member = names.take(block.id);
        members.set(member, { id: block.id, kind: 'group', within: type.name });
        config[member] = { type };
      }
      this.#registry.filters.set(name, members);
      return {
        type: new GraphQLInputObjectType({ name, fields: config }),
        member: { id, kind: 'group', within: name },
      };
    }
    if (structure === 'fields') {
      if (!field.fields?.some(isActive)) return undefined;
      const type = this.where(nested, field.fields, false);
      if (!repeated) return { type, member: { id, kind: 'group', within: type.name } };
      const rows = Object.fromEntries(QUANTIFIERS.map((each) => [each, { type }]));
      const name = this.#types.take(`${nested}Rows`);
      return {
        type: new GraphQLInputObjectType({ name, fields: rows }),
        member: { id, kind: 'rows', within: type.name },
      };
    }
    const operators: string[] = operatorsOf({ repeated: false, fields: null, ...field } as Field).filter(
      (each) => !QUANTIFIERS.includes(each),
    );
    if (operators.length === 0) return undefined;
    if (structure !== 'reference') {
      const type = valueTypeOf(field);
      const scalar = type instanceof GraphQLScalarType ? type : GraphQLString;
      return { type: this.#operators(scalar, operators), member: { id, kind: 'value' } };
    }
    const [only, ...others] = field.collectionIds ?? [];
    const target = others.length === 0 && only !== undefined ? this.#whereOf(only) : undefined;
    if (!target) return { type: this.#operators(GraphQLID, operators), member: { id, kind: 'value' } };
    const name = this.#types.take(`${nested}Reference`);
    const config = this.#config(GraphQLID, operators);
    const type = new GraphQLInputObjectType({ name, fields: { ...config, where: { type: target } } });
    return { type, member: { id, kind: 'reference', within: target.name } };
  }

  /** One input type for all fields with the same operators. */
  #operators(scalar: GraphQLScalarType, operators: readonly string[]): GraphQLInputObjectType {
    const key = `${scalar.name} ${operators.join(' ')}`;
    const known = this.#made.get(key);
    if (known) return known;
    const name = this.#types.take(`${scalar.name}Filter`);
    const made = new GraphQLInputObjectType({ name, fields: this.#config(scalar, operators) });
    this.#made.set(key, made);
    return made;
  }

  #config(scalar: GraphQLScalarType, operators: readonly string[]): Config {
    const typeOfOperator = (operator: string) => {
      if (operator === 'exists') return GraphQLBoolean;
      if (LISTS.has(operator)) return listOf(scalar);
      return TEXTS.has(operator) ? GraphQLString : scalar;
    };
    return Object.fromEntries(operators.map((operator) => [operator, { type: typeOfOperator(operator) }]));
  }
}

const listOf = (type: GraphQLInputType) => new GraphQLList(new GraphQLNonNull(type));

type Input = Record<string, unknown>;

/** A condition of a request as the query engine takes it; undefined: none. @param prefix of its paths */
export function whereFrom(registry: Registry, typeName: string, input: Input | null | undefined, prefix = ''): unknown {
  const members = registry.filters.get(typeName);
  const parts: unknown[] = [];
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === null || value === undefined) continue;
    const member = members?.get(name);
    if (!member) {
      const nested = [value].flat().flatMap((each) => whereFrom(registry, typeName, each as Input, prefix) ?? []);
      if (name === 'not') parts.push(...nested.map((each) => ({ not: each })));
      else if (name === 'or' || nested.length > 0) parts.push({ [name]: nested });
      continue;
    }
    const path = prefix + member.id;
    const { where: entry, ...operators } = value as Input;
    if (member.kind === 'value') parts.push({ [path]: value });
    else if (member.kind === 'group') parts.push(whereFrom(registry, member.within ?? '', value as Input, `${path}.`));
    else if (member.kind === 'reference') {
      if (Object.keys(operators).length > 0) parts.push({ [path]: operators });
      parts.push(whereFrom(registry, member.within ?? '', entry as Input, `${path}.`));
    } else {
      for (const [quantifier, row] of Object.entries(value as Input)) {
        const within = whereFrom(registry, member.within ?? '', row as Input);
        if (within !== undefined) parts.push({ [path]: { [quantifier]: within } });
      }
    }
  }
  const found = parts.filter((part) => part !== undefined);
  return found.length > 1 ? { and: found } : found[0];
}
