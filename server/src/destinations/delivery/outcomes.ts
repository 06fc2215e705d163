import { parseRetryAfter, retryDelay } from '../../shared/outbound/retry-schedule.ts';
import { isoTime } from '../../shared/time.ts';
import type { DeliveryStatus } from '../contract.ts';
import type { Action } from '../platforms/platform.ts';
import type { Item } from './batches.ts';
import type { Intent } from './intent.ts';
import type { OutcomeRow, QueuedRow } from './queries.ts';

const STATUS_OF = { send: 'sent', adjust: 'adjusted', retract: 'retracted' } as const;

/** The platform accepted an event. */
export function accepted({ row, intent }: Pick<Item, 'row' | 'intent'>, now: number): OutcomeRow {
  const { action, version, wireId, target, value, currency, factor, occurredAt } = intent;
  const at = isoTime(now);
  const sent = {
    wireId,
    target,
    value,
    currency,
    ...(factor !== undefined && { factor }),
    occurredAt: isoTime(occurredAt),
    sentAt: at,
    version,
  };
  const decided = decidedRow(row, STATUS_OF[action], null, action, intent, now);
  const isFirst = row.status === null && action === 'send';
  return {
    ...decided,
    attempt: isFirst ? null : decided.attempt,
    sent: JSON.stringify(action === 'retract' ? { ...sent, ...amountOf(row) } : sent),
  };
}

/** What the platform had before it was taken back. */
const amountOf = ({ sent }: QueuedRow) => ({ value: sent?.value ?? null, currency: sent?.currency ?? null });

/** The platform, or a rule here, decided that an event is not sent. */
export function decidedRow(
  row: QueuedRow,
  status: DeliveryStatus | null,
  reason: string | null,
  action: Action | 'none',
  intent: Intent | null,
  now: number,
  response: string | null = null,
): OutcomeRow {
  const version = intent?.version ?? row.version ?? row.queued_version;
  const attempt = {
    at: isoTime(now),
    action,
    version,
    value: intent ? intent.value : null,
    currency: intent ? intent.currency : null,
    status,
    reason,
  };
  return {
    conversion_id: row.conversion_id,
    queued_version: row.queued_version,
    queued_due_at: row.due_at,
    status,
    reason,
    version,
    sent: null,
    attempt: JSON.stringify(attempt),
    response,
    due_at: null,
    tries: row.tries,
    intent: null,
    batch_group: null,
  };
}

/** It stays queued as it was, to be sent as soon as possible. What waits keeps its place, and the time at which it was due. */
export const stillQueued = (row: QueuedRow, now: number, intent: Intent | null, group = row.batch_group): OutcomeRow =>
  queuedUntil(row, row.due_at?.getTime() ?? now, intent, { group });

/** It stays queued until `at`. */
export function queuedUntil(
  row: QueuedRow,
  at: number,
  intent: Intent | null,
  { tries = row.tries, group = row.batch_group }: { tries?: number; group?: string | null } = {},
): OutcomeRow {
  return {
    conversion_id: row.conversion_id,
    queued_version: row.queued_version,
    queued_due_at: row.due_at,
    status: null,
    reason: null,
    version: row.queued_version,
    sent: null,
    attempt: null,
    response: null,
    due_at: isoTime(at),
    tries,
    intent: intent && JSON.stringify(intent),
    batch_group: group,
  };
}

export interface Failure {
  message: string;
  retryAfter: string | undefined;
  /** From 0 to 1: spreads retries. */
  random: number;
}

/** Nobody knows whether a request was received: it is repeated exactly, for about three days. */
export function lost({ row, intent }: Item, failure: Failure, now: number): OutcomeRow {
  const tries = row.tries + 1;
  const delay = retryDelay(tries, parseRetryAfter(failure.retryAfter, now), failure.random);
  if (delay !== undefined) return queuedUntil(row, now + delay, intent, { tries });
  return decidedRow(row, 'uncertain', 'answer_lost', intent.action, intent, now, failure.message);
}
