import { badRequest, refuse } from '../../shared/errors.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { subscribe } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { SESSION_IDENTIFIED, setRecordsClients } from '../../tracking/index.ts';
import type { Destination, NewDestination } from '../contract.ts';
import { LIMITS } from '../limits.ts';
import { platformOf } from '../platforms/registry.ts';
import { type CredentialStore, connectionOf } from './credentials.ts';
import { type DestinationRow, findDestinations, insertDestination } from './queries.ts';
import {
  checkCredentials,
  checkDelay,
  checkKind,
  checkValueSent,
  readFilter,
  readMapping,
  readTime,
} from './read-settings.ts';
import { serializeDestination } from './serialize.ts';

/** What a destination learns from the outbox. */
export const TOPICS = ['conversion.reported', 'conversion.restated', 'conversion.matched'] as const;

/** What a destination that purges caches learns from the outbox. */
export const CONTENT_TOPIC = 'content.changed';

/** Creates a destination, which receives the conversions reported from now on. @throws 400 with every fault */
export async function createDestination(
  tx: Tx,
  store: CredentialStore,
  mayConnect: MayConnect,
  accountId: string,
  sent: NewDestination,
  now: number,
): Promise<Destination> {
  const { platform, name, credentials } = sent;
  const faults = checkCredentials(platformOf(platform), credentials, mayConnect);
  const mapping = readMapping(platform, sent.mapping, faults);
  const { consent = 'ignore', mode = 'live' } = sent;
  faults.push(...checkKind(platform, sent));
  const filter = readFilter(sent.filter ?? null, faults);
  const sendAfter = sent.sendAfter ?? 0;
  const value = sent.value ?? 'current';
  refuse([...faults, ...checkDelay(platform, sendAfter), ...checkValueSent(platform, value)]);
  const id = newUuid(now);
  const createdAt = new Date(uuidTime(id));
  const [row] = await insertDestination(tx, {
    account_id: accountId,
    id,
    platform,
    name,
    credentials: await store.seal(tx, { account_id: accountId, id }, credentials),
    connection: JSON.stringify(connectionOf(platformOf(platform).credentials, credentials)),
    mapping: JSON.stringify(mapping),
    filter: JSON.stringify(filter),
    consent,
    mode,
    start_at: sent.startAt ? readTime(sent.startAt) : new Date(now),
    send_after: sendAfter,
    value_sent: value,
    trusts_public_values: sent.trustPublicValues ?? false,
    now: createdAt,
    max: LIMITS.destinations,
  });
  if (!row) {
    const detail = `An account can have at most ${LIMITS.destinations} destinations. Delete one that you no longer need.`;
    throw badRequest('too_many_destinations', detail);
  }
  await connectDestination(tx, row, now);
  return serializeDestination(row);
}

/** Subscribes a destination to conversions, and has IP addresses and user agents recorded as long as one needs them. */
export async function connectDestination(
  tx: Tx,
  { account_id, id, mode, platform }: Pick<DestinationRow, 'account_id' | 'id' | 'mode' | 'platform'>,
  now: number,
): Promise<void> {
  const topics = platformOf(platform).purges ? [CONTENT_TOPIC] : [...TOPICS, SESSION_IDENTIFIED];
  await subscribe(tx, account_id, id, mode === 'off' ? [] : topics);
  const destinations = await findDestinations(tx, { account_id });
  const records_clients = destinations.some(({ platform, mode }) => mode !== 'off' && platformOf(platform).uses.client);
  await setRecordsClients(tx, { account_id, records_clients, now: new Date(now) });
}
