import type { Collection, Field, Role as RoleOfAccount } from '@headwater/sdk';
import { t } from '../languages/translate.ts';
import { type AccountOfUser, useSession } from '../service/session.ts';

export type Permission = RoleOfAccount['permissions'][number];
export type Action = Permission['actions'][number];
export type Features = RoleOfAccount['features'];
export type Feature = keyof Features;
export type Level = Features[Feature];

const RANK: Record<Level, number> = { none: 0, read: 1, write: 2 };

/** Of members who are limited to an area. */
const FEATURES_OF_AREA: Record<'content' | 'analytics', readonly Feature[]> = {
  content: ['files', 'schema'],
  analytics: ['analytics', 'conversions'],
};

/** What a permission says of an action on a collection, else what that of all collections says. */
export function permissionFor(
  permissions: readonly Permission[],
  collectionId: string,
  action: Action,
): Permission | undefined {
  const of = (id: string) => permissions.find((each) => each.collection === id && each.actions.includes(action));
  return of(collectionId) ?? of('*');
}

/** What a member may do, as the service decides it. It is asked only so that nothing is offered in vain. */
export function rightsOf({ role, area, permissions, features }: AccountOfUser) {
  const own = area === 'analytics' ? [] : permissions;
  const uses = (feature: Feature, level: Level = 'read') =>
    RANK[features[feature]] >= RANK[level] && (area === null || FEATURES_OF_AREA[area].includes(feature));
  /** Whether an action is possible on some entries of a collection; without one, of any. */
  const may = (action: Action, collectionId?: string) =>
    collectionId === undefined
      ? own.some(({ actions }) => actions.includes(action))
      : permissionFor(own, collectionId, action) !== undefined;
  /** Why a field cannot be set; undefined: it can. @param mainLocale that of values without a locale in their name */
  const lockOf = (
    action: 'create' | 'update',
    { id: collectionId }: Pick<Collection, 'id'>,
    { id, localized }: Pick<Field, 'id' | 'localized'>,
    mainLocale: string | null | undefined,
  ): string | undefined => {
    const permission = permissionFor(own, collectionId, action);
    const [fieldId = '', locale] = id.split('@');
    if (permission?.fields?.includes(fieldId) === false || permission?.exceptFields?.includes(fieldId)) {
      return t('Locked: your role may not change this field.');
    }
    if (!permission?.locales || !localized) return undefined;
    const isNamed = permission.locales.includes(locale ?? mainLocale ?? '');
    return isNamed ? undefined : t('Locked: your role may not change this language.');
  };
  /** Imports and exports have all columns. */
  const readsAllOf = (collectionId: string) => {
    const read = permissionFor(own, collectionId, 'read');
    return read !== undefined && !read.fields && !read.exceptFields?.length && !read.where && !read.locales;
  };
  return {
    ...{ uses, may, lockOf },
    mayImport: (collectionId: string) =>
      readsAllOf(collectionId) && (may('create', collectionId) || may('update', collectionId)),
    isOwner: role === 'owner',
    /** Settings of tracking and sources of costs: owners, and roles of the account that change analytics. Editors do not. */
    managesAnalytics: role === 'owner' || (role === 'custom' && uses('analytics', 'write')),
  };
}
export type Rights = ReturnType<typeof rightsOf>;

export const useRights = (): Rights => rightsOf(useSession().account);
export const useMayWrite = (feature: Feature): boolean => useRights().uses(feature, 'write');
