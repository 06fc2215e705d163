import type { Database } from '../shared/postgres/database.ts';
import { packSegment } from './pack-sessions.ts';
import { countConversions, countLeads, findAllIds, findSegmentsOfSessions } from './queries.ts';

const AT_ONCE = 5_000;

/**
 * Counts sessions, conversions and leads of an account whose rows were written past the service and marked as noted
 * (`arrived_in` 0).
 * @param workers how many transactions at a time
 */
export async function countAccount(db: Database, accountId: string, workers = 2): Promise<void> {
  const segments = (await findSegmentsOfSessions(db, accountId)).map(({ segment }) => segment);
  await inTurn(workers, segments, (segment) =>
    db.transaction(async (tx) => {
      await tx.query('set local statement_timeout = 0');
      await packSegment(tx, accountId, segment, Date.now());
    }),
  );
  for (const [table, count] of [
    ['conversions', countConversions],
    ['leads', countLeads],
  ] as const) {
    const ids = (await findAllIds[table](db, accountId)).map(({ id }) => id);
    const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) =>
      ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
    );
    await inTurn(workers, parts, (part) =>
      count(
        db,
        part.map(() => accountId),
        part,
        [],
        [],
      ),
    );
  }
}

async function inTurn<T>(workers: number, items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
