import type { Deps } from '../../shared/deps.ts';
import { firstUuidAt, publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';
import type { Live } from './contract.ts';
import { countLiveVisitors, findLatest } from './source-queries.ts';

const WINDOW_MS = 5 * MINUTE;
const LATEST = 50;

/** The current visitors and the latest visits and events. Reads the ends of two indexes, so it may be polled. */
export async function getLive(
  { db, clock, sessionIds }: Pick<Deps, 'db' | 'clock' | 'sessionIds'>,
  accountId: string,
): Promise<Live> {
  const now = clock();
  const [[counted], rows] = await Promise.all([
    countLiveVisitors(db, {
      account_id: accountId,
      first_id: firstUuidAt(now - WINDOW_MS),
      since: new Date(now - WINDOW_MS),
    }),
    findLatest(db, { account_id: accountId, limit: LATEST }),
  ]);
  return {
    at: isoTime(now),
    visitors: counted?.visitors ?? 0,
    latest: rows.map(({ id, at, session_number, is_bot, is_internal, ...row }) => ({
      ...row,
      id: publicId(row.type === 'visit' ? 'vis' : 'evt', id),
      at: isoTime(at),
      sessionId: session_number && sessionIds.idOf(session_number),
      isBot: is_bot,
      isInternal: is_internal,
    })),
  };
}
