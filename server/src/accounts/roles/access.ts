import { publicId } from '../../shared/ids.ts';
import type { Action, Feature, Features, Level, Permission } from './contract.ts';

/**
 * What a caller with a role that the account defines may do. Callers with built-in roles have none: their content has no limits.
 * Plain data, which can be sent to a thread.
 */
export interface RoleAccess {
  /** UUID of the role. */
  roleId: string;
  version: number;
  permissions: readonly Permission[];
  features: Features;
  /** What `{"currentUser": true}` stands for: the ID of a user or a key. */
  subject: string;
  /** The same for fields with emails: the address of the user once it is confirmed. */
  email: string | null;
}

/** A role as a statement reads it beside its member or key. */
export interface RoleColumns {
  role_id: string | null;
  role_version: number | null;
  permissions: Permission[] | null;
  features: Features | null;
}
export const ROLE_COLUMNS =
  'own_role.id as role_id, own_role.version as role_version, own_role.permissions, own_role.features';

export function accessOf(
  { role_id, role_version, permissions, features }: RoleColumns,
  subject: readonly ['usr' | 'key', string],
  email: string | null = null,
): RoleAccess | undefined {
  if (role_id === null || role_version === null || permissions === null || features === null) return undefined;
  const usable = mayHaveSchema(permissions) ? features : { ...features, schema: atMostRead(features.schema) };
  return {
    roleId: role_id,
    version: role_version,
    permissions,
    features: usable,
    subject: publicId(...subject),
    email,
  };
}

/** What a role may do with the entries of a collection (public ID): what is said of the collection, else of all. */
export function permissionFor(
  permissions: readonly Permission[],
  collection: string,
  action: Action,
): Permission | undefined {
  const of = (name: string) => permissions.find((each) => each.collection === name && each.actions.includes(action));
  return of(collection) ?? of('*');
}

/** Whether a role may change the schema: it could make public what it may not read. */
export const mayHaveSchema = (permissions: readonly Permission[]): boolean => readsEverything({ permissions });
const atMostRead = (level: Level): Level => (level === 'write' ? 'read' : level);

/** Whether a role reads all entries of all collections. */
export const readsEverything = (access: Pick<RoleAccess, 'permissions'> | undefined): boolean =>
  !access ||
  (permissionFor(access.permissions, '*', 'read') !== undefined &&
    access.permissions.every((each) => !each.actions.includes('read') || isUnlimited(each)));

/** Whether a permission is for all fields, entries and locales. */
export const isUnlimited = ({ fields, exceptFields, where, locales }: Permission): boolean =>
  !fields && !exceptFields?.length && !where && !locales;

const RANK: Record<Level, number> = { none: 0, read: 1, write: 2 };

export const mayUseFeature = (features: Features, feature: Feature, level: Level): boolean =>
  RANK[features[feature]] >= RANK[level];
