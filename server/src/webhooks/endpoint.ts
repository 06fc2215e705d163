import { notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { Webhook } from './contract.ts';
import type { EndpointRow } from './queries.ts';
import type { Secrets } from './secret.ts';

/** An endpoint as it is answered: never with its secrets. */
export function webhookAnswer(row: EndpointRow, now: number, isDeleted = false): Webhook {
  const until = row.previous_secret_until;
  return {
    id: publicId('whk', row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    status: isDeleted ? 'deleted' : row.status,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since && isoTime(row.failing_since),
    previousSecretUntil: until && until.getTime() > now ? isoTime(until) : null,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** The UUID of a public id of an endpoint. @throws 404 */
export function endpointId(id: string): string {
  const uuid = parseId('whk', id);
  if (uuid === undefined) throw notFound('webhook');
  return uuid;
}

/** @throws 404 where there is none */
export function found(row: EndpointRow | undefined): EndpointRow {
  if (row === undefined) throw notFound('webhook');
  return row;
}

type Signing = Pick<EndpointRow, 'secret' | 'previous_secret' | 'previous_secret_until'>;

/** The secrets that sign for an endpoint at this time, the newest first. */
export function signingSecrets(secrets: Secrets, row: Signing, now: number): Buffer[] {
  const { secret, previous_secret: previous, previous_secret_until: until } = row;
  const isGood = previous !== null && until !== null && until.getTime() > now;
  return isGood ? [secrets.open(secret), secrets.open(previous)] : [secrets.open(secret)];
}
