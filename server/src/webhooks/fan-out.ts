import { Histogram } from 'prom-client';
import type { Deps, Worker } from '../shared/deps.ts';
import { newUuid } from '../shared/ids.ts';
import { type OutboxRow, takeOutbox } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { type Pressure, pressureOf } from '../shared/pressure.ts';
import type { Deliverer } from './deliver.ts';
import type { Partitions } from './partitions.ts';
import { makePayloads } from './payloads.ts';
import { type EndpointRow, findActiveEndpoints, hasOutbox, holdOffErasing } from './queries.ts';
import { type NewDelivery, newMessage, writeMessages } from './write-messages.ts';

const POLL_MS = 100;
/** What one transaction takes: of so many accounts, so many changes each. */
const ACCOUNTS = 8;
const CHANGES = 500;
/** While ingest is saturated, it takes so many changes at a time, and this pause between. */
const CHANGES_UNDER_PRESSURE = 50;
const PAUSE_MS = 250;
/** After a failure. */
const REST_MS = 1_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

interface Planned extends NewDelivery {
  endpoint: EndpointRow;
}

/**
 * Spreads the outbox over the endpoints: takes rows out of it and writes payloads and deliveries in one transaction, so
 * that each has one id for ever and none is lost, whenever the process dies. Any number of processes do it at once.
 */
export class FanOut implements Worker {
  readonly #deps: Deps;
  readonly #deliverer: Deliverer;
  readonly #partitions: Partitions;
  readonly #delays: Histogram;
  readonly #pressure: Pressure;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #restUntil = 0;
  /** The account after which the next transaction goes on. */
  #after = NOBODY;
  /** How many transactions take one account alone, after one has failed: what cannot be spread is to hold up its account only. */
  #careful = 0;

  constructor(deps: Deps, deliverer: Deliverer, partitions: Partitions) {
    this.#deps = deps;
    this.#deliverer = deliverer;
    this.#partitions = partitions;
    this.#pressure = pressureOf(deps);
    this.#delays = new Histogram({
      name: 'headwater_outbox_delay_seconds',
      help: 'From a change to the making of its payloads',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers: [deps.metrics.registry],
    });
  }

  start(): void {
    this.#timer = setInterval(() => this.#run(), POLL_MS);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    if (performance.now() < this.#restUntil) return;
    this.#running ??= this.#spreadAll().finally(() => {
      this.#running = undefined;
    });
  }

  async #spreadAll(): Promise<void> {
    try {
      while (!this.#isStopping && (await hasOutbox(this.#deps.db)).length > 0) {
        const isPressed = this.#pressure.isHigh;
        if (isPressed) this.#restUntil = performance.now() + PAUSE_MS;
        if (!(await this.#spread(isPressed)) || isPressed) return;
      }
    } catch (error) {
      this.#careful = 2 * ACCOUNTS;
      this.#restUntil = performance.now() + REST_MS;
      this.#deps.log.error({ err: error }, 'what is to be pushed was not spread over its endpoints');
    }
  }

  /** Whether anything was taken. */
  async #spread(isPressed: boolean): Promise<boolean> {
    const { db, clock } = this.#deps;
    await this.#partitions.prepareFor(newUuid(clock()));
    const accounts = this.#careful > 0 || isPressed ? 1 : ACCOUNTS;
    this.#careful = Math.max(0, this.#careful - 1);
    const after = this.#after;
    let planned: Planned[] = [];
    const giveUp = () => {
      for (const { endpointId, isOwn } of planned) if (isOwn) this.#deliverer.unreserve(endpointId);
      planned = [];
    };
    let claimedAt = 0;
    let rows: OutboxRow[];
    try {
      rows = await db.transaction(async (tx) => {
        // It may run again.
        giveUp();
        claimedAt = performance.now();
        await holdOffErasing(tx);
        const taken = await takeOutbox(tx, after, accounts, isPressed ? CHANGES_UNDER_PRESSURE : CHANGES);
        // Behind the account that was reached, whether this one can be spread or not.
        this.#after =
          taken
            .map((row) => row.account_id)
            .sort()
            .at(-1) ?? NOBODY;
        planned = await this.#plan(tx, taken);
        const messages = [...new Set(planned.map(({ message }) => message))];
        await writeMessages(tx, messages, planned, clock(), this.#deliverer.leaseSeconds);
        return taken;
      });
    } catch (error) {
      giveUp();
      throw error;
    }
    const now = clock();
    for (const { at } of rows) this.#delays.observe(Math.max(0, now - at.getTime()) / 1000);
    for (const { message, endpointId, endpoint, isOwn } of planned) {
      if (!isOwn) continue;
      const { accountId, id: messageId, body } = message;
      this.#deliverer.offer({ accountId, endpointId, messageId, body, endpoint, attempts: 0, tries: 0, claimedAt });
    }
    // The end of the accounts may be reached with some of them left at the beginning.
    return rows.length > 0 || after !== NOBODY;
  }

  async #plan(tx: Tx, rows: readonly OutboxRow[]): Promise<Planned[]> {
    const accounts = [...new Set(rows.map((row) => row.account_id))];
    if (accounts.length === 0) return [];
    const endpoints = Map.groupBy(await findActiveEndpoints(tx, accounts), (endpoint) => endpoint.account_id);
    const readersOf = (account: string, topic: string) =>
      (endpoints.get(account) ?? []).filter(({ events }) => events === null || events.includes(topic));
    // The endpoint may have been deleted since.
    const read = rows.filter((row) => readersOf(row.account_id, row.topic).length > 0);
    const now = this.#deps.clock();
    return (await makePayloads(this.#deps, tx, read)).flatMap((payload) => {
      const message = newMessage(payload, now);
      return readersOf(payload.accountId, payload.type).map((endpoint) => ({
        message,
        endpoint,
        endpointId: endpoint.id,
        isOwn: this.#deliverer.reserve(endpoint.id),
      }));
    });
  }
}
