import type { Deps } from '../shared/deps.ts';
import { firstUuidAt, publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { Live } from './people-contract.ts';
import { countLiveVisitors, findLatest } from './people-queries.ts';

const WINDOW_MS = 5 * 60_000;
const LATEST = 50;

/** Who is there, and what was done last: from the ends of two indexes, so that it may be asked every few seconds. */
export async function readLive({ db, clock }: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<Live> {
  const now = clock();
  const [[counted], rows] = await Promise.all([
    countLiveVisitors(db, accountId, firstUuidAt(now - WINDOW_MS)),
    findLatest(db, accountId, LATEST),
  ]);
  return {
    at: isoTime(now),
    visitors: counted?.visitors ?? 0,
    latest: rows.map(({ id, at, session_number, is_bot, is_internal, ...row }) => ({
      ...row,
      id: publicId(row.kind === 'visit' ? 'vis' : 'evt', id),
      at: isoTime(at),
      sessionId: session_number,
      isBot: is_bot,
      isInternal: is_internal,
    })),
  };
}
