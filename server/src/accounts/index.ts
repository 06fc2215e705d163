import type { Deps, Module } from '../shared/deps.ts';
import { keyRoutes } from './key-routes.ts';

export type { Area } from './areas.ts';
export type { Access } from './authenticate.ts';
export { type Caller, guard } from './guard.ts';
export type { KeyType } from './key-format.ts';
export { KeyVerifier } from './key-verifier.ts';
export {
  createAccount,
  createKey,
  createKeyFor,
  listAccountKeys,
  revokeAccountKey,
  revokeKeyFor,
} from './manage-keys.ts';
export {
  type AccountRow,
  chooseDefaults,
  findAccount,
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
export { ACCOUNT_MOVED } from './revoke-everywhere.ts';
export { type Role, roleInsufficient, type Sessions, type SignedIn, signedOut } from './session-caller.ts';

export function accountsModule(deps: Deps): Module {
  return { routes: (app) => keyRoutes(app, deps), workers: [] };
}
