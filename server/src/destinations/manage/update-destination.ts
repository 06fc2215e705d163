import { enqueueJob, type JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { SecretUnreadable } from '../../shared/secrets/vault.ts';
import { DAY } from '../../shared/units.ts';
import type { Destination, DestinationChange } from '../contract.ts';
import { deleteDestinationData, requeueRefused, requeueUnmapped } from '../delivery/queries.ts';
import type { Credentials } from '../platforms/platform.ts';
import { platformOf } from '../platforms/registry.ts';
import { connectDestination } from './create-destination.ts';
import { type CredentialStore, connectionOf } from './credentials.ts';
import {
  type DestinationRow,
  deleteDestination as deleteRow,
  lockDestination,
  updateDestination as updateRow,
} from './queries.ts';
import {
  changeCredentials,
  checkCredentials,
  checkDelay,
  checkKind,
  checkValueSent,
  readFilter,
  readMapping,
  readTime,
} from './read-settings.ts';
import { destinationUuid, requireRow, serializeDestination } from './serialize.ts';

/**
 * Updates the members that were sent; of credentials, those that were. New credentials or a mode resume a paused
 * destination. What happens while the mode is `off` is not queued. @throws 404, 400 with every fault
 */
export async function updateDestination(
  tx: Tx,
  store: CredentialStore,
  mayConnect: MayConnect,
  accountId: string,
  destinationId: string,
  sent: DestinationChange,
  now: number,
): Promise<{ before: Destination; after: Destination }> {
  const key = { account_id: accountId, id: destinationUuid(destinationId) };
  const [locked] = await lockDestination(tx, key);
  const before = requireRow(locked);
  const { platform } = before;
  const faults: Fault[] = [];
  const credentials = changeCredentials(
    platformOf(platform).credentials,
    await readable(tx, store, before),
    sent.credentials ?? {},
    faults,
  );
  if (sent.credentials !== undefined) faults.push(...checkCredentials(platformOf(platform), credentials, mayConnect));
  if (sent.platform !== undefined && sent.platform !== platform) {
    const detail = 'The platform of a destination cannot be changed. Create another destination.';
    faults.push({ pointer: '/platform', code: 'platform_immutable', detail });
  }
  faults.push(...checkKind(platform, { ...before, ...sent }));
  const mapping = sent.mapping === undefined ? before.mapping : readMapping(platform, sent.mapping, faults);
  const filter = sent.filter === undefined ? before.filter : readFilter(sent.filter, faults);
  const { name = before.name, consent = before.consent, mode = before.mode, sendAfter = before.send_after } = sent;
  const { value = before.value_sent } = sent;
  refuse([...faults, ...checkDelay(platform, sendAfter), ...checkValueSent(platform, value)]);
  const resumes = sent.credentials !== undefined || sent.mode !== undefined;
  const [row] = await updateRow(tx, {
    ...key,
    name,
    credentials: sent.credentials === undefined ? before.credentials : await store.seal(tx, key, credentials),
    connection: JSON.stringify(connectionOf(platformOf(platform).credentials, credentials)),
    mapping: JSON.stringify(mapping),
    filter: JSON.stringify(filter),
    consent,
    mode,
    start_at: sent.startAt === undefined ? before.start_at : readTime(sent.startAt),
    send_after: sendAfter,
    value_sent: value,
    trusts_public_values: sent.trustPublicValues ?? before.trusts_public_values,
    resumes,
    now: new Date(now),
  });
  if (resumes && before.pause_reason === 'refusals' && before.refused_since !== null) {
    const { account_id, id: destination_id } = key;
    await requeueRefused(tx, { account_id, destination_id, since: before.refused_since, now: new Date(now) });
  }
  if (mode !== 'off' && JSON.stringify(mapping) !== JSON.stringify(before.mapping)) {
    const since = new Date(now - platformOf(platform).maxAgeDays * DAY);
    await requeueUnmapped(tx, { account_id: key.account_id, destination_id: key.id, since, now: new Date(now) });
  }
  await connectDestination(tx, { ...key, platform, mode }, now);
  return { before: serializeDestination(before), after: serializeDestination(requireRow(row)) };
}

/** Credentials that cannot be decrypted any more are replaced by those that are sent, as if there were none. */
async function readable(tx: Tx, store: CredentialStore, row: DestinationRow): Promise<Credentials> {
  try {
    return await store.open(tx, row);
  } catch (error) {
    if (error instanceof SecretUnreadable) return row.connection;
    throw error;
  }
}

/** Deletes a destination: nothing more is sent to it, and its log can no longer be read. @throws 404 */
export async function deleteDestination(
  deps: Deps,
  tx: Tx,
  accountId: string,
  destinationId: string,
): Promise<Destination> {
  const key = { account_id: accountId, id: destinationUuid(destinationId) };
  const [row] = await deleteRow(tx, key);
  const deleted = serializeDestination(requireRow(row), true);
  await connectDestination(tx, { ...key, platform: deleted.platform, mode: 'off' }, deps.clock());
  await enqueueJob(deps, tx, accountId, CLEAR_JOB, { destinationId });
  return deleted;
}

export const CLEAR_JOB = 'clear_destination';

const PAGE_SIZE = 1_000;

/** Runs the jobs of type `clear_destination`: deletes what was recorded for a deleted destination. */
export function clearHandler({ db }: Deps): JobHandler {
  return {
    async run({ accountId, params, signal }) {
      const { destinationId } = params as { destinationId: string };
      const key = { account_id: accountId, destination_id: destinationUuid(destinationId) };
      for (let total = 0; ; ) {
        signal.throwIfAborted();
        const [{ deleted = 0 } = {}] = await deleteDestinationData(db, { ...key, limit: PAGE_SIZE });
        if (deleted === 0) return { deleted: total };
        total += deleted;
      }
    },
  };
}
