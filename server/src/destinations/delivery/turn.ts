import type { Deps } from '../../shared/deps.ts';
import { newUuid } from '../../shared/ids.ts';
import { parseRetryAfter } from '../../shared/outbound/retry-schedule.ts';
import type { Outcome } from '../../shared/outbound/sender.ts';
import { isoTime } from '../../shared/time.ts';
import type { SessionClients } from '../../tracking/index.ts';
import type { DestinationRow } from '../manage/queries.ts';
import {
  canValidate,
  type EventFault,
  type Platform,
  type RequestContext,
  type Verdict,
} from '../platforms/platform.ts';
import { readStatus } from '../platforms/read-status.ts';
import { platformOf } from '../platforms/registry.ts';
import { type Batch, batchesOf, halvesOf, type Item } from './batches.ts';
import { type PlatformClient, storable, verdictOf } from './client.ts';
import type { Health } from './health.ts';
import type { Intent } from './intent.ts';
import type { Metrics } from './metrics.ts';
import { accepted, decidedRow, failed, queuedUntil } from './outcomes.ts';
import { type Client, plan } from './plan.ts';
import {
  adoptRequests,
  beginTurn,
  findDue,
  type OutcomeRow,
  type QueuedRow,
  recordOutcomes,
  storeRequest,
} from './queries.ts';
import type { RequestRate } from './request-rate.ts';

/** A turn claims no more after this time, so that every destination gets its turn. */
const TURN_MS = 5_000;
const MAX_CLAIMED = 2_000;
const MIN_CLAIMED = 200;
/** Requests at the same time: of batches, and of single events. */
const CONCURRENT_BATCHES = 4;
const CONCURRENT_SINGLES = 16;
/**
 * Plans that suit a batch are made once. Remembering rows that were read would cost as much as reading them: each is read
 * once.
 */
const PLANS = { keepsPlans: true, memoizes: false } as const;
/** From a request to the first question about its result, then doubled up to the most. */
const POLL_MS = 10_000;
const MAX_POLL_MS = 30 * 60_000;
const TEMPORARY_MS = 6 * 3_600_000;

export interface TurnDeps {
  deps: Deps;
  client: PlatformClient;
  clients: SessionClients;
  health: Health;
  metrics: Metrics;
  rate: RequestRate;
  random: () => number;
}

/**
 * One destination's turn: sends what is due, batch after batch. The caller holds the destination's lock, so no other process
 * sends to it meanwhile.
 */
export class Turn {
  readonly #destination: DestinationRow;
  readonly #platform: Platform;
  readonly #with: TurnDeps;
  readonly #signal: AbortSignal;
  readonly #context: RequestContext;
  readonly #id: string;
  /** Set when the platform refuses more requests for now, or another process has begun a turn. */
  #isBlocked = false;

  constructor(destination: DestinationRow, dependencies: TurnDeps, signal: AbortSignal) {
    this.#destination = destination;
    this.#platform = platformOf(destination.platform);
    this.#with = dependencies;
    this.#signal = signal;
    this.#id = newUuid(dependencies.deps.clock());
    this.#context = dependencies.client.context(destination, destination.mode === 'validate');
  }

