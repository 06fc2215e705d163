import { publicId } from '../../shared/ids.ts';
import { parseRetryAfter } from '../../shared/outbound/retry-schedule.ts';
import type { OutboxRow } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { CONTENT_TOPIC } from '../manage/create-destination.ts';
import type { DestinationRow } from '../manage/queries.ts';
import { purgeBatch, purgeRequest } from '../platforms/cdn.ts';
import type { RequestContext } from '../platforms/platform.ts';
import { readStatus } from '../platforms/read-status.ts';
import { platformOf } from '../platforms/registry.ts';
import { storable } from './client.ts';
import type { TurnDeps } from './turn.ts';

/** What content writes about an entry that was published or unpublished. */
interface ChangedEntry {
  entry: string;
  slug: string | null;
  previous: string | null;
}

const DESTINATION = { account_id: 'uuid', destination_id: 'uuid' } as const;

/** What waits for the same purge waits once. A change while it is made purges again. */
const enqueuePurges = statement('destinations.enqueue_purges', {
  purges: rows({ account_id: 'uuid', resource_id: 'uuid', tag: 'text', path: 'text' }),
  now: 'timestamptz',
}).runs(
  `with changed as materialized (
     select w.account_id, d.id, w.resource_id, w.tag, array_agg(distinct w.path) as paths
     from :purges as w
     join destinations d on d.account_id = w.account_id and d.platform = 'cdn' and d.mode <> 'off'
     group by w.account_id, d.id, w.resource_id, w.tag
     order by w.account_id, d.id, w.resource_id)
   insert into destination_queue as q
     (account_id, destination_id, conversion_id, version, is_first, queued_at, due_at, tag, paths)
   select account_id, id, resource_id, 1, false, :now, :now, tag, paths from changed
   on conflict (account_id, destination_id, conversion_id) do update set version = q.version + 1,
     paths = array(select distinct p from unnest(q.paths || excluded.paths) as u (p))`,
);

const findPurges = statement('destinations.find_purges', {
  ...DESTINATION,
  now: 'timestamptz',
  limit: 'integer',
}).returns<{ conversion_id: string; version: number; tag: string; paths: string[] }>(
  `select conversion_id, version, tag, paths from destination_queue
   where account_id = :account_id and destination_id = :destination_id and due_at <= :now and tag is not null
   order by due_at limit :limit`,
);

const deletePurges = statement('destinations.delete_purges', {
  ...DESTINATION,
  purges: rows({ conversion_id: 'uuid', version: 'integer' }),
}).runs(
  `delete from destination_queue q using :purges as w
   where q.account_id = :account_id and q.destination_id = :destination_id and q.conversion_id = w.conversion_id
     and q.version = w.version`,
);

/** Queues the purges of what was published or unpublished, in the transaction that removes the rows of the outbox. */
export async function enqueueContentChanges(tx: Tx, outboxRows: readonly OutboxRow[], now: Date): Promise<void> {
  const purges = outboxRows.flatMap(({ account_id, topic, resources: [collection], data }) => {
    if (topic !== CONTENT_TOPIC || collection === undefined) return [];
    const tag = publicId('col', collection);
    const path = `/v1/content/${tag}`;
    const entries = (data ?? []) as ChangedEntry[];
    return [
      { account_id, resource_id: collection, tag, path },
      ...entries.flatMap(({ entry, slug, previous }) => {
        const id = publicId('ent', entry);
        const names = [id, slug, previous].filter((name) => name !== null);
        return names.map((name) => ({
          account_id,
          resource_id: entry,
          tag: id,
          path: `${path}/${encodeURIComponent(name)}`,
        }));
      }),
    ];
  });
  if (purges.length > 0) await enqueuePurges(tx, { purges, now });
}

/** Sends what is due to a destination that purges caches, until a request fails. Repeating a purge does no harm. */
export async function sendPurges(
  destination: DestinationRow,
  context: RequestContext,
  { deps, client, health, metrics, rate }: TurnDeps,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, publicUrl } = deps;
  const key = { account_id: destination.account_id, destination_id: destination.id };
  while (!signal.aborted && rate.take()) {
    const limit = purgeBatch(context.credentials);
    const due = await findPurges(db, { ...key, now: new Date(clock()), limit });
    if (due.length === 0) return;
    const tags = due.map(({ tag }) => tag);
    const urls = due.flatMap(({ paths }) => paths.map((path) => publicUrl() + path));
    const outcome = await client.send(destination, platformOf('cdn'), context, (context) =>
      purgeRequest(tags, urls, context),
    );
    // A cache may respond so that it has nothing with these tags.
    const isUnknown = context.credentials.provider === 'purge' && [404, 412].includes(outcome.status ?? 0);
    const verdict = isUnknown ? ({ type: 'accepted' } as const) : readStatus(outcome);
    metrics.request('cdn', verdict.type);
    if (verdict.type === 'accepted') {
      await deletePurges(db, { ...key, purges: due });
      await health.succeeded(destination);
      continue;
    }
    const message = storable('cdn', context.credentials, [], 'message' in verdict ? (verdict.message ?? '') : '');
    const { type } = verdict;
    const isRetried = type === 'throttled' || type === 'unavailable' || type === 'lost';
    const failure = isRetried || type === 'credentials' ? type : 'access';
    await health.failed(destination, failure, message || type, parseRetryAfter(outcome.retryAfter, clock()));
    return;
  }
}
