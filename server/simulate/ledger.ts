import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from './load.ts';

/** The service that is proved, with a token of an empty account. */
export interface LedgerService {
  token: string;
  /** @throws if the response is not 200 */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  call(request: string, body?: unknown): Promise<any>;
  /** Kills the service, and starts it again. */
  kill(): Promise<void>;
}

export interface LedgerOptions {
  increments: number;
  /** How many times reports are read, and again as known then. */
  times: number;
  kills: number;
  batch: number;
  seed: number;
  /** After how many minutes no increment is added any more. */
  minutes?: number;
}

interface Order {
  eventId: string;
  click: string;
  /** In cents. */
  cents: number;
  currency: string;
  /** Of the report that counts, in the order of arrival. */
  arrival: number;
}

/** A report whose click has not arrived: of an order of its own, or of one that is known by another click. */
interface Waiting {
  report: Order;
  restated?: Order;
}

/** What a report of all time says, in cents. */
interface Sums {
  conversions: number;
  refunds: number;
  cents: Record<string, number>;
}

interface Answer {
  /** Of the overview. */
  sums: string;
  /** Of the return on ad spend: converted, so that it is compared with what was answered then only. */
  roas: string;
}

export interface LedgerResult {
  increments: number;
  reports: number;
  kills: number;
  erasures: number;
  undone: number;
  lateMatches: number;
  answers: number;
  /** What differed from the ledger, or from what was answered then. */
  differences: string[];
}

const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY'];
const CLICKS = 200;
const PATIENCE_MS = 180_000;
const HALF_YEAR_MS = 180 * 86_400_000;

/**
 * Reports sales, restates, refunds and undoes them, matches some late, erases visitors and kills the service, and keeps a ledger of
 * its own, which adds up whole cents. Reports must equal it at random times, and later say the same as known then.
 */
