import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { GroupCommit, type GroupCommitOptions } from '../../shared/group-commit.ts';
import { idempotencyKey, idempotently } from '../../shared/http/idempotency.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { IngestWork, type Refusable, RequestWork, runAs } from '../../shared/postgres/work.ts';
import type { Pressure } from '../../shared/pressure.ts';
import type { StartedSession, TrackingHooks } from '../hooks.ts';
import { shortHashOf } from '../identifiers.ts';
import { SessionClients } from '../signals/session-clients.ts';
import { type Client, clientOf, isBotEvent, isBotVisit } from './client.ts';
import type { EventResponse, VisitResponse } from './contract.ts';
import type { NewVisit } from './new-visit.ts';
import type { FindPlace } from './place.ts';
import { readEvent } from './read-event.ts';
import { readVisit } from './read-visit.ts';
import { type NewEvent, recordEvents } from './record-events.ts';
import { type RecordedVisit, VisitRecorder } from './record-visits.ts';
import { readUserAgent } from './user-agent.ts';
import { visitorOf } from './visitor-cookie.ts';

const BATCH = { maxBatch: 256, maxConcurrent: 2, maxQueued: 20_000 };

type Members = Readonly<Record<string, unknown>>;

/** A transaction to take part in, and the sessions that started in it. */
export interface Inside {
  tx: Tx;
  started: StartedSession[];
}

/** Records visits and events of validated requests; resolves when they are committed. */
export class Ingest {
  readonly #deps: Deps;
  readonly #findPlace: FindPlace;
  readonly #clients: SessionClients;
  readonly #hooks: readonly TrackingHooks[];
  readonly #recorder: VisitRecorder;
  readonly #visits: GroupCommit<NewVisit, RecordedVisit>;
  readonly #events: GroupCommit<NewEvent, string>;

  constructor(deps: Deps, findPlace: FindPlace, pressure: Pressure, hooks: readonly TrackingHooks[]) {
    this.#deps = deps;
    this.#hooks = hooks;
    this.#findPlace = findPlace;
    this.#clients = new SessionClients(deps.secret);
    this.#recorder = new VisitRecorder(deps.db);
    const options = <Item extends { request: Refusable }>(type: string): GroupCommitOptions<Item> => {
      const sizes = deps.metrics.batches.labels(type);
      return {
        ...BATCH,
        requestOf: ({ request }) => request,
        workOf: (items) => new IngestWork(items.map(({ request }) => request)),
        onBatch: (size) => sizes.observe(size),
      };
    };
    this.#visits = new GroupCommit(async (batch) => {
      pressure.record(requestsOf(batch));
      const { recorded, started } = await this.#recorder.record(batch);
      this.#notifyStarted(started);
      return recorded;
    }, options('visit'));
    this.#events = new GroupCommit((batch) => {
      pressure.record(requestsOf(batch));
      return recordEvents(deps.db, batch, hooks);
    }, options('event'));
  }

  /** Runs `work` once for each Idempotency-Key; with a key, in one transaction. */
  async respond<T>(request: FastifyRequest, work: (inside?: Inside) => Promise<T>): Promise<T> {
    if (idempotencyKey(request) === undefined) return work();
    const started: StartedSession[] = [];
    const { accountId } = request.caller;
    const once = () => idempotently(this.#deps.db, request, accountId, (tx) => work({ tx, started }));
    // A transaction of its own, unlike the batches: it takes its turn.
    request.work = new RequestWork('requests', () => accountId);
    const response = await runAs(request.work, once);
    this.#notifyStarted(started);
    return response;
  }

  async visit(request: FastifyRequest, item: Members, sentAt: unknown, inside?: Inside): Promise<VisitResponse> {
    const receivedAt = this.#deps.clock();
    const sent = readVisit(this.#deps.sessionIds, item, sentAt, receivedAt);
    const client = clientOf(request, item);
    const visit: NewVisit = {
      ...sent,
      // The cookie is older than what a script stored. Without consent a visit has no visitor.
      visitorId: sent.visitorId === undefined ? undefined : (visitorOf(request) ?? sent.visitorId),
      accountId: request.caller.accountId,
      device: readUserAgent(client.userAgent),
      isBot: isBotVisit(request, client),
      isInternal: request.trackingSettings.isInternal(client.address),
      isTrusted: request.caller.type === 'secret',
      place: this.#findPlace(client.address),
      client: this.#sealed(request, client),
      receivedAt,
      request,
    };
    const recorded = await (inside ? this.#recordInside(visit, inside) : this.#visits.submit(visit));
    return {
      success: true,
      sessionId: this.#deps.sessionIds.idOf(recorded.sessionNumber),
      sessionHash: recorded.sessionHash,
      shortSessionHash: shortHashOf(recorded.sessionHash),
      visitorId: recorded.visitorId,
      isBot: visit.isBot,
    };
  }

  async event(request: FastifyRequest, item: Members, sentAt: unknown, inside?: Inside): Promise<EventResponse> {
    const receivedAt = this.#deps.clock();
    const client = clientOf(request, item);
    const event: NewEvent = {
      ...readEvent(this.#deps.sessionIds, item, sentAt, receivedAt),
      accountId: request.caller.accountId,
      isBot: isBotEvent(request, client),
      isInternal: request.trackingSettings.isInternal(client.address),
      isTrusted: request.caller.type === 'secret',
      receivedAt,
      request,
    };
    const id = await (inside
      ? recordEvents(this.#deps.db, [event], this.#hooks, inside.tx).then(only)
      : this.#events.submit(event));
    return { success: true, event_id: publicId('evt', id), isBot: event.isBot };
  }

  /** Of a page's visitor, or one that a server names; the address of the server says nothing about the visitor. */
  #sealed({ trackingSettings, caller }: FastifyRequest, client: Client): Buffer | undefined {
    const { address, userAgent } = client;
    const isVisitor = caller.type !== 'secret' || (client.isNamed && client.hasAddress);
    if (!trackingSettings.recordsClients || !isVisitor || userAgent === undefined) return undefined;
    return this.#clients.seal(caller.accountId, { address, userAgent });
  }

  async #recordInside(visit: NewVisit, inside: Inside): Promise<RecordedVisit> {
    const { recorded, started } = await this.#recorder.record([visit], inside.tx);
    inside.started.push(...started);
    return only(recorded);
  }

  #notifyStarted(started: StartedSession[]): void {
    if (started.length > 0) for (const hooks of this.#hooks) hooks.sessionsStarted(started);
  }
}

/** How many requests share a batch. Those of a full one have to wait, however few they are. */
function requestsOf(batch: readonly { request: object }[]): number {
  return batch.length >= BATCH.maxBatch ? batch.length : new Set(batch.map(({ request }) => request)).size;
}

function only<T>(list: T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('nothing was recorded');
  return first;
}
