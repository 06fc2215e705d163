import type { Deps } from '../../shared/deps.ts';
import { newUuid } from '../../shared/ids.ts';
import { parseRetryAfter } from '../../shared/outbound/retry-schedule.ts';
import type { Outcome } from '../../shared/outbound/sender.ts';
import { isoTime } from '../../shared/time.ts';
import { HOUR, MINUTE } from '../../shared/units.ts';
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
import { type Batch, batchesOf, type Item, partsOf } from './batches.ts';
import { type PlatformClient, storable, verdictOf } from './client.ts';
import { distinguishTimes } from './distinct-times.ts';
import type { Failure, Health } from './health.ts';
import type { Intent } from './intent.ts';
import type { Metrics } from './metrics.ts';
import { accepted, decidedRow, lost, queuedUntil, stillQueued } from './outcomes.ts';
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
import type { ValueFactors } from './value-factors.ts';

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
const MAX_POLL_MS = 30 * MINUTE;
const TEMPORARY_MS = 6 * HOUR;

export interface TurnDeps {
  deps: Deps;
  client: PlatformClient;
  clients: SessionClients;
  health: Health;
  metrics: Metrics;
  rate: RequestRate;
  random: () => number;
  factors: ValueFactors;
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
  /** Set when so much was refused that the destination pauses. */
  #hasTooMany = false;
  /** Set when something was queued to be sent by this very turn. */
  #hasMore = false;

