import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { parseTimestamp } from '../shared/time.ts';
import { addressPolicy } from './addresses.ts';
import { changeWebhook, deleteWebhook } from './change-webhook.ts';
import type { DeliveriesQuery, Replay, WebhookChange } from './contract.ts';
import { createWebhook } from './create-webhook.ts';
import { getDelivery, listDeliveryPage } from './deliveries.ts';
import { endpointId, found, webhookAnswer } from './endpoint.ts';
import { ALL_KINDS, KINDS } from './kinds.ts';
import { listWebhooks } from './list-webhooks.ts';
import { Partitions } from './partitions.ts';
import { findEndpoint } from './queries.ts';
import { replay } from './replay.ts';
import { rotateSecret } from './rotate-secret.ts';
import { Secrets } from './secret.ts';
import { sendTest } from './send-test.ts';
import { withSecret } from './show-secret.ts';

/** What a command is given beside its words. */
export interface WebhookOptions {
  url?: string | undefined;
  /** By commas; `all`. */
  events?: string | undefined;
  description?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  delivery?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Run = (deps: Deps, accountId: string, webhookId: string, options: WebhookOptions) => Promise<unknown>;

/**
 * The operations of `/v1/webhooks` for the command line, by their names: each is given the account's public id and, but for
 * `create` and `list`, the endpoint's.
 * @throws ApiError as the API does
 */
export const WEBHOOK_COMMANDS: Record<string, Run> = {
  create: async (deps, account, _id, { url = '', events, description }) => {
    const secrets = new Secrets(deps.secret);
    const body = { url, events: readEvents(events) ?? null, description: description ?? null };
    const webhook = await deps.db.transaction((tx) =>
      createWebhook(tx, secrets, policyOf(deps), uuidOf(account), body, deps.clock()),
    );
    return withSecret(deps.db, secrets, uuidOf(account), webhook);
  },
  list: (deps, account) =>
    listWebhooks(deps.db, deps.pageTokens, uuidOf(account), { pageSize: 100 }, deps.clock()).then(({ webhooks }) => ({
      webhooks,
    })),
  get: async ({ db, clock }, account, id) => {
    const [row] = await findEndpoint(db, uuidOf(account), endpointId(id));
    return webhookAnswer(found(row), clock());
  },
  update: async (deps, account, id, { url, events, description, status }) => {
    const change: WebhookChange = {};
    if (url !== undefined) change.url = url;
    if (events !== undefined) change.events = readEvents(events) ?? null;
    if (description !== undefined) change.description = description;
    if (status !== undefined) change.status = oneOf('--status', status, ['active', 'disabled']);
    const changed = await deps.db.transaction((tx) =>
      changeWebhook(tx, policyOf(deps), uuidOf(account), id, change, deps.clock()),
    );
    return changed.after;
  },
  delete: ({ db, clock }, account, id) => db.transaction((tx) => deleteWebhook(tx, uuidOf(account), id, clock())),
  'rotate-secret': async ({ db, secret, clock }, account, id) => {
    const secrets = new Secrets(secret);
    const webhook = await rotateSecret(db, secrets, uuidOf(account), id, clock());
    return withSecret(db, secrets, uuidOf(account), webhook);
  },
  test: ({ db, clock }, account, id) => sendTest(db, new Partitions(db), uuidOf(account), id, clock()),
  deliveries: async ({ db, pageTokens, clock }, account, id, { status, type, delivery }) => {
    if (delivery !== undefined) return getDelivery(db, uuidOf(account), id, delivery, clock());
    const query: DeliveriesQuery = { pageSize: 100 };
    if (status !== undefined) query.status = oneOf('--status', status, ['pending', 'delivered', 'failed']);
    if (type !== undefined) query.type = oneOf('--type', type, ALL_KINDS);
    const { deliveries } = await listDeliveryPage(db, pageTokens, uuidOf(account), id, query, clock());
    return { deliveries };
  },
  replay: (deps, account, id, { delivery, status, from, to }) => {
    const asked: Replay = {};
    if (delivery !== undefined) asked.deliveryId = delivery;
    if (status !== undefined) asked.status = oneOf('--status', status, ['failed', 'delivered']);
    if (from !== undefined) asked.from = readTime('--from', from);
    if (to !== undefined) asked.to = readTime('--to', to);
    return deps.db.transaction((tx) => replay(deps, tx, uuidOf(account), id, asked));
  },
};

const policyOf = ({ config }: Deps) => addressPolicy(config.webhookAllowCidrs);

function uuidOf(account: string): string {
  const id = parseId('acc', account);
  if (id === undefined) throw notFound('account');
  return id;
}

function readEvents(text: string | undefined): (typeof KINDS)[number][] | undefined {
  if (text === undefined || text === 'all') return undefined;
  return [...new Set(text.split(',').map((kind) => oneOf('--events', kind.trim(), KINDS)))];
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const known = allowed.find((each) => each === value);
  if (known === undefined) throw badRequest('option_invalid', `${option} is of ${allowed.join(', ')}`);
  return known;
}

function readTime(option: string, value: string): string {
  if (parseTimestamp(value) !== undefined) return value;
  throw badRequest('option_invalid', `${option} is an RFC 3339 time, such as 2026-11-20T08:00:00Z`);
}
