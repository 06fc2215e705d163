export type { Access } from './authenticate.ts';
export { guard } from './guard.ts';
export type { KeyKind } from './key-format.ts';
export { type Caller, KeyVerifier } from './key-verifier.ts';
export { createAccount, createKey, listAccountKeys, revokeAccountKey } from './manage-keys.ts';
export { listAccounts } from './queries.ts';
