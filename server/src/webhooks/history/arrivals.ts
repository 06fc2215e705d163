import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { firstUuidAt, newUuid, parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { storableText } from '../../shared/json.ts';
import type { Outcome } from '../../shared/outbound/sender.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { isoTime } from '../../shared/time.ts';
import { HOUR } from '../../shared/units.ts';
import type { Arrival } from '../contract.ts';
import { signedHeaders, type WebhookSecrets } from '../endpoints/secrets.ts';

/** Deliveries are kept for this long, so many of them, and so much of each. */
export const KEPT_HOURS = 24;
const KEPT = 50;
const MAX_BODY = 65_536;
/** What arrives faster is answered and not kept. */
const PER_SECOND = 10;

export const PATH = '/webhook-tests/';

const SECRET_HEADERS = /^(authorization|cookie|x-api-key|proxy-.*)$/;

interface ArrivalRow {
  id: string;
  endpoint_id: string | null;
  headers: Record<string, string>;
  body: string;
  bytes: number;
  signature: Arrival['signature'];
}

const insertArrival = statement('webhooks.insert_arrival', {
  account_id: 'uuid',
  id: 'uuid',
  endpoint_id: 'uuid?',
  headers: 'jsonb',
  body: 'text',
  bytes: 'integer',
  signature: 'text',
}).runs(
  `insert into webhook_arrivals (account_id, id, endpoint_id, headers, body, bytes, signature)
   values (:account_id, :id, :endpoint_id, :headers, :body, :bytes, :signature)`,
);

const deleteOlder = statement('webhooks.delete_older_arrivals', { account_id: 'uuid', kept: 'integer' }).runs(
  `delete from webhook_arrivals where account_id = :account_id
     and id <= (select id from webhook_arrivals where account_id = :account_id order by id desc offset :kept limit 1)`,
);

const listArrivals = statement('webhooks.list_arrivals', { account_id: 'uuid', after: 'uuid' }).returns<ArrivalRow>(
  `select id, endpoint_id, headers, body, bytes, signature from webhook_arrivals
   where account_id = :account_id and id > :after order by id desc`,
);

export const deleteArrivals = statement('webhooks.delete_arrivals', { account_id: 'uuid' }).runs(
  'delete from webhook_arrivals where account_id = :account_id',
);

export const deleteArrivalsBefore = statement('webhooks.delete_arrivals_before', { end: 'uuid' }).runs(
  'delete from webhook_arrivals where id < :end',
);

const findSigners = statement('webhooks.find_signers', { account_id: 'uuid', url: 'text' }).returns<{
  account_id: string;
  id: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
}>(
  `select account_id, id, secret, previous_secret, previous_secret_until from webhook_endpoints
   where account_id = :account_id and url = :url`,
);

/**
 * A URL of the service, one for each account, that keeps what arrives there for a day: to see what an endpoint would receive, with no
 * server of one's own. Whoever knows the URL can send to it, and reads nothing by it.
 */
export class TestEndpoint {
  readonly #deps: Pick<Deps, 'db' | 'secret' | 'publicUrl' | 'clock'>;
  readonly #secrets: WebhookSecrets;
  /** By account, how many were kept in the current second. */
  readonly #kept = new Map<string, number>();
  #second = 0;

  constructor(deps: Pick<Deps, 'db' | 'secret' | 'publicUrl' | 'clock'>, secrets: WebhookSecrets) {
    this.#deps = deps;
    this.#secrets = secrets;
  }

  urlOf(accountId: string): string {
    const id = publicId('acc', accountId);
    return `${this.#deps.publicUrl()}${PATH}${id}-${this.#sign(id)}`;
  }

  /** Whether deliveries to a URL come back to this service: it need not be reachable from itself. */
  isOwn(url: string): boolean {
    const start = `${this.#deps.publicUrl()}${PATH}`;
    return url.startsWith(start) && this.accountOf(url.slice(start.length)) !== undefined;
  }

  /** The account of the last part of a URL; undefined if the service did not make it. */
  accountOf(token: string): string | undefined {
    const [id = '', signature = ''] = token.split('-');
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#sign(id));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return parseId('acc', id);
  }

  #sign(id: string): string {
    return createHmac('sha256', this.#deps.secret).update(`webhook tests\n${id}`).digest('hex').slice(0, 32);
  }

  /** A delivery of this service, as an attempt at an endpoint. */
  async deliver(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
    const start = performance.now();
    const account = this.accountOf(url.slice(url.lastIndexOf('/') + 1));
    if (account !== undefined) await this.receive(account, headers, body);
    return {
      status: 200,
      error: null,
      response: null,
      ms: Math.round(performance.now() - start),
      retryAfter: undefined,
    };
  }

  async receive(accountId: string, headers: Record<string, string>, body: string): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock();
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) this.#kept.clear();
    this.#second = second;
    const kept = this.#kept.get(accountId) ?? 0;
    this.#kept.set(accountId, kept + 1);
    if (kept >= PER_SECOND) return;
    const { signature, endpoint } = await this.#verify(accountId, headers, body);
    const shown = Object.entries(headers).filter(([name]) => !SECRET_HEADERS.test(name));
    await insertArrival(db, {
      account_id: accountId,
      id: newUuid(now),
      endpoint_id: endpoint,
      headers: JSON.stringify(
        Object.fromEntries(shown.map(([name, value]) => [name, storableText(value).slice(0, 2_000)])),
      ),
      body: storableText(body.slice(0, MAX_BODY)),
      bytes: Buffer.byteLength(body),
      signature,
    });
    await deleteOlder(db, { account_id: accountId, kept: KEPT });
  }

  /** By the secrets of the account's webhooks that send here. */
  async #verify(accountId: string, headers: Record<string, string>, body: string) {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': sent } = headers;
    if (id === undefined || timestamp === undefined || sent === undefined)
      return { signature: 'missing', endpoint: null } as const;
    const signers = await findSigners(this.#deps.db, { account_id: accountId, url: this.urlOf(accountId) });
    const given = new Set(sent.split(' '));
    for (const signer of signers) {
      const at = Number(timestamp) * 1_000;
      if (!Number.isSafeInteger(at)) break;
      const own = await signedHeaders(this.#deps.db, this.#secrets, signer, id, body, at);
      const isValid =
        own['webhook-timestamp'] === timestamp && own['webhook-signature'].split(' ').some((each) => given.has(each));
      if (isValid) return { signature: 'valid', endpoint: signer.id } as const;
    }
    return { signature: signers.length === 0 ? 'unknown' : 'invalid', endpoint: null } as const;
  }

  async list(accountId: string): Promise<Arrival[]> {
    const after = firstUuidAt(this.#deps.clock() - KEPT_HOURS * HOUR);
    const rows = await listArrivals(this.#deps.db, { account_id: accountId, after });
    return rows.map(({ id, endpoint_id, headers, body, bytes, signature }) => ({
      id: publicId('arr', id),
      at: isoTime(uuidTime(id)),
      webhookId: endpoint_id && publicId('whk', endpoint_id),
      headers,
      body,
      bytes,
      signature,
    }));
  }
}
