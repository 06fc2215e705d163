import { claimEndingKeys } from '../accounts/index.ts';
import { alertOwners } from '../mail/index.ts';
import type { Deps } from '../shared/deps.ts';
import { DAY } from '../shared/units.ts';

const WEEK_MS = 7 * DAY;
const MOST = 100;

/** Tells the owners of an account a week before one of its keys ends. */
export async function announceEndingKeys(deps: Deps): Promise<void> {
  const now = deps.clock();
  for (;;) {
    const keys = await claimEndingKeys(deps.control, {
      now: new Date(now),
      before: new Date(now + WEEK_MS),
      limit: MOST,
    });
    for (const { account_id, name, hint, expires_at } of keys) {
      const day = expires_at?.toISOString().slice(0, 10) ?? '';
      const time = expires_at?.toISOString() ?? '';
      await alertOwners(deps, account_id, (t) => ({
        subject: t('The API key "{name}" ends on {day}', { name, day }),
        text:
          `${t('The API key "{name}" (…{hint}) is refused from {time} on.', { name, hint, time })}\n\n` +
          `${t('Rotate it under Settings, API keys:')} ${deps.publicUrl()}/settings/keys\n`,
      }));
    }
    if (keys.length < MOST) return;
  }
}
