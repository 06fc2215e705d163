export type Choice = 'granted' | 'denied';

/** A visitor's choices; undefined: not made, or not known. */
export interface Consent {
  ad_storage?: Choice;
  ad_user_data?: Choice;
  ad_personalization?: Choice;
}

export const PURPOSES = ['ad_storage', 'ad_user_data', 'ad_personalization'] as const;

/**
 * Reads the `consent` of a visit: choices by purpose, or the string of the IAB's framework under `tcf`, which fills in what
 * is not given. Whatever cannot be read is not recorded. Undefined if nothing is.
 */
export function readConsent(sent: unknown): Consent | undefined {
  if (sent === null || typeof sent !== 'object') return undefined;
  const members = sent as Record<string, unknown>;
  const consent = { ...(typeof members.tcf === 'string' && readTcf(members.tcf)) } as Consent;
  for (const purpose of PURPOSES) {
    const choice = members[purpose];
    if (choice === 'granted' || choice === 'denied') consent[purpose] = choice;
  }
  return Object.keys(consent).length > 0 ? consent : undefined;
}

const VERSION_BITS = 6;
/** Where the core segment of version 2 has the consent for purposes 1 to 24. */
const PURPOSES_BIT = 152;
const MAX_LENGTH = 8192;

/**
 * Purposes of the framework as Google's tags read them: 1 for storage, 1 and 7 for user data, 3 and 4 for personalization.
 */
function readTcf(text: string): Consent | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const core = Buffer.from(text.split('.', 1)[0] ?? '', 'base64url');
  if (core.length * 8 < PURPOSES_BIT + 24 || (core[0] ?? 0) >> (8 - VERSION_BITS) !== 2) return undefined;
  const has = (...purposes: number[]) =>
    purposes.every((purpose) => {
      const bit = PURPOSES_BIT + purpose - 1;
      return (((core[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    })
      ? 'granted'
      : 'denied';
  return { ad_storage: has(1), ad_user_data: has(1, 7), ad_personalization: has(3, 4) };
}