  constructor(destination: DestinationRow, context: RequestContext, dependencies: TurnDeps, signal: AbortSignal) {
    this.#destination = destination;
    this.#platform = platformOf(destination.platform);
    this.#with = dependencies;
    this.#signal = signal;
    this.#id = newUuid(dependencies.deps.clock());
    this.#context = context;
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
      this.#hasMore = false;
      if (!(await this.#process(rows, now))) return;
      if (rows.length < limit && !this.#hasMore) return;
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
    const { account_id, value_sent } = this.#destination;
    const factorOf = value_sent === 'expected' ? await this.#with.factors.of(account_id, now) : undefined;
    for (const row of rows) {
      const decision = plan(row, this.#destination, this.#platform, this.#clientOf(row), now, factorOf);
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
    const batches = batchesOf(await this.#distinguished(items), this.#platform);
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

  /** Without the changes that the platform would apply to more than one conversion. */
  async #distinguished(items: Item[]): Promise<Item[]> {
    const [clickIdName] = this.#platform.clickIds;
    if (!this.#platform.isKeyedByTime || clickIdName === undefined) return items;
    const { db } = this.#with.deps;
    const now = this.#now;
    const found = await distinguishTimes(db, this.#key, clickIdName, items, now);
    await this.#record(
      found.ambiguous.map(({ row, intent }) =>
        decidedRow(row, 'not_adjustable', 'ambiguous_time', intent.action, intent, now),
      ),
    );
    return found.items;
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

  async #send(batch: Batch): Promise<OutcomeRow[]> {
    // Nothing was sent: what was about to be is decided on again.
    if (this.#cannotSend()) return batch.map(({ row }) => stillQueued(row, this.#now, row.intent));
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
      case 'accepted':
        return this.#judgeEach(batch, verdict.faults ?? [], (item) =>
          this.#destination.mode === 'validate' ? this.#validated(item) : accepted(item, now),
        );
      case 'pending': {
        const { requestId } = verdict;
        await this.#with.health.succeeded(this.#destination);
        return batch.map(({ row, intent }) => queuedUntil(row, now + POLL_MS, { ...intent, requestId, polls: 0 }));
      }
      case 'culprits': {
        // The others are sent by a request of their own, in the next round.
        const rest = batch.length - verdict.faults.length;
        if (rest > 0) this.#hasMore = true;
        return this.#judgeEach(batch, verdict.faults, ({ row }) => stillQueued(row, now, row.intent), rest > 0);
      }
      case 'refused':
        if (batch.length === 1) return this.#judgeEach(batch, [{ index: 0, ...verdict }], () => unreachable());
        return this.#divide(batch, ({ row }) => row.intent);
      case 'partial':
        if (batch.length === 1) return this.#judgeEach(batch, [{ index: 0, ...verdict }], () => unreachable());
        return this.#divide(batch, ({ intent }) => withoutRequest(intent));
      case 'throttled':
      case 'unavailable':
      case 'lost':
      case 'credentials':
      case 'access':
        return this.#fail(batch, verdict, outcome);
    }
  }

  /**
   * What became of each event of a request: those at fault are refused, unless so many were refused for the same reason that
   * the destination must be at fault.
   */
  async #judgeEach(
    sent: readonly Sending[],
    faults: readonly EventFault[],
    others: (each: Sending) => OutcomeRow,
    isOpen = false,
  ): Promise<OutcomeRow[]> {
    const { health } = this.#with;
    const faultOf = new Map(faults.map((fault) => [fault.index, fault]));
    if (faultOf.size < sent.length && !isOpen) await health.succeeded(this.#destination);
    const refused = faults.filter(({ isTemporary }) => !isTemporary);
    const isAll = !isOpen && faultOf.size === sent.length;
    const pauses = isAll && (this.#hasTooMany || (await this.#hasTooManyRefusals(refused)));
    return sent.map((each, index) => {
      const fault = faultOf.get(index);
      if (fault === undefined) return others(each);
      return pauses ? stillQueued(each.row, this.#now, null) : this.#refused(each, fault);
    });
  }

  async #hasTooManyRefusals(refused: readonly EventFault[]): Promise<boolean> {
    const { health } = this.#with;
    const shorten = (text: string) => storable(this.#destination.platform, this.#context.credentials, [], text);
    if (!(await health.refused(this.#destination, refused, shorten))) return false;
    this.#isBlocked = true;
    this.#hasTooMany = true;
    return true;
  }

  /**
   * Has the parts of a batch sent apart from each other, to find the events at fault. The parts are stored: however few
   * requests a turn may make, the next one continues here.
   */
  #divide(sent: readonly Sending[], intentOf: (each: Sending) => Intent | null): OutcomeRow[] {
    this.#hasMore = true;
    return partsOf(sent).flatMap((part) => {
      const group = newUuid(this.#now);
      return part.map((each) => stillQueued(each.row, this.#now, intentOf(each), group));
    });
  }

  async #fail(batch: Batch, { type, message }: Extract<Verdict, { type: Failure }>, outcome: Outcome) {
    const now = this.#now;
    const { health, client } = this.#with;
    this.#isBlocked = true;
    const text = storable(this.#destination.platform, this.#context.credentials, eventsOf(batch), message);
    // An access token may have been revoked before it expired.
    if ((type === 'credentials' || type === 'access') && client.forgetToken(this.#destination)) {
      return batch.map(({ row }) => stillQueued(row, now, row.intent));
    }
    await health.failed(this.#destination, type, text, parseRetryAfter(outcome.retryAfter, now));
    if (type !== 'lost') return batch.map(({ row }) => stillQueued(row, now, row.intent));
    if (this.#destination.mode === 'validate') return batch.map(({ row }) => stillQueued(row, now, null));
    const failure = { message: text, retryAfter: outcome.retryAfter, random: this.#with.random() };
    const rows = batch.map((item) => lost(item, failure, now));
    if (batch.length === 1 || !this.#isAtFault(batch, outcome)) return rows;
    // Something in this batch breaks the platform's request: the parts are repeated apart, at the times of the retry.
    const groups = partsOf(rows).map((part) => ({ part, group: newUuid(now) }));
    return groups.flatMap(({ part, group }) =>
      part.map((row) => (row.due_at === null ? row : { ...row, batch_group: group })),
    );
  }

  /** Whether a batch was answered by errors more than once, while others were accepted. */
  #isAtFault([{ row, intent }]: Batch, { status }: Outcome): boolean {
    const { last_sent_at: lastSentAt } = this.#destination;
    return status !== null && status >= 500 && row.tries > 0 && (lastSentAt?.getTime() ?? 0) > intent.firstAt;
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
    if (verdict?.type === 'accepted') return this.#judgeEach(sent, verdict.faults ?? [], (each) => accepted(each, now));
    if (verdict?.type === 'partial' && sent.length === 1) {
      return this.#judgeEach(sent, [{ index: 0, ...verdict }], () => unreachable());
    }
    if (verdict?.type === 'partial') return this.#divide(sent, ({ intent }) => withoutRequest(intent));
    // It was processed, and nothing was counted.
    if (verdict?.type === 'access') {
      await this.#pause('access', verdict.message);
      return sent.map(({ row }) => stillQueued(row, now, null));
    }
    // A request that the platform does not know any more is made again.
    if (outcome.status === 400 || outcome.status === 404) {
      return sent.map(({ row, intent }) => queuedUntil(row, now, withoutRequest(intent)));
    }
    const { type, ...failure } = readStatus(outcome);
    if ((type === 'credentials' || type === 'access') && !this.#with.client.forgetToken(this.#destination)) {
      await this.#pause(type, 'message' in failure ? (failure.message ?? '') : '');
    }
    return sent.map(({ row, intent }) => {
      const polls = (intent.polls ?? 0) + 1;
      const delay = Math.min(MAX_POLL_MS, POLL_MS * 2 ** Math.min(polls, 20));
      return queuedUntil(row, now + delay, { ...intent, polls });
    });
  }

  async #pause(type: 'credentials' | 'access', message: string): Promise<void> {
    this.#isBlocked = true;
    const text = storable(this.#destination.platform, this.#context.credentials, [], message);
    await this.#with.health.failed(this.#destination, type, text, undefined);
  }

  #refused({ row, intent, event }: Sending, { reason, message, isTemporary }: EventFault): OutcomeRow {
    const now = this.#now;
    if (isTemporary) return queuedUntil(row, now + TEMPORARY_MS, null);
    const text = storable(this.#destination.platform, this.#context.credentials, event ? [event] : [], message);
    return decidedRow(row, 'rejected', reason.slice(0, 100), intent.action, intent, now, text);
  }

  #validated({ row, intent }: Sending): OutcomeRow {
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

function unreachable(): never {
  throw new Error('the only event of a request is at fault');
}

const eventsOf = (batch: Batch) => batch.map(({ event }) => event);
