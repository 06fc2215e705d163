import { GraphQLError, type GraphQLFieldResolver, type SelectionSetNode } from 'graphql';
import { ApiError } from '../../shared/errors.ts';
import { readJson } from '../../shared/json.ts';
import type { Collection } from '../collections/collection.ts';
import { type Delivery, SINGLETON } from '../delivery/delivery.ts';
import type { RichTextFormat } from '../entries/present-rich-text.ts';
import { isSingleton } from '../entries/singleton.ts';
import { whereFrom } from './filters.ts';
import { costOf, expandOf, planOf } from './plan.ts';
import type { Registry } from './registry.ts';

/** What the resolvers of a request share. */
export interface Context {
  delivery: Delivery;
  accountId: string;
  registry: Registry;
  /** The collections that the response depends on (UUIDs). */
  collectionIds: Set<string>;
  /** How many entries may still be read. */
  budget: number;
}

/** Entries that a request may read, as far as its text tells. */
export const MAX_COST = 5_000;
const MAX_PAGE = 100;

type Resolver = GraphQLFieldResolver<unknown, Context>;

interface ListArguments {
  where?: Record<string, unknown> | null;
  sort?: string[] | null;
  q?: string | null;
  first: number;
  after?: string | null;
  locale?: string | null;
  richtext?: RichTextFormat | null;
}

function spend(context: Context, cost: number): void {
  context.budget -= cost;
  if (context.budget >= 0) return;
  const message = `The query may read more than ${MAX_COST} entries. Ask for fewer with "first", or for fewer references.`;
  throw new GraphQLError(message, { extensions: { code: 'query_too_expensive' } });
}

/** One query of the engine, whatever is selected of its entries. */
export const resolveList =
  (collection: Collection, typeName: string, whereName: string): Resolver =>
  async (_source, args, context, info) => {
    const { where, sort, q, first, after, locale, richtext } = args as ListArguments;
    if (first < 1 || first > MAX_PAGE) {
      throw new GraphQLError(`"first" must be between 1 and ${MAX_PAGE}.`, { extensions: { code: 'out_of_range' } });
    }
    const pages = info.fieldNodes.map(({ selectionSet }) => selectionSet);
    const items = membersOf(pages, 'items', info.fragments);
    const plan = planOf(context.registry, info, typeName, items);
    spend(context, first * costOf(plan));
    context.collectionIds.add(collection.id);
    const condition = whereFrom(context.registry, whereName, where);
    const expand = expandOf(plan);
    const isCounted = membersOf(pages, 'total', info.fragments, true).length > 0;
    const body = await context.delivery.query(context.accountId, collection.publicId, {
      pageSize: first,
      // An entry always has its ID.
      select: plan.fields.size > 0 ? [...plan.fields].join(',') : 'id',
      ...(condition !== undefined && { where: condition }),
      ...(sort?.length && { sort: sort.join(',') }),
      ...(q != null && { q }),
      ...(after != null && { pageToken: after }),
      ...(locale != null && { locale }),
      ...(richtext != null && { richtext }),
      ...(isCounted && { count: 'exact' as const }),
      ...(expand !== undefined && { expand }),
    });
    return readJson(body.toString());
  };

/** An entry by its ID or slug, or that of a singleton; null if there is none. */
export const resolveEntry =
  (collection: Collection, typeName: string): Resolver =>
  async (_source, args, context, info) => {
    const { id = SINGLETON, locale, richtext } = args as { id?: string; locale?: string; richtext?: RichTextFormat };
    const sets = info.fieldNodes.map(({ selectionSet }) => selectionSet);
    const plan = planOf(context.registry, info, typeName, sets);
    spend(context, costOf(plan));
    context.collectionIds.add(collection.id);
    const expand = expandOf(plan);
    if (typeof expand === 'object') {
      const message = 'References of a single entry take no arguments. Use the list with a condition on "id".';
      throw new GraphQLError(message, { extensions: { code: 'arguments_not_allowed' } });
    }
    const path = { collectionId: collection.publicId, entryId: isSingleton(collection) ? SINGLETON : id };
    try {
      const { body } = await context.delivery.get(context.accountId, path, {
        expand,
        locale: locale ?? undefined,
        richtext: richtext ?? undefined,
      });
      return readJson(body.toString());
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  };

/** The selections of a member, through fragments; with `isLeaf`, also of one that has none. */
function membersOf(
  sets: readonly (SelectionSetNode | undefined)[],
  name: string,
  fragments: Parameters<Resolver>[3]['fragments'],
  isLeaf = false,
): (SelectionSetNode | undefined)[] {
  return sets.flatMap((set): (SelectionSetNode | undefined)[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.kind === 'Field') {
        if (selection.name.value !== name) return [];
        return selection.selectionSet || isLeaf ? [selection.selectionSet] : [];
      }
      const fragment = selection.kind === 'FragmentSpread' ? fragments[selection.name.value] : selection;
      return membersOf([fragment?.selectionSet], name, fragments, isLeaf);
    }),
  );
}
