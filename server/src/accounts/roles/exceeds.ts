import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../../shared/errors.ts';
import { mayUseFeature, permissionFor } from './access.ts';
import { ACTIONS, FEATURES, type Features, type Permission } from './contract.ts';

/** What somebody may do, to compare it with what they let others do. */
export interface Grants {
  permissions: readonly Permission[];
  features: Features;
}

/** Where a role grants more than its maker has. */
export function excessOf(granted: Grants, own: Grants): Fault[] {
  const faults: Fault[] = [];
  for (const name of FEATURES) {
    if (mayUseFeature(own.features, name, granted.features[name])) continue;
    const detail = `You have no ${granted.features[name]} access to ${name}, so no role that you make or assign can have it.`;
    faults.push({ pointer: `/features/${name}`, code: 'role_exceeds_own', detail });
  }
  for (const [i, permission] of granted.permissions.entries()) {
    for (const action of ACTIONS) {
      if (!permission.actions.includes(action) || isWithin(permission, granted.permissions, own.permissions, action))
        continue;
      const detail = `You may not ${action} all of this, so no role that you make or assign can.`;
      faults.push({ pointer: `/permissions/${i}`, code: 'role_exceeds_own', detail });
      break;
    }
  }
  return faults;
}

/** Whether an action on what a permission names is within one of the maker. */
function isWithin(
  permission: Permission,
  granted: readonly Permission[],
  own: readonly Permission[],
  action: Permission['actions'][number],
): boolean {
  if (permission.collection !== '*') return covers(permissionFor(own, permission.collection, action), permission);
  if (!covers(permissionFor(own, '*', action), permission)) return false;
  // What the maker has less of in some collections, the role must name as well.
  return own.every(
    ({ collection, actions }) =>
      collection === '*' ||
      !actions.includes(action) ||
      granted.some((each) => each.collection === collection && each.actions.includes(action)) ||
      covers(permissionFor(own, collection, action), permission),
  );
}

/** Conditions are only compared as they are written: other ones are refused, since one may be wider. */
function covers(own: Permission | undefined, granted: Permission): boolean {
  if (!own) return false;
  if (own.where && !isDeepStrictEqual(own.where, granted.where)) return false;
  if (own.locales && !granted.locales?.every((locale) => own.locales?.includes(locale))) return false;
  if (own.fields) return granted.fields?.every((field) => own.fields?.includes(field)) === true;
  if (!own.exceptFields) return true;
  if (granted.fields) return granted.fields.every((field) => !own.exceptFields?.includes(field));
  return own.exceptFields.every((field) => granted.exceptFields?.includes(field));
}
