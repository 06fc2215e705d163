/**
 * Accounts, their API keys and roles, and who a request comes from. Its tables: account_moves, accounts, api_keys,
 * cells, roles.
 */
import type { Deps, Module } from '../shared/deps.ts';
import { keyRoutes } from './key-routes.ts';

export type { Area } from './areas.ts';
export type { Access } from './authenticate.ts';
export { type Caller, guard } from './guard.ts';
export type { KeyType } from './key-format.ts';
export { KeyVerifier } from './key-verifier.ts';
export { ACCOUNT_LIMITS } from './limits.ts';
export {
  assignedKeyRole,
  createAccount,
  createKey,
  createKeyFor,
  giveToken,
  listAccountKeys,
  revokeAccountKey,
  revokeKeyFor,
} from './manage-keys.ts';
export {
  type AccountRow,
  chooseDefaults,
  claimEndingKeys,
  findAccount,
  findKeyRole,
  findPublishableKey,
  findTimeOfMove,
  insertAccount,
  listAccounts,
  listDeletedAccounts,
  lockAccount,
  markAccountDeleted,
  updateAccount,
} from './queries.ts';
export { type ReportingSettings, readReportingSettings } from './reporting-settings.ts';
export { ACCOUNT_MOVED, KEY_FORGOTTEN, KEY_REVOKED } from './revoke-everywhere.ts';
export {
  accessOf,
  isUnlimited,
  mayHaveSchema,
  mayUseFeature,
  permissionFor,
  ROLE_COLUMNS,
  type RoleAccess,
  type RoleColumns,
  readsEverything,
} from './roles/access.ts';
export { assignedRole, excessOver, refuseHigher, roleIdOf } from './roles/assign-role.ts';
export { BUILT_IN_ROLES, featuresOf } from './roles/built-in.ts';
export {
  type Action,
  type Feature,
  Features,
  NewRole,
  Permission,
  RoleChange,
  RoleList,
  RolePath,
  RoleResponse,
} from './roles/contract.ts';
export { excessOf, type Grants } from './roles/exceeds.ts';
export { grantsOf, type Holder, isGoverning } from './roles/grants.ts';
export {
  clearRoleKeys,
  deleteRole,
  findRole,
  insertRole,
  listRoles,
  lockRole,
  lockRoles,
  type RoleRow,
  updateRole as updateRoleRow,
} from './roles/queries.ts';
export {
  CONFIRMED_MS,
  type FoundMember,
  notGranted,
  type Role,
  refuseSso,
  roleInsufficient,
  type Sessions,
  type SignedIn,
  signedOut,
  viewOnly,
} from './session-caller.ts';

export function accountsModule(deps: Deps): Module {
  return { routes: (app) => keyRoutes(app, deps), workers: [] };
}