  async run(): Promise<void> {
    const { deps } = this.#with;
    const end = performance.now() + TURN_MS;
    const limit = Math.min(MAX_CLAIMED, Math.max(MIN_CLAIMED, this.#platform.batch));
    await deps.db.transaction((tx) => beginTurn(tx, { ...this.#key, turn: this.#id }), { isDurable: false });
    await adoptRequests(deps.db, this.#key);
    while (!this.#isBlocked && !this.#signal.aborted && performance.now() < end) {
      const now = deps.clock();
      const due = { ...this.#key, now: new Date(now), limit, with_client: this.#platform.uses.client };
      const rows = await deps.db.transaction((tx) => findDue(tx, due), PLANS);
      if (rows.length === 0) return;
      if (!(await this.#process(rows, now)) || rows.length < limit) return;
    }
  }

  get #key() {
    return { account_id: this.#destination.account_id, destination_id: this.#destination.id };
  }

  /** Returns whether all of them were processed. */
  async #process(rows: readonly QueuedRow[], now: number): Promise<boolean> {
    const outcomes: OutcomeRow[] = [];
    const items: Item[] = [];
    const polls: (Sending & { requestId: string })[] = [];
    for (const row of rows) {
      const decision = plan(row, this.#destination, this.#platform, this.#clientOf(row), now);
      if (decision.type === 'send') items.push({ row, event: decision.event, intent: decision.intent });
      else if (decision.type === 'poll') polls.push({ requestId: decision.requestId, row, intent: decision.intent });
      else if (decision.type === 'wait') outcomes.push(queuedUntil(row, decision.until, null));
      else outcomes.push(decidedRow(row, decision.status, decision.reason, decision.action, row.intent, now));
    }
    if (outcomes.length > 0) await this.#record(outcomes);
    for (const [requestId, group] of Map.groupBy(polls, (poll) => poll.requestId)) {
      if (this.#cannotSend()) return false;
      await this.#poll(requestId, group);
    }
    if (this.#destination.mode === 'validate' && !canValidate(this.#platform, this.#context.credentials)) {
      await this.#record(items.map((item) => this.#validated(item)));
      return true;
    }
    const batches = batchesOf(items, this.#platform);
    const concurrency = this.#platform.batch === 1 ? CONCURRENT_SINGLES : CONCURRENT_BATCHES;
    for (let start = 0; start < batches.length; start += concurrency) {
      if (this.#signal.aborted || this.#isBlocked) return false;
      const chunk = batches.slice(start, start + concurrency);
      const requestId = await this.#begin(chunk);
      if (this.#isBlocked) return false;
      const results = await Promise.all(chunk.map((batch) => this.#send(batch)));
      await this.#record(results.flat(), requestId);
      if (this.#isBlocked) return false;
    }
    return true;
  }

  /** Stores the intents of batches, unless they are stored already. Returns what their outcome answers. */
  async #begin(batches: readonly Batch[]): Promise<string | null> {
    if (this.#destination.mode === 'validate') return null;
    const intents = batches.flat().filter(({ row, intent }) => row.intent !== intent);
    if (intents.length === 0) return null;
    const stored = await storeRequest(this.#with.deps.db, {
      ...this.#key,
      turn: this.#id,
      request_id: newUuid(this.#now),
      intents: JSON.stringify(Object.fromEntries(intents.map(({ row, intent }) => [row.conversion_id, intent]))),
    });
    const [request] = stored;
    if (request === undefined) this.#isBlocked = true;
    return request?.id ?? null;
  }

  /** Sends a batch, and its halves where the platform does not say which of its events it refuses. */
  async #send(batch: Batch): Promise<OutcomeRow[]> {
    // Nothing was sent: what was about to be is decided on again.
    if (this.#cannotSend()) return batch.map(({ row }) => queuedUntil(row, this.#now, row.intent));
    const events = batch.map(({ event }) => event);
    const build = (context: RequestContext) => this.#platform.build(events, context);
    const outcome = await this.#with.client.send(this.#destination, this.#platform, this.#context, build);
    const verdict = verdictOf(this.#platform, outcome, events, this.#context);
    this.#with.metrics.request(this.#destination.platform, verdict.type);
    return this.#judge(batch, verdict, outcome);
  }

  async #judge(batch: Batch, verdict: Verdict, outcome: Outcome): Promise<OutcomeRow[]> {
    const now = this.#now;
    switch (verdict.type) {
      case 'accepted': {
        await this.#with.health.succeeded(this.#destination);
        const faults = new Map((verdict.faults ?? []).map((fault) => [fault.index, fault]));
        return batch.map((item, index) => {
          const fault = faults.get(index);
          if (fault) return this.#refused(item, fault);
          return this.#destination.mode === 'validate' ? this.#validated(item) : accepted(item, now);
        });
      }
      case 'pending': {
        await this.#with.health.succeeded(this.#destination);
        const { requestId } = verdict;
        return batch.map(({ row, intent }) => queuedUntil(row, now + POLL_MS, { ...intent, requestId, polls: 0 }));
      }
      case 'culprits': {
        const faults = new Map(verdict.faults.map((fault) => [fault.index, fault]));
        const rows = batch.flatMap((item, index) => {
          const fault = faults.get(index);
          return fault ? [this.#refused(item, fault)] : [];
        });
        const [first, ...rest] = batch.filter((_, index) => !faults.has(index));
        return first ? [...rows, ...(await this.#send([first, ...rest]))] : rows;
      }
      case 'refused': {
        const [only] = batch;
        if (batch.length === 1) return [this.#refused(only, { index: 0, ...verdict })];
        const rows: OutcomeRow[] = [];
        for (const half of halvesOf(batch)) rows.push(...(await this.#send(half)));
        return rows;
      }
      case 'partial':
        return this.#divide(batch, { index: 0, ...verdict });
      case 'throttled':
      case 'unavailable':
      case 'lost':
      case 'credentials':
        return this.#fail(batch, verdict, outcome);
    }
  }

  /** Sends the halves of a batch apart from each other, to find the events at fault. */
  #divide(sent: readonly Sending[], fault: EventFault): OutcomeRow[] {
    const [only] = sent;
    if (only && sent.length === 1) return [this.#refused(only, fault)];
    const middle = Math.ceil(sent.length / 2);
    return [sent.slice(0, middle), sent.slice(middle)].flatMap((half) => {
      const group = newUuid(this.#now);
      return half.map(({ row, intent }) => queuedUntil(row, this.#now, { ...withoutRequest(intent), group }));
    });
  }

  async #fail(
    batch: Batch,
    { type, message }: { type: 'throttled' | 'unavailable' | 'lost' | 'credentials'; message: string },
    { retryAfter }: Outcome,
  ): Promise<OutcomeRow[]> {
    const now = this.#now;
    this.#isBlocked = true;
    const text = storable(this.#destination.platform, this.#context.credentials, eventsOf(batch), message);
    // An access token may have been revoked before it expired.
    if (type === 'credentials' && this.#with.client.forgetToken(this.#destination)) {
      return batch.map(({ row }) => queuedUntil(row, now, row.intent));
    }
    const retryAfterMs = parseRetryAfter(retryAfter, now);
    await this.#with.health.failed(this.#destination, type, text, retryAfterMs);
    if (type === 'throttled' || type === 'credentials') {
      return batch.map(({ row }) => queuedUntil(row, now, row.intent));
    }
    const failure = { message: text, retryAfter, isLost: type === 'lost', random: this.#with.random() };
    return batch.map((item) =>
      this.#destination.mode === 'validate' ? queuedUntil(item.row, now, null) : failed(item, failure, now),
    );
  }

  /** Asks what became of a request that the platform processes later. */
  async #poll(requestId: string, sent: readonly Sending[]): Promise<void> {
    const { poll } = this.#platform;
    if (poll === undefined) return;
    const outcome = await this.#with.client.send(this.#destination, this.#platform, this.#context, (context) =>
      poll.request(requestId, context),
    );
    await this.#record(await this.#judgePoll(sent, poll.read(outcome, sent.length), outcome));
  }

  async #judgePoll(sent: readonly Sending[], verdict: Verdict | undefined, outcome: Outcome): Promise<OutcomeRow[]> {
    const now = this.#now;
    if (verdict?.type === 'accepted') {
      const faults = new Map((verdict.faults ?? []).map((fault) => [fault.index, fault]));
      return sent.map((each, index) => {
        const fault = faults.get(index);
        return fault ? this.#refused(each, fault) : accepted(each, now);
      });
    }
    if (verdict?.type === 'partial') return this.#divide(sent, { index: 0, ...verdict });
    // A request that the platform does not know any more is made again.
    if (outcome.status === 400 || outcome.status === 404) {
      return sent.map(({ row, intent }) => queuedUntil(row, now, withoutRequest(intent)));
    }
    const { type, ...failure } = readStatus(outcome);
    if (type === 'credentials' && !this.#with.client.forgetToken(this.#destination)) {
      this.#isBlocked = true;
      const message = 'message' in failure ? (failure.message ?? '') : '';
      const text = storable(this.#destination.platform, this.#context.credentials, [], message);
      await this.#with.health.failed(this.#destination, type, text, undefined);
    }
    return sent.map(({ row, intent }) => {
      const polls = (intent.polls ?? 0) + 1;
      const delay = Math.min(MAX_POLL_MS, POLL_MS * 2 ** Math.min(polls, 20));
      return queuedUntil(row, now + delay, { ...intent, polls });
    });
  }

  #refused({ row, intent, event }: Sending, { reason, message, isTemporary }: EventFault): OutcomeRow {
    const now = this.#now;
    if (isTemporary) return queuedUntil(row, now + TEMPORARY_MS, null);
    const text = storable(this.#destination.platform, this.#context.credentials, event ? [event] : [], message);
    return decidedRow(row, 'rejected', reason.slice(0, 100), intent.action, intent, now, text);
  }

  #validated({ row, intent }: Item): OutcomeRow {
    return decidedRow(row, 'skipped', 'validated', 'none', intent, this.#now);
  }

  #cannotSend(): boolean {
    // The rest of the turn would only find the limit again.
    if (!this.#isBlocked && !this.#with.rate.take()) this.#isBlocked = true;
    return this.#signal.aborted || this.#isBlocked;
  }

  get #now(): number {
    return this.#with.deps.clock();
  }

  #clientOf({ client }: QueuedRow): Client | null {
    if (client === null) return null;
    try {
      return this.#with.clients.open(this.#destination.account_id, client);
    } catch {
      // Encrypted by another instance.
      return null;
    }
  }

  async #record(outcomes: readonly OutcomeRow[], request_id: string | null = null): Promise<void> {
    if (outcomes.length === 0) return;
    this.#with.metrics.outcomes(this.#destination.platform, outcomes);
    const recorded = { ...this.#key, outcomes, request_id, now: isoTime(this.#now) };
    // What a crash of the database loses is repeated, if the platform recognizes that.
    const isDurable = this.#platform.dedupeHours <= 1;
    await this.#with.deps.db.transaction((tx) => recordOutcomes(tx, recorded), { ...PLANS, isDurable });
  }
}

/** A conversion that is being sent, or was. */
interface Sending extends Omit<Item, 'event'> {
  event?: Item['event'];
}

const withoutRequest = ({ requestId: _, polls: __, ...intent }: Intent): Intent => intent;

const eventsOf = (batch: Batch) => batch.map(({ event }) => event);
