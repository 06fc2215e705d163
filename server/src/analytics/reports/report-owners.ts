import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, notFound } from '../../shared/errors.ts';
import type { App } from '../../shared/http/server.ts';
import type { Logger } from '../../shared/log.ts';
import type { Peers } from '../../shared/peers.ts';
import { SecretBox } from '../../shared/secret-box.ts';
import { REPORT_MS, type ReportRequests, type ReportResults, type ReportRunner } from '../engine/index.ts';

const PATH = '/internal/reports';

/** A process that does not even accept a report within this time is passed over. */
const ACCEPT_MS = 3_000;
/** Longer than a report may take, so that the owner's refusal of a slow one arrives before it is mistaken for a hung process. */
const ANSWER_MS = REPORT_MS + 1_500;
const UNAVAILABLE_MS = 10_000;

/** Sent at once, so that a process that computes can be told from one that hangs. */
const ACCEPTED = Buffer.from(' ');

interface Forwarded {
  type: keyof ReportRequests;
  request: ReportRequests[keyof ReportRequests];
}

type Outcome = { result: unknown } | { refusal: Pick<ApiError, 'status' | 'code' | 'message' | 'headers'> };

const Body = Type.Object({ accountId: Type.String({ format: 'uuid' }), sealed: Type.String() });
type SealedReport = Static<typeof Body>;

/**
 * Runs the reports of an account in the process that owns it, so that its segments are in the memory of one process only: the
 * first of all live processes by a hash of account and process. The process that received the request has checked its
 * permissions. If the owner cannot be reached or fails, the report runs here.
 *
 * What is sent is encrypted with the instance's secret, which also proves that the sender is a process of this instance.
 */
export class ReportOwners implements Pick<ReportRunner, 'run'> {
  readonly #runner: Pick<ReportRunner, 'run'>;
  readonly #peers: Pick<Peers, 'id' | 'reachable'>;
  readonly #box: SecretBox;
  readonly #log: Logger;
  /** By the monotonic clock. */
  readonly #unavailableUntil = new Map<string, number>();

  constructor(
    { secret, log }: Pick<Deps, 'secret' | 'log'>,
    runner: Pick<ReportRunner, 'run'>,
    peers: Pick<Peers, 'id' | 'reachable'>,
  ) {
    this.#runner = runner;
    this.#peers = peers;
    this.#box = new SecretBox(secret, 'reports of other processes');
    this.#log = log;
  }

  async run<Type extends keyof ReportRequests>(
    type: Type,
    request: ReportRequests[Type],
    abandoned?: AbortSignal,
  ): Promise<ReportResults[Type]> {
    const owner = this.#ownerOf(request.accountId);
    if (!owner) return this.#runner.run(type, request, abandoned);
    try {
      return (await this.#runAt(owner, { type, request }, abandoned)) as ReportResults[Type];
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (!abandoned?.aborted) {
        this.#unavailableUntil.set(owner.id, performance.now() + UNAVAILABLE_MS);
        this.#log.warn({ err: error, url: owner.url }, 'a process could not be reached; its reports run here');
      }
      return this.#runner.run(type, request, abandoned);
    }
  }

  routes(app: App): void {
    app.post(
      PATH,
      {
        config: {
          access: 'open',
          // Only for a process of this instance: finding the cell of an account may take a query.
          accountOf: ({ body }: FastifyRequest) =>
            this.#open(body as SealedReport) ? (body as SealedReport).accountId : undefined,
        },
        schema: { hide: true, body: Body },
      },
      async (request, reply) => this.#receive(request.body as SealedReport, reply),
    );
  }

  /** undefined: this process. */
  #ownerOf(accountId: string): { id: string; url: string } | undefined {
    const now = performance.now();
    const others = this.#peers.reachable().filter(({ id }) => (this.#unavailableUntil.get(id) ?? 0) < now);
    if (others.length === 0) return undefined;
    const weight = (id: string) => createHash('sha1').update(`${id} ${accountId}`).digest('latin1');
    let [owner, most]: [(typeof others)[number] | undefined, string] = [undefined, weight(this.#peers.id)];
    for (const other of others) {
      const own = weight(other.id);
      if (own > most) [owner, most] = [other, own];
    }
    return owner;
  }

  async #runAt(
    { id, url }: { id: string; url: string },
    forwarded: Forwarded,
    abandoned: AbortSignal | undefined,
  ): Promise<unknown> {
    const { accountId } = forwarded.request;
    const sealed = this.#box.seal(serialize(forwarded), `${id} ${accountId}`).toString('base64');
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('the process does not respond')), ACCEPT_MS);
    const signals = [late.signal, AbortSignal.timeout(ANSWER_MS), ...(abandoned ? [abandoned] : [])];
    const response = await fetch(url + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accountId, sealed }),
      signal: AbortSignal.any(signals),
      redirect: 'error',
    }).finally(() => clearTimeout(timer));
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`the process responded with ${response.status}`);
    // Bound to the request, so that no other response passes for it.
    const outcome = deserialize(this.#box.open(bytes.subarray(ACCEPTED.length), sealed)) as Outcome;
    if ('result' in outcome) return outcome.result;
    const { status, code, message, headers } = outcome.refusal;
    throw new ApiError(status, code, message, { headers });
  }

  /** undefined: whoever sent it is no process of this instance. */
  #open({ accountId, sealed }: SealedReport): Forwarded | undefined {
    try {
      return deserialize(this.#box.open(Buffer.from(sealed, 'base64'), `${this.#peers.id} ${accountId}`)) as Forwarded;
    } catch {
      return undefined;
    }
  }

  /** Runs a report for another process. Whoever is no process of this instance gets 404. */
  #receive(request: SealedReport, reply: FastifyReply): FastifyReply {
    const { sealed } = request;
    const forwarded = this.#open(request);
    if (!forwarded) throw notFound('resource');
    const abandoned = new AbortController();
    reply.raw.once('close', () => abandoned.abort());
    const body = new PassThrough();
    body.write(ACCEPTED);
    const send = (outcome: Outcome) => body.end(this.#box.seal(serialize(outcome), sealed));
    this.#runner.run(forwarded.type, forwarded.request, abandoned.signal).then(
      (result) => send({ result }),
      (error: Error) => {
        if (!(error instanceof ApiError)) return body.destroy(error);
        const { status, code, message, headers } = error;
        return send({ refusal: { status, code, message, headers } });
      },
    );
    return reply.header('content-type', 'application/octet-stream').send(body);
  }
}
