import type { KeyCaller } from '../key-verifier.ts';
import type { UserCaller } from '../session-caller.ts';
import { BUILT_IN_ROLES, NOTHING, TOKEN_GRANTS } from './built-in.ts';
import type { Grants } from './exceeds.ts';

/** Who may do something: a member or a key. */
export type Holder = Pick<KeyCaller, 'type' | 'role' | 'access'> | Pick<UserCaller, 'type' | 'role' | 'access'>;

/** Whether a caller decides what editors are held to, such as the review of a collection: owners, and tokens without a role. */
export const isGoverning = (caller: Holder): boolean =>
  !caller.access && (caller.role === 'owner' || (caller.type !== 'user' && caller.role === undefined));

/** What a caller may do, whatever kind of role it has. */
export function grantsOf(caller: Holder): Grants {
  if (caller.access) return caller.access;
  if (caller.type === 'secret' && caller.role === undefined) return TOKEN_GRANTS;
  return BUILT_IN_ROLES.find(({ key }) => key === caller.role) ?? NOTHING;
}
