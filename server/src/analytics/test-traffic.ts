import assert from 'node:assert/strict';
import type { Account, TestService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { isoTime } from '../shared/time.ts';
import { aggregateNewRows } from './aggregation/aggregate-new-rows.ts';
import { updateSegments } from './aggregation/update-segments.ts';
import { DIMENSIONS, type Dimension, type Filters, OPERATORS, type Operator } from './dimensions.ts';
import {
  assertSameRows,
  type Exports,
  plain,
  type Question,
  readExports,
  recount,
  recountBy,
  recountSessions,
} from './test-recount.ts';

const DAY = 86_400_000;
const QUARTER = 900_000;
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

/** Pseudo-random numbers from a seed: TEST_SEED=… reproduces a failure. */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return { below, pick, chance: (part: number) => next() < part };
}
type Random = ReturnType<typeof randomFrom>;

const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

/** The service that traffic is sent to. */
export interface Environment {
  service: TestService;
  deps: { db: TestService['db']; clock: () => number };
}

export function environmentOf(service: TestService): Environment {
  return { service, deps: { db: service.db, clock: () => service.clock.now } };
}

async function post({ service }: Environment, path: string, body: Record<string, unknown>, as?: Account, agent = DESK) {
  const headers = { 'user-agent': agent };
  const answer = await service.call(`POST ${path}`, { body, headers, ...(as && { as }) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Generates random traffic of one account. */
export class Traffic {
  readonly account: Account;
  readonly environment: Environment;
  readonly #random: Random;
  readonly #hashes: string[] = [];
  readonly #clicks: string[] = [];
  #isExcluded = false;

  constructor(environment: Environment, account: Account, random: Random) {
    this.environment = environment;
    this.account = account;
    this.#random = random;
  }

  /** Mostly today, sometimes weeks ago. */
  #when(): string {
    const { below, chance } = this.#random;
    return isoTime(this.environment.service.clock.now - (chance(0.3) ? below(40 * DAY) : below(DAY)));
  }

  async visit(): Promise<void> {
    const { below, pick, chance } = this.#random;
    const query = new URLSearchParams();
    if (chance(0.5)) query.set('utm_source', pick(['google', 'news letter', 'ünï']));
    if (chance(0.4)) query.set('utm_campaign', pick(['may', 'june']));
    if (chance(0.3)) query.set('utm_term', pick(['red', 'light blue']));
    if (chance(0.2)) query.set('utm_content', 'banner');
    if (chance(0.2)) query.set('utm_medium', pick(['cpc', 'Email']));
    if (chance(0.4)) {
      const click = `c${below(1e9)}`;
      query.set(pick(['gclid', 'fbclid', 'alart']), click);
      this.#clicks.push(click);
    }
    const { sessionHash } = await post(
      this.environment,
      '/v1/visits',
      {
        api_key: this.account.apiKey,
        url: `https://${pick(['shop.example', 'b.example'])}/${pick(['', 'a', 'a/', 'b/c'])}?${query}#x`,
        occurredAt: this.#when(),
        ...(chance(0.7) && { visitorId: `v${below(12)}` }),
        ...(chance(0.3) && this.#hashes.length > 0 && { sessionHash: pick(this.#hashes) }),
        ...(chance(0.3) && { referrer: 'https://www.bing.com/' }),
      },
      undefined,
      pick([DESK, DESK, PHONE, BOT]),
    );
    this.#hashes.push(sessionHash);
  }

  async event(): Promise<void> {
    const { below, pick, chance } = this.#random;
    await post(
      this.environment,
      '/v1/events',
      {
        api_key: this.account.apiKey,
        event: pick(['signup', 'order', 'viewed']),
        occurredAt: this.#when(),
        properties: {
          ...(chance(0.7) && this.#hashes.length > 0 && { sessionHash: pick(this.#hashes) }),
          ...(chance(0.3) && { email: `p${below(8)}@shop.example` }),
          ...(chance(0.3) && { funnel_id: pick(['f1', 'f2', '']) }),
          ...(chance(0.2) && { value: (1 + below(5000)) / 100, currency: pick(['EUR', 'USD', 'x']) }),
        },
      },
      undefined,
      chance(0.2) ? BOT : DESK,
    );
  }

  /** Reports a conversion, restates one, or reports one that is not matched yet. */
  async conversion(): Promise<void> {
    const { below, pick, chance } = this.#random;
    const known = chance(0.8) && this.#hashes.length > 0;
    const click = this.#clicks.length > 0 && chance(0.5);
    const identifier = click
      ? { gclid: pick(this.#clicks) }
      : known
        ? { hash: pick(this.#hashes) }
        : { gclid: `u${below(5)}` };
    await post(
      this.environment,
      '/v1/analytics/report-conversion',
      {
        ...identifier,
        createdOn: this.#when(),
        ...(chance(0.9) && { value: (below(200_000) - 50_000) / 10_000 }),
        ...(chance(0.8) && { currency: pick(['EUR', 'JPY']) }),
        ...(chance(0.6) && { eventId: `o${below(15)}` }),
      },
      this.account,
    );
  }

  /** A session that matches unmatched reports. */
  async lateMatch(): Promise<void> {
    const url = `https://shop.example/?gclid=u${this.#random.below(5)}`;
    await post(this.environment, '/v1/visits', { api_key: this.account.apiKey, url });
  }

  async erase(): Promise<void> {
    const email = `p${this.#random.below(8)}@shop.example`;
    const { id } = await post(this.environment, '/v1/leads/erase', { email }, this.account);
    await until(async () => {
      const { status } = (await this.environment.service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: this.account }))
        .body;
      return status === 'completed';
    });
  }

  /** Makes all further traffic internal, or stops it. */
  async exclude(): Promise<void> {
    this.#isExcluded = !this.#isExcluded;
    const body = { excludedAddresses: this.#isExcluded ? ['127.0.0.1'] : [] };
    const answer = await this.environment.service.call('PATCH /v1/tracking/settings', { body, as: this.account });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  async anything(): Promise<void> {
    const { chance } = this.#random;
    if (chance(this.#isExcluded ? 0.2 : 0.03)) await this.exclude();
    if (chance(0.4)) await this.visit();
    else if (chance(0.6)) await this.event();
    else if (chance(0.9)) await this.conversion();
    else await this.lateMatch();
    // Aggregates and rebuilds segments at random moments.
    if (chance(0.05)) await aggregateNewRows(this.environment.deps);
    if (chance(0.02)) await updateSegments(this.environment.deps, undefined, 0);
  }

  questions(count: number): { question: Question; zone: string }[] {
    const { below, pick, chance } = this.#random;
    return Array.from({ length: count }, () => {
      const to = Math.ceil(this.environment.service.clock.now / QUARTER) * QUARTER - below(3) * QUARTER;
      const filters: Filters = {};
      const filter = (name: Dimension, values: (string | null)[], operators: readonly Operator[] = OPERATORS) => {
        filters[name] = [{ operator: pick(operators), values }];
      };
      const whole = ['is', 'isNot'] as const;
      if (chance(0.3)) filter('source', [pick(['google', 'ünï', null])], whole);
      if (chance(0.2)) filter('campaign', chance(0.5) ? ['may', 'june'] : [null], whole);
      if (chance(0.2)) filter('platform', [pick(['gclid', 'alart', null])], whole);
      if (chance(0.2)) filter('event', [pick(['signup', 'order', null])], whole);
      if (chance(0.1)) filter('event', [pick(['SIGN', 'r'])], ['contains', 'containsNot']);
      if (chance(0.15)) filter('funnel', ['f1']);
      if (chance(0.15)) filter('page', [pick(['shop.example/a', 'B/c', 'example'])]);
      if (chance(0.15)) filter('device', ['mobile']);
      if (chance(0.1)) filter('channel', [pick(['Direct', 'search', 'Brand'])]);
      if (chance(0.1)) filter('exitPage', [pick(['b.example', 'shop.example/a'])]);
      if (chance(0.1)) filter('platform', ['CLID'], ['contains', 'containsNot']);
      if (chance(0.1)) {
        filters.term = [
          { operator: 'isNot', values: ['red'] },
          { operator: 'containsNot', values: ['BLUE'] },
        ];
      }
      return {
        question: {
          from: to - (1 + below(45 * 96)) * QUARTER,
          to,
          filters,
          include: { bots: chance(0.3), internal: chance(0.3) },
        },
        zone: pick(['UTC', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe']),
      };
    });
  }
}

function queryOf({ from, to, filters, include }: Question, more: Record<string, string>): string {
  const query = new URLSearchParams({ from: isoTime(from), to: isoTime(to), ...more });
  const included = [include.bots ? 'bots' : [], include.internal ? 'internal' : []].flat();
  if (included.length > 0) query.set('include', included.join(','));
  for (const [name, conditions] of Object.entries(filters)) {
    for (const { operator, values } of conditions) {
      const parameter = operator === 'is' ? `filter[${name}]` : `filter[${name}][${operator}]`;
      for (const value of values) query.append(parameter, value ?? '');
    }
  }
  return query.toString();
}

async function get({ service }: Environment, as: Account, path: string) {
  const answer = await service.call(`GET ${path}`, { as });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Asserts that every number of random reports equals a recount of the exports. */
export async function assertExact(
  traffic: Traffic,
  count: number,
  own: Pick<Exports, 'channelOf'> = {},
): Promise<void> {
  const { account, environment } = traffic;
  const data = { ...(await readExports(environment.service, account)), ...own };
  for (const { question, zone } of traffic.questions(count)) {
    const message = `TEST_SEED=${SEED} ${JSON.stringify(question)}`;
    const expected = recount(data, question);
    const overview = await get(
      environment,
      account,
      `/v1/analytics/overview?${queryOf(question, { timeZone: zone, interval: 'day' })}`,
    );
    assert.deepEqual(plain(overview.current), expected, message);
    const before = { ...question, from: 2 * question.from - question.to, to: question.from };
    const { from: _, to: __, ...previous } = overview.previous;
    assert.deepEqual(plain(previous), recount(data, before), `before ${message}`);
    for (const [i, { at, ...point }] of overview.line.entries()) {
      const part = { ...question, from: Date.parse(at), to: Date.parse(overview.line[i + 1]?.at ?? overview.to) };
      assert.deepEqual(plain(point), recount(data, part), `${at} ${message}`);
    }
    await assertRanked(traffic, data, question, message);
    const query = queryOf(question, { by: DIMENSIONS.join(','), limit: '1000' });
    const { breakdowns } = await get(environment, account, `/v1/analytics/breakdown?${query}`);
    for (const dimension of DIMENSIONS) {
      const rows = recountBy(data, question, dimension);
      assertSameRows(breakdowns[dimension].rows.map(plain), rows, `${dimension} ${message}`);
    }
  }
}

/** Sessions by pages and by duration, page after page, are those of the exports. */
async function assertRanked({ account, environment }: Traffic, data: Exports, question: Question, message: string) {
  const expected = recountSessions(data, question);
  for (const [by, sign] of [
    ['pages', -1],
    ['duration', 1],
  ] as const) {
    const query = queryOf(question, { sort: `${by}:${sign < 0 ? 'desc' : 'asc'}`, pageSize: '20' });
    const ids: number[] = [];
    for (let token: string | null = ''; token !== null; ) {
      const path = `/v1/analytics/ranked-sessions?${query}&pageToken=${encodeURIComponent(token)}`;
      const page = await get(environment, account, path);
      ids.push(...page.sessions.map(({ id }: { id: number }) => id));
      token = page.nextPageToken;
    }
    assert.deepEqual(new Set(ids), new Set(expected.keys()), `${by} ${message}`);
    assert.equal(ids.length, expected.size, message);
    const values = ids.map((id) => expected.get(id)?.[by] ?? 0);
    assert.deepEqual(
      values,
      values.toSorted((a, b) => sign * (a - b)),
      `${by} ${message}`,
    );
  }
}
