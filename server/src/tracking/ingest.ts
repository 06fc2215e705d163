import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { GroupCommit } from '../shared/group-commit.ts';
import { idempotencyKey, idempotently } from '../shared/http/idempotency.ts';
import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { pressureOf } from '../shared/pressure.ts';
import { isBot, isServer } from './bots.ts';
import type { EventAnswer, EventItem, VisitAnswer, VisitItem } from './contract.ts';
import type { FindCountry } from './country.ts';
import { readProperties } from './event-properties.ts';
import { shortHashOf } from './identifier.ts';
import { readLanding } from './landing.ts';
import { occurredAt } from './occurred-at.ts';
import { type BegunSession, reactionsOf } from './reactions.ts';
import { type NewEvent, recordEvents } from './record-events.ts';
import { type NewVisit, type RecordedVisit, VisitRecorder } from './record-visits.ts';
import { readUserAgent } from './user-agent.ts';

const BATCH = { maxBatch: 256, maxConcurrent: 2, maxWaiting: 20_000 };

/** A transaction to take part in, and the sessions that began in it. */
export interface Inside {
  tx: Tx;
  begun: BegunSession[];
}

/** Records visits and events of checked requests; each is answered when it is committed. */
export class Ingest {
  readonly #deps: Deps;
  readonly #findCountry: FindCountry;
  readonly #recorder: VisitRecorder;
  readonly #visits: GroupCommit<NewVisit, RecordedVisit>;
  readonly #events: GroupCommit<NewEvent, string>;

  constructor(deps: Deps, findCountry: FindCountry) {
    this.#deps = deps;
    this.#findCountry = findCountry;
    this.#recorder = new VisitRecorder(deps.db);
    const pressure = pressureOf(deps);
    const options = (kind: string) => {
      const sizes = deps.metrics.batches.labels(kind);
      const onBatch = (size: number) => {
        sizes.observe(size);
        pressure.note(size);
      };
      return { ...BATCH, onBatch };
    };
    this.#visits = new GroupCommit(async (batch) => {
      const { recorded, begun } = await this.#recorder.record(batch);
      this.#announce(begun);
      return recorded;
    }, options('visit'));
    this.#events = new GroupCommit((batch) => recordEvents(deps.db, batch, reactionsOf(deps)), options('event'));
  }

  /** Answers a request by `work`: once for each Idempotency-Key, then in one transaction. */
  async answer<T>(request: FastifyRequest, work: (inside?: Inside) => Promise<T>): Promise<T> {
    if (idempotencyKey(request) === undefined) return work();
    const begun: BegunSession[] = [];
    const answer = await idempotently(this.#deps.db, request, request.caller.accountId, (tx) => work({ tx, begun }));
    this.#announce(begun);
    return answer;
  }

  async visit(request: FastifyRequest, item: VisitItem, sentAt?: string, inside?: Inside): Promise<VisitAnswer> {
    const visit = this.#readVisit(request, item, sentAt);
    const recorded = await (inside ? this.#visitInside(visit, inside) : this.#visits.submit(visit));
    return {
      success: true,
      sessionId: recorded.sessionNumber,
      sessionHash: recorded.sessionHash,
      shortSessionHash: shortHashOf(recorded.sessionHash),
      visitorId: recorded.visitorId,
    };
  }

  async event(request: FastifyRequest, item: EventItem, sentAt?: string, inside?: Inside): Promise<EventAnswer> {
    const event = this.#readEvent(request, item, sentAt);
    const id = await (inside
      ? recordEvents(this.#deps.db, [event], reactionsOf(this.#deps), inside.tx).then(only)
      : this.#events.submit(event));
    return { success: true, event_id: publicId('evt', id) };
  }

  async #visitInside(visit: NewVisit, { tx, begun }: Inside): Promise<RecordedVisit> {
    const result = await this.#recorder.record([visit], tx);
    begun.push(...result.begun);
    return only(result.recorded);
  }

  #announce(begun: BegunSession[]): void {
    if (begun.length > 0) for (const reaction of reactionsOf(this.#deps)) reaction.sessionsBegan(begun);
  }

  #readVisit(request: FastifyRequest, item: VisitItem, sentAt: string | undefined): NewVisit {
    const receivedAt = this.#deps.clock();
    return {
      accountId: request.caller.accountId,
      visitId: item.visitId,
      url: item.url,
      landing: readLanding(item.url),
      // document.referrer is empty where there is none.
      referrer: item.referrer || null,
      title: item.title ?? null,
      visitorId: item.visitorId,
      sessionHash: item.sessionHash,
      device: readUserAgent(request.headers['user-agent']),
      isBot: isBot(request),
      isInternal: request.trackingSettings.isInternal(request.ip),
      country: this.#findCountry(request.ip),
      occurredAt: occurredAt(item.timestamp, sentAt, receivedAt),
      receivedAt,
    };
  }

  #readEvent(request: FastifyRequest, item: EventItem, sentAt: string | undefined): NewEvent {
    const { event, properties = {} } = item;
    const { accountId, kind } = request.caller;
    const { json, email, value, identifiers } = readProperties(properties);
    const receivedAt = this.#deps.clock();
    const trusted = kind === 'secret';
    return {
      accountId,
      event,
      json,
      clientEventId: properties.event_id ?? null,
      identifiers,
      email,
      value,
      currency: (properties as { currency?: unknown }).currency,
      isBot: !isServer(request) && isBot(request),
      isInternal: request.trackingSettings.isInternal(request.ip),
      trusted,
      occurredAt: occurredAt(properties.timestamp, sentAt, receivedAt),
      receivedAt,
    };
  }
}

function only<T>(list: T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('nothing was recorded');
  return first;
}
