import { type AlertText, alertOwners } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import { DISABLE_AFTER } from '../../shared/outbound/retry-schedule.ts';
import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';
import { acquireErasureLockShared, IS_ERASED } from '../personal-data.ts';
import { inLockOrder, lockOrder, releaseFirst } from './order.ts';
import { DELIVERY } from './queries.ts';

const ATTEMPTS = rows({
  ...DELIVERY,
  // Starts at 1.
  number: 'integer',
  at: 'timestamptz',
  // HTTP status; null without a response.
  status: 'integer?',
  ms: 'integer',
  error: 'text?',
  // Start of the body of an unsuccessful response.
  response: 'text?',
  // Status of the delivery after this attempt.
  result: 'text',
  next_at: 'timestamptz?',
  // If the endpoint has an order.
  resource_id: 'uuid?',
});

/** An attempt and its consequences. */
export type Attempt = RowOf<typeof ATTEMPTS>;

const HEALTHS = rows({
  account_id: 'uuid',
  id: 'uuid',
  succeeded: 'boolean',
  failed_at: 'timestamptz?',
  gone: 'boolean',
});

type Health = RowOf<typeof HEALTHS>;

/** Records attempts, the status of their deliveries, and the health of their endpoints, in one transaction. */
export async function recordAttempts(deps: Deps, attempts: readonly Attempt[]): Promise<undefined[]> {
  const { db, log, clock } = deps;
  const healths = healthOf(attempts);
  const ended = attempts.flatMap(({ account_id, endpoint_id, resource_id, result }) =>
    resource_id === null || result === 'pending' ? [] : [{ account_id, endpoint_id, resource_id }],
  );
  const disabled = await db.transaction(async (tx) => {
    if (attempts.some(({ response }) => response !== null)) await acquireErasureLockShared(tx);
    if (ended.length > 0) await lockOrder(tx, { endpoints: inLockOrder(ended) });
    await insertAttempts(tx, { attempts });
    if (ended.length > 0) await releaseFirst(tx, { resources: ended, now: new Date(clock()) });
    return updateHealth(tx, { healths, now: new Date(clock()), disable_after: DISABLE_AFTER });
  });
  for (const { account_id, id, disabled_reason: reason } of disabled) {
    await alertOwners(deps, account_id, disabledAlert(deps.publicUrl(), account_id, id, reason));
    log.warn({ webhook: publicId('whk', id), reason }, 'webhook disabled');
  }
  return attempts.map(() => undefined);
}

function disabledAlert(publicUrl: string, accountId: string, id: string, reason: string): AlertText {
  const url = `${publicUrl}/${publicId('acc', accountId)}/webhooks/${publicId('whk', id)}`;
  return (t) => {
    const why =
      reason === 'gone'
        ? t('The webhook was disabled because its endpoint answered 410 Gone.')
        : t('The webhook was disabled because all deliveries failed for five days.');
    const text = `${why} ${t('Enable it and retry the failed deliveries here:')}\n${url}\n`;
    return { subject: t('a webhook was disabled'), text };
  };
}

/** One row for each endpoint, in the order of their ids, so that concurrent batches do not deadlock. */
function healthOf(attempts: readonly Attempt[]): Health[] {
  const healths = new Map<string, Health>();
  for (const { account_id, endpoint_id: id, error, at, status } of attempts) {
    const known = healths.get(id);
    healths.set(id, {
      account_id,
      id,
      succeeded: (known?.succeeded ?? false) || error === null,
      failed_at: known?.failed_at ?? (error === null ? null : at),
      gone: (known?.gone ?? false) || status === 410,
    });
  }
  return [...healths.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * If another process took over a delivery after its lease ended, the first attempt recorded under a number decides. The
 * response to an erased payload is not stored: it may repeat the payload.
 */
export const insertAttempts = statement('webhooks.insert_attempts', { attempts: ATTEMPTS }).runs(
  `with outcome as materialized (select * from :attempts as w),
   attempted as (
     insert into webhook_attempts (account_id, endpoint_id, message_id, number, at, status, ms, error, response)
     select o.account_id, o.endpoint_id, o.message_id, o.number, o.at, o.status, o.ms, o.error,
       case when ${IS_ERASED} then null else o.response end
     from outcome o
     left join lateral (
       select * from webhook_messages m
       where o.response is not null and m.account_id = o.account_id and m.id = o.message_id limit 1) m on true
     on conflict do nothing),
   retried as (
     update webhook_queue q set due_at = w.next_at, leased_until = null, attempts = w.number, tries = q.tries + 1
     from outcome w
     where (q.account_id, q.endpoint_id, q.message_id) = (w.account_id, w.endpoint_id, w.message_id)
       and q.attempts = w.number - 1 and w.result = 'pending'),
   ended as (
     delete from webhook_queue q using outcome w
     where (q.account_id, q.endpoint_id, q.message_id) = (w.account_id, w.endpoint_id, w.message_id)
       and q.attempts = w.number - 1 and w.result <> 'pending'
     returning q.account_id, q.endpoint_id, q.message_id, w.result)
   update webhook_deliveries d set status = ended.result from ended
   where d.account_id = ended.account_id and d.endpoint_id = ended.endpoint_id and d.message_id = ended.message_id`,
);

const IS_FAILING = 'not w.succeeded and w.failed_at - e.failing_since >= :disable_after';

/** Writes only what changes. Returns the endpoints it disabled: those that are gone or have only failed for too long. */
export const updateHealth = statement('webhooks.update_health', {
  healths: HEALTHS,
  now: 'timestamptz',
  disable_after: 'interval',
}).returns<{ account_id: string; id: string; disabled_reason: string }>(
  `with changed as (
     update webhook_endpoints e set
       failing_since = case when w.succeeded then null else coalesce(e.failing_since, w.failed_at) end,
       status = case when w.gone or (${IS_FAILING}) then 'disabled' else e.status end,
       disabled_reason = case when w.gone then 'gone' when ${IS_FAILING} then 'failing' else e.disabled_reason end,
       updated_at = case when w.gone or (${IS_FAILING}) then greatest(e.updated_at, :now) else e.updated_at end
     from :healths as w
     where e.account_id = w.account_id and e.id = w.id and e.status = 'active'
       and (w.gone or (w.succeeded and e.failing_since is not null)
         or (not w.succeeded and (e.failing_since is null or w.failed_at - e.failing_since >= :disable_after)))
     returning e.account_id, e.id, e.status, e.disabled_reason),
   unsubscribed as (
     delete from outbox_subscriptions s using changed
     where changed.status = 'disabled' and s.account_id = changed.account_id and s.subscriber_id = changed.id)
   select account_id, id, disabled_reason from changed where status = 'disabled'`,
);
