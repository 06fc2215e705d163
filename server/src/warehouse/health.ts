import { alertOwners } from '../mail/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { MINUTE } from '../shared/units.ts';
import { recordFailure, type WarehouseRow } from './queries.ts';

const NOTIFY_AFTER = '3 hours';
const FIRST_DELAY_MS = 2 * MINUTE;
const LONGEST_DELAY_MS = 30 * MINUTE;

/**
 * An export failed: it waits and is repeated. Owners get a mail at once if the storage refused it, otherwise after three hours; what waits is
 * also in the alarm of queues.
 */
export async function exportFailed(
  deps: Deps,
  { account_id, id, fence, name, failures }: WarehouseRow,
  { words, isRefused }: { words: string; isRefused: boolean },
): Promise<void> {
  const { db, clock, log, publicUrl } = deps;
  const now = clock();
  const wait = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
  const [row] = await recordFailure(db, {
    ...{ account_id, id, fence, error: words, is_refused: isRefused },
    ...{ next: new Date(now + wait), notify_after: NOTIFY_AFTER, now: new Date(now) },
  });
  if (!row?.is_new) return;
  log.warn({ warehouse: publicId('whs', id) }, 'a warehouse refuses exports');
  const url = `${publicUrl()}/${publicId('acc', account_id)}/settings/warehouse`;
  await alertOwners(deps, account_id, (t) => ({
    subject: t('{name} refuses exports', { name }),
    text: t(
      'Nothing can be exported to {name}. The storage says: {words}\n\nNothing is lost: what changed since is exported once this is corrected:\n{url}\n',
      { name, words, url },
    ),
  }));
}
