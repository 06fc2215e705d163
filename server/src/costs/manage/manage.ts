import { type Credentials, changeCredentials, checkCredentials, connectionOf } from '../../destinations/index.ts';
import { badRequest, type Fault, refuse } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { SecretUnreadable } from '../../shared/secrets/vault.ts';
import { type ConnectorId, connectorOf } from '../connectors/registry.ts';
import type { CostSource, CostSourceChange, NewCostSource } from '../contract.ts';
import { LIMITS } from '../limits.ts';
import { type CostSourceRow, findSourceOfAccount, insertSource, lockSource, updateSource } from './queries.ts';
import { requireSource, serializeSource, sourceUuid } from './serialize.ts';
import type { SourceCredentials } from './source-credentials.ts';

interface With {
  store: SourceCredentials;
  mayConnect: MayConnect;
  now: number;
}

/** Connects an account of an ad platform, whose costs are read from now on. @throws 400 with every fault */
export async function createSource(tx: Tx, accountId: string, sent: NewCostSource, given: With): Promise<CostSource> {
  const { store, now } = given;
  const { platform, name, credentials = {}, mode } = sent;
  const connector = connectorOf(platform);
  const key = { account_id: accountId, id: newUuid(now) };
  const faults: Fault[] = [];
  const lender = await lenderOf(tx, { ...key, platform }, sent.destinationId ?? null, store, faults);
  checkAll(platform, { ...lender.credentials, ...credentials }, credentials, given, faults);
  const source = (sent.source ?? connector.source).trim();
  checkSource(source, faults);
  refuse(faults);
  const ad_account = adAccountOf(platform, { ...lender.credentials, ...credentials });
  const [row] = await insertSource(tx, {
    ...key,
    ...{ platform, name, source, ad_account },
    credentials: await store.seal(tx, key, credentials),
    connection: JSON.stringify(connectionOf(connector.credentials, credentials)),
    destination_id: lender.id,
    mode: mode ?? 'live',
    now: new Date(now),
    max: LIMITS.costSources,
  });
  if (row) return serializeSource(row);
  await refuseKnown(tx, accountId, platform, ad_account);
  const detail = `An account can have at most ${LIMITS.costSources} cost sources. Delete one that you no longer need.`;
  throw badRequest('too_many_cost_sources', detail);
}

/**
 * Updates the members that were sent; of credentials, those that were. New credentials or a mode resume a paused source.
 * @throws 404, 400 with every fault
 */
export async function changeSource(
  tx: Tx,
  accountId: string,
  costSourceId: string,
  sent: CostSourceChange,
  given: With,
): Promise<{ before: CostSource; after: CostSource }> {
  const { store, now } = given;
  const key = { account_id: accountId, id: sourceUuid(costSourceId) };
  const [locked] = await lockSource(tx, key);
  const before = requireSource(locked);
  const { platform } = before;
  const connector = connectorOf(platform);
  const faults: Fault[] = [];
  const credentials = changeCredentials(
    connector.credentials,
    await readable(tx, store, before),
    sent.credentials ?? {},
    faults,
  );
  const lenderId =
    sent.destinationId === undefined
      ? before.destination_id && publicId('dst', before.destination_id)
      : sent.destinationId;
  const isReconnected = sent.credentials !== undefined || sent.destinationId !== undefined;
  const lender = await lenderOf(tx, before, lenderId, store, isReconnected ? faults : []);
  const all = { ...lender.credentials, ...credentials };
  if (isReconnected) checkAll(platform, all, credentials, given, faults);
  const ad_account = isReconnected ? adAccountOf(platform, all) : before.ad_account;
  if (ad_account !== before.ad_account && before.destination_id !== null && sent.destinationId === undefined) {
    const detail = 'The ad account is read with the credentials of a destination. Send `/destinationId` again.';
    faults.push({ pointer: '/destinationId', code: 'secret_required', detail });
  }
  if (sent.platform !== undefined && sent.platform !== platform) {
    const detail = 'The platform of a cost source cannot be changed. Create another cost source.';
    faults.push({ pointer: '/platform', code: 'platform_immutable', detail });
  }
  const source = sent.source?.trim() ?? before.source;
  checkSource(source, faults);
  refuse(faults);
  if (ad_account !== before.ad_account) await refuseKnown(tx, accountId, platform, ad_account);
  const [row] = await updateSource(tx, {
    ...key,
    ...{ ad_account, name: sent.name ?? before.name, source, mode: sent.mode ?? before.mode },
    credentials: sent.credentials === undefined ? before.credentials : await store.seal(tx, key, credentials),
    connection: JSON.stringify(connectionOf(connector.credentials, credentials)),
    destination_id: lenderId === null ? null : (lender.id ?? before.destination_id),
    resumes: isReconnected || sent.mode !== undefined,
    now: new Date(now),
  });
  return { before: serializeSource(before), after: serializeSource(requireSource(row)) };
}

/** Credentials that cannot be decrypted any more are replaced by those that are sent, as if there were none. */
async function readable(tx: Tx, store: SourceCredentials, row: CostSourceRow): Promise<Credentials> {
  try {
    return await store.own(tx, row);
  } catch (error) {
    if (error instanceof SecretUnreadable) return row.connection;
    throw error;
  }
}

async function lenderOf(
  tx: Tx,
  source: Pick<CostSourceRow, 'account_id' | 'platform'>,
  destinationId: string | null,
  store: SourceCredentials,
  faults: Fault[],
): Promise<{ id: string | null; credentials: Credentials }> {
  const refused = (code: string, detail: string) => {
    faults.push({ pointer: '/destinationId', code, detail });
    return { id: null, credentials: {} };
  };
  if (destinationId === null) return { id: null, credentials: {} };
  const { name, reuses } = connectorOf(source.platform);
  if (reuses.length === 0) {
    return refused('not_allowed', `Destinations of ${name} have no credentials that read costs.`);
  }
  const id = parseId('dst', destinationId);
  const credentials = id === undefined ? undefined : await store.lent(tx, source, id);
  if (id === undefined || credentials === undefined) {
    return refused('destination_unknown', `There is no destination ${destinationId} of the platform ${name}.`);
  }
  return { id, credentials };
}

/** Checks all credentials together, and names those that were sent. */
function checkAll(
  platform: ConnectorId,
  all: Credentials,
  own: Credentials,
  { mayConnect }: With,
  faults: Fault[],
): void {
  const connector = connectorOf(platform);
  const unknown = Object.keys(own).filter((name) => !Object.hasOwn(connector.credentials, name));
  faults.push(...checkCredentials(connector, unknown.length > 0 ? own : all, mayConnect));
}

function checkSource(source: string, faults: Fault[]): void {
  if (source !== '') return;
  faults.push({ pointer: '/source', code: 'too_short', detail: '`/source` must not be blank.' });
}

const adAccountOf = (platform: ConnectorId, credentials: Credentials): string =>
  credentials[connectorOf(platform).accountId] ?? '';

/** Costs of an ad account must not count twice. @throws 400 `already_connected` */
async function refuseKnown(tx: Tx, account_id: string, platform: ConnectorId, ad_account: string): Promise<void> {
  const [known] = await findSourceOfAccount(tx, { account_id, platform, ad_account });
  if (!known) return;
  const detail = `The ad account ${ad_account} is already connected as ${publicId('cst', known.id)}.`;
  throw badRequest('already_connected', detail);
}
