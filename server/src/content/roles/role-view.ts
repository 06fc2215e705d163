import { type Action, permissionFor, type RoleAccess } from '../../accounts/index.ts';
import { notFound } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import {
  type Collection,
  type CollectionAccess,
  type CollectionRow,
  fieldsById,
  publishedView,
  type SchemaView,
} from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import { STALE } from '../collections/stale.ts';
import { pathsOf } from '../entries/computed-values.ts';
import { ALL } from '../query/where.ts';
import { conditionOf, namesField } from './collection-access.ts';
import { hasReferences, parseConditions } from './conditions.ts';
import { masked } from './mask-faults.ts';

const ALL_ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete', 'publish', 'review'];

/** Views by what they are made for, of each version of a collection. */
const views = new WeakMap<Collection, Map<string, Collection>>();

/**
 * The schema as a role sees it: collections that it may not read do not exist, fields that it may not read are unknown, and
 * entries that do not match its conditions are not found by any statement.
 */
export class RoleView implements SchemaView {
  readonly access: RoleAccess;
  readonly #stored: SchemaView;

  constructor(stored: SchemaView, access: RoleAccess) {
    this.#stored = stored;
    this.access = access;
  }

  use<T>(
    tx: Tx,
    accountId: string,
    id: string,
    operation: (collection: Collection) => Promise<T | typeof STALE>,
  ): Promise<T> {
    return this.#stored.use(tx, accountId, id, async (stored) => {
      const view = await this.#viewOf(tx, accountId, stored);
      if (!view) throw notFound('collection');
      return operation(view).catch((error: unknown) => {
        throw masked(view, error);
      });
    });
  }

  async load(tx: Tx, accountId: string, versions: ReadonlyMap<string, number>) {
    const loaded = await this.#stored.load(tx, accountId, versions);
    if (loaded === STALE) return STALE;
    const found = new Map<string, Collection>();
    for (const [id, stored] of loaded) {
      const view = await this.#viewOf(tx, accountId, stored);
      if (view) found.set(id, view);
    }
    return found;
  }

  async loadCurrent(tx: Tx, accountId: string, publicIds: readonly string[], isFresh: boolean): Promise<Collection[]> {
    const loaded = await this.#stored.loadCurrent(tx, accountId, publicIds, isFresh);
    const found: Collection[] = [];
    for (const stored of loaded) {
      const view = await this.#viewOf(tx, accountId, stored);
      if (view) found.push(view);
    }
    return found;
  }

  async read(tx: Tx, accountId: string, row: CollectionRow): Promise<Collection | undefined> {
    const stored = await this.#stored.read(tx, accountId, row);
    return stored && this.#viewOf(tx, accountId, stored);
  }

  async #viewOf(tx: Tx, accountId: string, stored: Collection): Promise<Collection | undefined> {
    const { roleId, version, permissions, subject, email } = this.access;
    if (!permissionFor(permissions, stored.publicId, 'read')) return undefined;
    const key = `${roleId} ${version} ${subject} ${email ?? ''}`;
    const known = views.get(stored) ?? new Map<string, Collection>();
    views.set(stored, known);
    const found = known.get(key);
    if (found) return found;
    const access = await this.#accessTo(tx, accountId, stored);
    const view = restricted(stored, access);
    // Conditions on referenced entries depend on other collections, which change apart.
    const isLasting = !ALL_ACTIONS.some((action) => hasReferences(conditionOf({ access }, action) ?? ALL));
    if (isLasting) {
      if (known.size >= MOST_VIEWS) known.clear();
      known.set(key, view);
    }
    return view;
  }

  async #accessTo(tx: Tx, accountId: string, stored: Collection): Promise<CollectionAccess> {
    const permissions = Object.fromEntries(
      ALL_ACTIONS.flatMap((action) => {
        const permission = permissionFor(this.access.permissions, stored.publicId, action);
        return permission ? [[action, permission]] : [];
      }),
    );
    const conditionsOf = (state: 'draft' | 'published', collection: Collection) =>
      parseConditions(tx, accountId, this.#stored, this.access, { collection, state, permissions });
    const access: CollectionAccess = {
      ...{ schema: this, whole: stored, state: 'draft' as const, permissions },
      conditions: await conditionsOf('draft', stored),
    };
    if (!stored.publishing) return { ...access, published: access };
    const whole = publishedView(stored);
    const conditions = await conditionsOf('published', whole);
    return { ...access, published: { ...access, whole, state: 'published', conditions } };
  }
}

/** Of one version of a collection: roles, and their users where conditions name these. */
const MOST_VIEWS = 500;

/** A collection in which what a role may not read is like deleted, and not even named. */
function restricted(stored: Collection, access: CollectionAccess): Collection {
  const { read } = access.permissions;
  const hidden = new Set<string>();
  const marked = stored.fields.map((field): Field => {
    const reason = read && namesField(read, stored, field);
    if (!reason) return field;
    hidden.add(field.id);
    return { ...field, status: 'deleted', hidden: reason };
  });
  if (hidden.size === 0) return { ...stored, access };
  const fields = marked.map((field) => {
    if (field.hidden) return field;
    const isMadeOfHidden = pathsOf(field.computed ?? '').some((path) => hidden.has(path.split('.')[0] ?? ''));
    if (!isMadeOfHidden) return withoutNames(field, hidden);
    hidden.add(field.id);
    return { ...field, status: 'deleted' as const, hidden: 'field' as const };
  });
  const { row } = stored;
  const isShown = (id: string | null | undefined) => id == null || !hidden.has(id);
  const default_sort = isShown(row.default_sort?.fieldId) ? row.default_sort : null;
  const display_field_id = isShown(row.display_field_id) ? row.display_field_id : null;
  const { uniqueTogether, urlPattern, ...others } = row.settings ?? {};
  const tuples = uniqueTogether?.filter(({ fieldIds }) => fieldIds.every(isShown));
  const settings = row.settings && {
    ...others,
    ...(tuples && tuples.length > 0 && { uniqueTogether: tuples }),
    ...(urlPattern !== undefined && pathsOf(urlPattern).every((path) => isShown(path.split('.')[0])) && { urlPattern }),
  };
  const byId = fieldsById(fields);
  return {
    ...stored,
    row: { ...row, fields, default_sort, display_field_id, settings },
    ...{ fields, byId, hasDeletedFields: true, access },
    uniqueFields: stored.uniqueFields.filter(({ id }) => isShown(id)),
    uniqueTuples: stored.uniqueTuples.filter((tuple) => tuple.fields.every(({ id }) => isShown(id))),
  };
}

/** A field without settings that name hidden ones. */
function withoutNames(field: Field, hidden: ReadonlySet<string>): Field {
  const { slugSource, visibleWhen, ...rest } = field;
  const text = JSON.stringify(visibleWhen ?? {});
  const isNamed = [...hidden].some((id) => text.includes(`"${id}"`) || text.includes(`"${id}.`));
  return {
    ...rest,
    ...(slugSource !== undefined && !hidden.has(slugSource) && { slugSource }),
    ...(visibleWhen && !isNamed && { visibleWhen }),
  };
}
