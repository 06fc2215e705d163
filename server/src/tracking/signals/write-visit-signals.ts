import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { NewVisit } from '../ingest/new-visit.ts';
import { type SignalRow, writeSignals } from './queries.ts';

/** Records what visits say about consent, and their clients. Most visits say nothing, and then nothing is written. */
export async function writeVisitSignals(
  tx: Tx,
  visits: readonly { visit: NewVisit; sessionNumber: number }[],
): Promise<void> {
  const bySession = new Map<string, SignalRow>();
  for (const { visit, sessionNumber } of visits) {
    const { accountId, consent, client } = visit;
    if (consent === undefined && client === undefined) continue;
    const key = `${accountId} ${sessionNumber}`;
    const known = bySession.get(key);
    bySession.set(key, {
      account_id: accountId,
      session_number: sessionNumber,
      ad_storage: consent?.ad_storage ?? known?.ad_storage ?? null,
      ad_user_data: consent?.ad_user_data ?? known?.ad_user_data ?? null,
      ad_personalization: consent?.ad_personalization ?? known?.ad_personalization ?? null,
      client: client ?? known?.client ?? null,
      at: isoTime(visit.receivedAt),
    });
  }
  if (bySession.size > 0) await writeSignals(tx, { signals: [...bySession.values()] });
}