export async function proveLedger(service: LedgerService, options: LedgerOptions): Promise<LedgerResult> {
  const random = randomOf(options.seed);
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const result: LedgerResult = {
    ...{ increments: 0, reports: 0, kills: 0, erasures: 0, undone: 0, lateMatches: 0, answers: 0, differences: [] },
  };
  const orders: Order[] = [];
  const answered: (Answer & { at: number })[] = [];
  /** Clicks that new orders may name, with their visitor. */
  const clicks: string[] = [];
  /** Reported before their click arrives. */
  let waiting: Waiting[] = [];
  let arrivals = 0;
  const [from, to] = [-HALF_YEAR_MS, HALF_YEAR_MS].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
  const period = `from=${from}&to=${to}&interval=month`;
  const overview = `/v1/analytics/overview?${period}&compare=none&include=bots,internal`;
  const roas = `/v1/analytics/roas?${period}&by=landingPage&currency=EUR`;

  /** Repeats what a killed service may have left undone, and what took too long on a busy machine: every report has an ID of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  async function send(request: string, body?: unknown): Promise<any> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await service.call(request, body);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(500);
      }
    }
  }
  const visit = async (names: string[]) => {
    for (let at = 0; at < names.length; at += 50) {
      const items = names
        .slice(at, at + 50)
        .map((name) => ({ visit: { url: `https://shop.example/?gclid=${name}`, visitorId: name, visitId: name } }));
      await send('POST /v1/batch', { api_key: service.token, items });
    }
  };
  const newOrder = (click: string): Order => {
    const currency = pick(CURRENCIES);
    return { eventId: `o${result.reports++}`, click, cents: 100 + below(50_000), currency, arrival: arrivals++ };
  };
  const rowOf = ({ eventId, click, cents, currency }: Order) => ({
    ...{ eventId, gclid: click, value: (cents / 100).toFixed(2), currency },
  });
  function sums(): Sums {
    const cents: Record<string, number> = {};
    for (const order of orders) cents[order.currency] = (cents[order.currency] ?? 0) + order.cents;
    const refunds = orders.filter((order) => order.cents === 0).length;
    return { conversions: orders.length - refunds, refunds, cents };
  }
  async function read(asKnownOn?: number): Promise<Answer> {
    const known = asKnownOn === undefined ? '' : `&asKnownOn=${new Date(asKnownOn).toISOString()}`;
    const { current } = await send(`GET ${overview}${known}`);
    const amounts = current.revenue.map(({ currency, value }: { currency: string; value: string }) => [
      currency,
      Math.round(Number(value) * 100),
    ]);
    const read = { conversions: current.conversions, refunds: current.refunds, cents: Object.fromEntries(amounts) };
    const { total } = await send(`GET ${roas}${known}`);
    return { sums: textOf(read), roas: `${total.conversions} ${total.revenue} ${total.refunded}` };
  }
  const textOf = ({ conversions, refunds, cents }: Sums) =>
    JSON.stringify([conversions, refunds, ...CURRENCIES.map((name) => cents[name] ?? 0)]);

  async function reportBatch(): Promise<void> {
    const rows = new Map<string, object>();
    const added: Order[] = [];
    for (let i = 0; i < options.batch; i++) {
      const chance = random();
      if (orders.length === 0 || chance < 0.4) {
        const order = newOrder(pick(clicks));
        added.push(order);
        rows.set(order.eventId, rowOf(order));
        continue;
      }
      if (chance < 0.42) {
        const order = newOrder(`late${result.reports}`);
        waiting.push({ report: order });
        rows.set(order.eventId, rowOf(order));
        continue;
      }
      const order = pick(orders);
      // Reports of one moment are one increment.
      if (rows.has(order.eventId)) continue;
      const report = { ...order, cents: chance < 0.5 ? 0 : 100 + below(50_000), arrival: arrivals++ };
      if (chance > 0.97) report.currency = pick(CURRENCIES);
      if (chance > 0.95 && chance < 0.96) {
        // Known by its ID, but by a click that has not arrived: it waits, and later takes its place in the order of arrival.
        report.click = `late${result.reports}`;
        waiting.push({ report, restated: order });
      } else restate(order, report);
      result.reports++;
      rows.set(order.eventId, rowOf(report));
    }
    orders.push(...added);
    result.increments += added.length;
    const sending = send('POST /v1/analytics/report-conversion', [...rows.values()]);
    if (result.kills < options.kills && random() < (2 * options.kills * options.batch) / options.increments) {
      result.kills++;
      await service.kill();
    }
    await sending;
  }

  function restate(order: Order, report: Order): void {
    if (report.arrival < order.arrival) return;
    result.increments += order.currency !== report.currency ? 2 : order.cents !== report.cents ? 1 : 0;
    Object.assign(order, { cents: report.cents, currency: report.currency, arrival: report.arrival });
  }

  async function matchLate(): Promise<void> {
    await visit(waiting.map(({ report }) => report.click));
    for (const { report, restated } of waiting) {
      if (restated) restate(restated, report);
      else {
        orders.push(report);
        result.increments++;
      }
    }
    result.lateMatches += waiting.length;
    waiting = [];
  }

  async function importAndUndo(): Promise<void> {
    const { id } = await service.call('POST /v1/conversions/imports', { name: 'orders.csv' });
    const imported = Array.from({ length: 50 }, () => newOrder(pick(clicks)));
    await service.call(`POST /v1/conversions/imports/${id}/reports`, imported.map(rowOf));
    orders.push(...imported);
    if (random() < 0.3) await compare();
    result.increments += 2 * imported.length;
    result.undone += imported.length;
    await service.call(`POST /v1/conversions/imports/${id}/undo`);
    await ended(async () => (await service.call(`GET /v1/conversions/imports/${id}`)).status === 'undone');
    orders.splice(-imported.length);
  }

  async function ended(isEnded: () => Promise<boolean>): Promise<void> {
    for (let i = 0; !(await isEnded()); i++) {
      if (i > PATIENCE_MS / 100) throw new Error('a job has not ended');
      await sleep(100);
    }
  }

  async function erase(): Promise<void> {
    // Its orders are still corrected by reports that name their ID and the click.
    const [visitorId = ''] = clicks.splice(below(clicks.length), 1);
    const { id } = await service.call('POST /v1/visitors/erase', { visitorId });
    await ended(async () => (await service.call(`GET /v1/jobs/get-by-id?id=${id}`)).status === 'completed');
    result.erasures++;
    await visit([`again${result.erasures}`]);
    clicks.push(`again${result.erasures}`);
  }

  /** Reads reports as soon as they equal the ledger, which they do a moment after the last change. */
  async function compare(): Promise<void> {
    const expected = textOf(sums());
    const deadline = performance.now() + PATIENCE_MS;
    let answer = await read();
    while (answer.sums !== expected && performance.now() < deadline) {
      await sleep(300);
      answer = await read();
    }
    if (answer.sums !== expected)
      result.differences.push(`${answer.sums} instead of ${expected} after ${result.reports} reports`);
    answered.push({ ...answer, at: Date.now() });
    await sleep(2);
  }

  clicks.push(...Array.from({ length: CLICKS }, (_, i) => `click${i}`));
  await visit(clicks);
  const { minutes = Number.POSITIVE_INFINITY } = options;
  const startedAt = performance.now();
  const progress = () =>
    Math.max(result.increments / options.increments, (performance.now() - startedAt) / (minutes * 60_000));
  while (progress() < 1) {
    await reportBatch();
    if (waiting.length > 0 && random() < 0.2) await matchLate();
    if (random() < 0.02) await importAndUndo();
    if (random() < 0.02) await erase();
    const isDue = answered.length < options.times * progress();
    if (isDue) await compare();
  }
  await matchLate();
  while (answered.length <= options.times) await compare();
  result.answers = answered.length;
  for (const { at, ...answer } of answered) {
    const again = await read(at);
    for (const member of ['sums', 'roas'] as const) {
      if (again[member] === answer[member]) continue;
      result.differences.push(
        `${member}: ${again[member]} instead of ${answer[member]} as known on ${new Date(at).toISOString()}`,
      );
    }
  }
  return result;
}
