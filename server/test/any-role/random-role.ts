import { OWNERS, type World, type WorldCollection } from './world.ts';

export type Random = () => number;

/** Numbers that depend on the seed alone. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

export const ACTIONS = ['read', 'create', 'update', 'delete', 'publish', 'review'] as const;
export type Action = (typeof ACTIONS)[number];

export interface Permission {
  collection: string;
  actions: Action[];
  fields?: string[];
  exceptFields?: string[];
  where?: Condition;
  locales?: string[];
}

export type Condition = Record<string, unknown>;

export interface RandomRole {
  permissions: Permission[];
  features: Record<string, 'none' | 'read' | 'write'>;
}

/** A role that the service accepts: conditions are about fields that it reads, and whoever writes reads. */
export function randomRole(random: Random, world: World): RandomRole {
  const permissions: Permission[] = [];
  if (random() < 0.25)
    permissions.push({ collection: '*', actions: ['read', ...someOf(random, ACTIONS.slice(1), 0.4)] });
  for (const collection of world.collections) {
    if (random() < 0.2) continue;
    const read: Permission = { collection: collection.id, actions: ['read'], ...scope(random, collection) };
    const where = random() < 0.55 ? condition(random, collection, read) : undefined;
    if (where) read.where = where;
    const writes = someOf(random, ACTIONS.slice(1), 0.6);
    // Half of the roles write within other limits than they read.
    if (writes.length > 0 && random() < 0.5) {
      const write: Permission = { collection: collection.id, actions: writes, ...scope(random, collection) };
      const limit = random() < 0.5 ? condition(random, collection, read) : undefined;
      if (limit) write.where = limit;
      permissions.push(read, write);
    } else permissions.push({ ...read, actions: ['read', ...writes] });
  }
  const level = () => pick(random, ['none', 'read'] as const);
  const all = ['analytics', 'conversions', 'files', 'webhooks', 'destinations', 'members', 'schema'];
  const features = {
    ...Object.fromEntries(all.map((name) => [name, level()])),
    webhooks: pick(random, ['none', 'read', 'write'] as const),
  };
  return { permissions, features };
}

function someOf<Item>(random: Random, items: readonly Item[], share: number): Item[] {
  return items.filter(() => random() < share);
}

function scope(random: Random, { fields }: WorldCollection): Partial<Permission> {
  const ids = fields.map(({ id }) => id);
  const limit = random();
  const some = someOf(random, ids, 0.5);
  const locales = random() < 0.15 ? { locales: [pick(random, ['en', 'de'])] } : {};
  if (limit < 0.35) return { exceptFields: some, ...locales };
  if (limit < 0.55) return { fields: some, ...locales };
  return locales;
}

/** Whether a permission names a field. */
export const names = ({ fields, exceptFields }: Permission, id: string): boolean =>
  (!fields || fields.includes(id)) && !exceptFields?.includes(id);

function condition(random: Random, { fields }: WorldCollection, read: Permission): Condition | undefined {
  const known = fields.filter(({ id }) => names(read, id));
  const leaves = known.flatMap(({ id, kind, to }): Condition[] => {
    if (kind === 'owner') {
      const some = OWNERS.filter((owner) => owner !== null && random() < 0.6);
      return [
        { [id]: { eq: pick(random, ['me', 'them']) } },
        { [id]: { eq: { currentUser: true } } },
        { [id]: { in: some.length > 0 ? [...new Set(some)] : ['me'] } },
        { [id]: { exists: random() < 0.7 } },
        { not: { [id]: { eq: 'them' } } },
      ];
    }
    if (kind === 'number') return [{ [id]: { gt: 90_000_000.5 + Math.floor(random() * 2_000) } }];
    if (kind === 'reference' && to?.[0] === 'people') {
      return [{ [id]: { exists: true } }, { [`${id}.p_owner`]: { eq: pick(random, ['me', { currentUser: true }]) } }];
    }
    return [];
  });
  if (leaves.length === 0) return undefined;
  const [one, other] = [pick(random, leaves), pick(random, leaves)];
  const joined = random();
  return joined < 0.2 ? { or: [one, other] } : joined < 0.3 ? { and: [one, other] } : one;
}
