import type { Action, Condition, Permission, RandomRole } from './random-role.ts';
import { names } from './random-role.ts';
import type { Mark, World, WorldCollection } from './world.ts';

/** What the owner sees of an entry. */
export interface Stored {
  id: string;
  collection: string;
  version: number;
  status: 'active' | 'deleted';
  values: Record<string, unknown>;
  /** What is published of it. */
  published: Record<string, unknown> | null;
  /** Of a tree: where it is. */
  parentId: string | null;
  position: string | null;
}

export type Snapshot = Map<string, Stored>;

/** What a role may do, decided by the letter of its permissions on entries in memory. */
export class Oracle {
  readonly role: RandomRole;
  readonly #world: World;
  #entries: Snapshot = new Map();

  constructor(role: RandomRole, world: World) {
    this.role = role;
    this.#world = world;
  }

  /** Everything is as the owner has read it last. */
  set entries(entries: Snapshot) {
    this.#entries = entries;
  }

  get entries(): Snapshot {
    return this.#entries;
  }

  permission(collection: string, action: Action): Permission | undefined {
    const id = this.#world.collections.find(({ key }) => key === collection)?.id;
    const of = (name: string | undefined) =>
      this.role.permissions.find((each) => each.collection === name && each.actions.includes(action));
    return of(id) ?? of('*');
  }

  readsField(collection: string, field: string, locale?: string): boolean {
    const read = this.permission(collection, 'read');
    return read !== undefined && this.#covers(read, collection, field, locale);
  }

  /** @param locale of a value; undefined: the default */
  mayWrite(collection: string, action: 'create' | 'update', name: string): boolean {
    const [field = '', locale] = name.split('@');
    const permission = this.permission(collection, action);
    // Of what it does not read, not even the name is known to it.
    return (
      permission !== undefined &&
      this.#covers(permission, collection, field, locale) &&
      this.readsField(collection, field, locale)
    );
  }

  #covers(permission: Permission, collection: string, field: string, locale: string | undefined): boolean {
    const known = this.#collection(collection)?.fields.find(({ id }) => id === field);
    if (!known || !names(permission, field)) return false;
    return known.kind !== 'localized' || !permission.locales || permission.locales.includes(locale ?? 'en');
  }

  /** Whether values of an entry match the condition of an action. */
  meets(collection: string, action: Action, values: Record<string, unknown>): boolean {
    const permission = this.permission(collection, action);
    return permission !== undefined && (!permission.where || this.#holds(permission.where, values));
  }

  /** Whether an entry exists for the role as a draft, or in what is published. */
  sees(entry: Stored, state: 'draft' | 'published' = 'draft'): boolean {
    const values =
      state === 'draft' || !this.#collection(entry.collection)?.publishing ? entry.values : entry.published;
    return values !== null && this.meets(entry.collection, 'read', values);
  }

  /** Whether a mark may be in a response: where it is from, or where who asks has written it as well. */
  mayShow(text: string): boolean {
    const mark = this.#world.marks.get(text);
    return !mark || this.#mayShowAt(mark) || this.#isWrittenElsewhere(text);
  }

  /** An entry that has the code of a deleted one, for example. What shows it first is judged before it is among the entries. */
  #isWrittenElsewhere(text: string): boolean {
    return [...this.#entries.values()].some((entry) => {
      const isShown = ([name, value]: [string, unknown]) => value === text && this.readsField(entry.collection, name);
      return Object.entries(entry.values).some(isShown) && this.sees(entry);
    });
  }

  #mayShowAt(mark: Mark): boolean {
    const { collection, entry: id, field, locale, isPublished } = mark;
    if (!this.permission(collection, 'read')) return false;
    if (field !== undefined && !this.readsField(collection, field, locale)) {
      // The label of a localized field belongs to all of its locales.
      const isLabel = id === undefined && ['en', 'de'].some((each) => this.readsField(collection, field, each));
      if (!isLabel) return false;
    }
    if (id === undefined) return true;
    const entry = this.#entries.get(id);
    if (!entry) return false;
    return this.sees(entry) || (isPublished && entry.published !== null && this.sees(entry, 'published'));
  }

  /** The entries of a collection that a list shows. */
  visible({ key }: WorldCollection, state: 'draft' | 'published' = 'draft'): Stored[] {
    return [...this.#entries.values()].filter(
      (entry) => entry.collection === key && entry.status === 'active' && this.sees(entry, state),
    );
  }

  #collection(key: string): WorldCollection | undefined {
    return this.#world.collections.find((each) => each.key === key);
  }

  #holds(condition: Condition, values: Record<string, unknown>): boolean {
    return Object.entries(condition).every(([name, operand]) => {
      if (name === 'or') return (operand as Condition[]).some((each) => this.#holds(each, values));
      if (name === 'and') return (operand as Condition[]).every((each) => this.#holds(each, values));
      if (name === 'not') return !this.#holds(operand as Condition, values);
      const [field = '', ...rest] = name.split('.');
      if (rest.length > 0) {
        const target = this.#entries.get(String(values[field]));
        const isThere = target?.status === 'active';
        return isThere && this.#holds({ [rest.join('.')]: operand }, target.values);
      }
      const [[operator, wanted] = []] = Object.entries(operand as Record<string, unknown>);
      const value = values[field] ?? null;
      if (operator === 'eq') return value === (isCurrentUser(wanted) ? this.#world.me : wanted);
      if (operator === 'in') return (wanted as unknown[]).includes(value);
      if (operator === 'gt') return typeof value === 'number' && value > (wanted as number);
      if (operator === 'exists') return (value !== null) === wanted;
      throw new Error(`the oracle does not know ${operator}`);
    });
  }
}

const isCurrentUser = (operand: unknown) => typeof operand === 'object' && operand !== null && 'currentUser' in operand;
