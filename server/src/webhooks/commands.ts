import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { FIRST_ID, parseId } from '../shared/ids.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import { parseTimestamp } from '../shared/time.ts';
import type { DeliveriesQuery, Replay, WebhookChange } from './contract.ts';
import { createWebhook } from './endpoints/create-webhook.ts';
import { listEndpoints } from './endpoints/queries.ts';
import { rotateSecret, WebhookSecrets, withSecret } from './endpoints/secrets.ts';
import { requireEndpoint, serializeWebhook } from './endpoints/serialize.ts';
import { deleteWebhook, updateWebhook } from './endpoints/update-webhook.ts';
import { getDelivery, listDeliveryPage } from './history/list-deliveries.ts';
import { startReplay } from './history/replay.ts';
import { sendTest } from './history/send-test.ts';
import { Partitions } from './partitions.ts';
import { ALL_TOPICS, TOPICS } from './topics/topic.ts';

/** The options of `headwater webhooks …`. */
export interface WebhookOptions {
  url?: string | undefined;
  /** Topics separated by commas, or `all`. */
  events?: string | undefined;
  description?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  delivery?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Command = (deps: Deps, accountId: string, webhookId: string, options: WebhookOptions) => Promise<unknown>;

const PAGE_SIZE = 100;

/**
 * The operations of `/v1/webhooks` for the command line, by name. Each takes the account's public id and, except for
 * `create` and `list`, the webhook's.
 * @throws ApiError as the API does
 */
export const WEBHOOK_COMMANDS: Record<string, Command> = {
  create: async (deps, account, _id, { url = '', events, description }) => {
    const secrets = new WebhookSecrets(deps.vault);
    const accountId = uuidOf(account);
    const body = { url, events: readTopics(events) ?? null, description: description ?? null };
    const webhook = await deps.db.transaction((tx) =>
      createWebhook(tx, secrets, policyOf(deps), accountId, body, deps.clock()),
    );
    return withSecret(deps.db, secrets, accountId, webhook);
  },
  list: async ({ db, clock }, account) => {
    const rows = await listEndpoints(db, {
      account_id: uuidOf(account),
      role_id: null,
      maker_id: null,
      after: FIRST_ID,
      limit: PAGE_SIZE,
    });
    return { webhooks: rows.map((row) => serializeWebhook(row, clock())) };
  },
  get: async ({ db, clock }, account, id) => serializeWebhook(await requireEndpoint(db, uuidOf(account), id), clock()),
  update: async (deps, account, id, { url, events, description, status }) => {
    const change: WebhookChange = {};
    if (url !== undefined) change.url = url;
    if (events !== undefined) change.events = readTopics(events) ?? null;
    if (description !== undefined) change.description = description;
    if (status !== undefined) change.status = oneOf('--status', status, ['active', 'disabled']);
    const { after } = await deps.db.transaction((tx) =>
      updateWebhook(tx, new WebhookSecrets(deps.vault), policyOf(deps), uuidOf(account), id, change, deps.clock()),
    );
    return after;
  },
  delete: ({ db, clock }, account, id) => db.transaction((tx) => deleteWebhook(tx, uuidOf(account), id, clock())),
  'rotate-secret': async ({ db, vault, clock }, account, id) => {
    const secrets = new WebhookSecrets(vault);
    const webhook = await rotateSecret(db, secrets, uuidOf(account), id, clock());
    return withSecret(db, secrets, uuidOf(account), webhook);
  },
  test: ({ db, clock }, account, id) => sendTest(db, new Partitions(db), uuidOf(account), id, clock()),
  deliveries: async ({ db, pageTokens, clock }, account, id, { status, type, delivery }) => {
    if (delivery !== undefined) return getDelivery(db, uuidOf(account), id, delivery, clock());
    const query: DeliveriesQuery = { pageSize: PAGE_SIZE };
    if (status !== undefined) query.status = oneOf('--status', status, ['pending', 'delivered', 'failed']);
    if (type !== undefined) query.type = oneOf('--type', type, ALL_TOPICS);
    const { deliveries } = await listDeliveryPage(db, pageTokens, uuidOf(account), id, query, clock());
    return { deliveries };
  },
  replay: (deps, account, id, { delivery, status, from, to }) => {
    const selection: Replay = {};
    if (delivery !== undefined) selection.deliveryId = delivery;
    if (status !== undefined) selection.status = oneOf('--status', status, ['failed', 'delivered']);
    if (from !== undefined) selection.from = readTime('--from', from);
    if (to !== undefined) selection.to = readTime('--to', to);
    return deps.db.transaction((tx) => startReplay(deps, tx, uuidOf(account), id, selection));
  },
};

const policyOf = ({ config }: Deps) => connectPolicy(config.webhookAllowCidrs);

function uuidOf(account: string): string {
  const id = parseId('acc', account);
  if (id === undefined) throw notFound('account');
  return id;
}

function readTopics(text: string | undefined): (typeof TOPICS)[number][] | undefined {
  if (text === undefined || text === 'all') return undefined;
  return [...new Set(text.split(',').map((topic) => oneOf('--events', topic.trim(), TOPICS)))];
}

function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const known = allowed.find((each) => each === value);
  if (known !== undefined) return known;
  throw badRequest('option_invalid', `The value of ${option} is invalid. Use one of: ${allowed.join(', ')}.`);
}

function readTime(option: string, value: string): string {
  if (parseTimestamp(value) !== undefined) return value;
  throw badRequest('option_invalid', `The value of ${option} is not a time. Use RFC 3339: 2026-11-20T08:00:00Z.`);
}
