import type { OutboxConsumer } from '../../shared/outbox.ts';
import { isoTime } from '../../shared/time.ts';
import { SESSION_IDENTIFIED } from '../../tracking/index.ts';
import { TOPICS } from '../manage/create-destination.ts';
import { enqueueContentChanges } from './purges.ts';
import { enqueueChanges, requeueIdentified } from './queries.ts';

/** Queues the conversions and purges that outbox rows are about, in the transaction that removes the rows. */
export function outboxConsumer(clock: () => number): OutboxConsumer {
  return async (tx, outboxRows) => {
    const changes = outboxRows.flatMap(({ account_id, topic, resources, sequences, at }) =>
      (TOPICS as readonly string[]).includes(topic)
        ? resources.map((conversion_id, i) => ({
            account_id,
            conversion_id,
            version: Number(sequences?.[i] ?? 1),
            at: isoTime(at),
          }))
        : [],
    );
    if (changes.length > 0) await enqueueChanges(tx, { changes, now: new Date(clock()) });
    const sessions = outboxRows.flatMap(({ account_id, topic, data }) =>
      topic === SESSION_IDENTIFIED ? ((data ?? []) as number[]).map((number) => ({ account_id, number })) : [],
    );
    if (sessions.length > 0) await requeueIdentified(tx, { sessions, now: new Date(clock()) });
    await enqueueContentChanges(tx, outboxRows, new Date(clock()));
  };
}
