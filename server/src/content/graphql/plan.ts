import {
  type FieldNode,
  type GraphQLResolveInfo,
  getArgumentValues,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import type { NestedField } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';
import type { ExpandQuery } from '../query/contract.ts';
import { whereFrom } from './filters.ts';
import type { Registry } from './registry.ts';

/** What a request reads of entries: their fields, and the entries that they reference. */
export interface Plan {
  /** IDs of fields. */
  fields: Set<string>;
  references: Map<string, Reference>;
  /** Whether a reference has conditions, an order or a limit. */
  hasQueries: boolean;
}

interface Reference {
  isRepeated: boolean;
  where?: unknown;
  sort?: string;
  limit?: number;
  plan: Plan;
}

type PlanInfo = Pick<GraphQLResolveInfo, 'fragments' | 'schema' | 'variableValues'>;

const newPlan = (): Plan => ({ fields: new Set(), references: new Map(), hasQueries: false });

/** What the selections of an entry need. @param typeName of the entry */
export function planOf(
  registry: Registry,
  info: PlanInfo,
  typeName: string,
  selections: readonly (SelectionSetNode | undefined)[],
): Plan {
  const plan = newPlan();
  const walk = (set: SelectionSetNode | undefined, type: string, path: readonly string[], into: Plan): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind !== 'Field') {
        const fragment = selection.kind === 'FragmentSpread' ? info.fragments[selection.name.value] : selection;
        if (!fragment) continue;
        const condition = fragment.typeCondition?.name.value ?? type;
        const block = registry.fields.has(type) ? undefined : registry.blocks.get(condition);
        walk(fragment.selectionSet, condition, block === undefined ? path : [...path, block], into);
        continue;
      }
      const field = registry.fields.get(type)?.get(selection.name.value);
      if (!field) continue;
      if (path.length === 0) into.fields.add(field.id);
      visit(selection, field, type, [...path, field.id], into);
    }
  };
  const visit = (node: FieldNode, field: NestedField, parent: string, path: readonly string[], into: Plan): void => {
    const within = typeNameOf(info, parent, node.name.value);
    if (within === undefined) return;
    if (typeOf(field).structure !== 'reference') {
      walk(node.selectionSet, within, path, into);
      return;
    }
    const name = path.join('.');
    const known = into.references.get(name);
    const reference: Reference = known ?? { isRepeated: field.repeated ?? false, plan: newPlan() };
    const query = queryOf(registry, info, parent, node);
    if (!readsMore(node.selectionSet, registry.fields.has(within)) && !query) return;
    into.references.set(name, reference);
    if (query) {
      Object.assign(reference, query);
      into.hasQueries = true;
    }
    walk(node.selectionSet, within, [], reference.plan);
    if (reference.plan.hasQueries) into.hasQueries = true;
  };
  for (const set of selections) walk(set, typeName, [], plan);
  return plan;
}

/** Whether more is read of a reference than the ID that the entry has. */
const readsMore = (set: SelectionSetNode | undefined, isOneType: boolean) =>
  !isOneType ||
  set?.selections.some((each) => each.kind !== 'Field' || !['id', '__typename'].includes(each.name.value)) === true;

/** The name of the type of a field without lists. */
function typeNameOf(info: PlanInfo, parent: string, name: string): string | undefined {
  const type = info.schema.getType(parent);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field && String(field.type).replace(/[[\]!]/g, '');
}

function queryOf(registry: Registry, info: PlanInfo, parent: string, node: FieldNode) {
  if (!node.arguments?.length) return undefined;
  const type = info.schema.getType(parent);
  const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
  if (!field) return undefined;
  const { where, sort, first } = getArgumentValues(field, node, info.variableValues);
  const ofWhere = field.args.find(({ name }) => name === 'where');
  const condition = ofWhere && whereFrom(registry, String(ofWhere.type), where as Record<string, unknown> | undefined);
  return {
    ...(condition !== undefined && { where: condition }),
    ...(typeof sort === 'string' && { sort }),
    ...(typeof first === 'number' && { limit: first }),
  };
}

/** What `expand` of the query engine takes: paths, or queries by path if a reference has one. */
export function expandOf(plan: Plan): string | Record<string, ExpandQuery> | undefined {
  if (plan.references.size === 0) return undefined;
  if (!plan.hasQueries) return pathsOf(plan).join(',');
  return Object.fromEntries(
    [...plan.references].map(([path, { where, sort, limit, plan: nested }]): [string, ExpandQuery] => {
      const expand = expandOf(nested);
      return [
        path,
        {
          ...(where !== undefined && { where }),
          ...(sort !== undefined && { sort }),
          ...(limit !== undefined && { limit }),
          ...(expand !== undefined && { expand }),
        },
      ];
    }),
  );
}

const pathsOf = (plan: Plan): string[] =>
  [...plan.references].flatMap(([path, { plan: nested }]) => {
    const deeper = pathsOf(nested).map((each) => `${path}.${each}`);
    return deeper.length > 0 ? deeper : [path];
  });

/** How many entries reading one may take, with those that it references. */
export const costOf = ({ references }: Plan): number =>
  [...references.values()].reduce(
    (sum, { isRepeated, limit = 10, plan }) => sum + (isRepeated ? limit : 1) * costOf(plan),
    1,
  );
