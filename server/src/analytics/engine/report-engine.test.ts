import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../../test/shared.ts';
import { DIMENSIONS, SINGLE_VALUED } from '../dimensions.ts';
import { randomFrom, SEED } from '../test-traffic.ts';
import { assignIds, namesIn } from './names.ts';
import { ReportEngine, type ReportRequest } from './report-engine.ts';
import { encodeSegment, timeRangesOf, toColumns } from './segment.ts';
import { writeSegment } from './segment-queries.ts';

const { db } = service;
const { uuid: accountId } = await service.newAccount();
const { below, pick, chance } = randomFrom(SEED);

const HOUR = 3_600_000;
const DAYS = 12;
const START = Date.UTC(2026, 4, 1);
const TEXTS = ['google', 'bing', '/quiz', '/order', 'quiz_finished', 'order_placed', 'spring'];
const SESSIONS = 30;

/** Segments whose neighbours are in other threads, with visitors that are in many of them. */
async function writeSegments(numbers: readonly number[]): Promise<void> {
  for (const segment of numbers) {
    const flags = () => ({ is_bot: chance(0.05), is_internal: chance(0.05) });
    const sessions = Array.from({ length: SESSIONS }, (_, i) => ({
      number: segment * 1_024 + i,
      ...{ is_deleted: chance(0.05), visitor_high: below(40), visitor_low: -below(3), ...flags() },
      started_at: new Date(START + below(DAYS * 24) * HOUR),
      platforms: chance(0.5) ? ['gclid'] : [],
      ...(Object.fromEntries(
        Object.values(SINGLE_VALUED).map((name) => [name, chance(0.2) ? null : pick(TEXTS)]),
      ) as Record<(typeof SINGLE_VALUED)[keyof typeof SINGLE_VALUED], string | null>),
    }));
    const items = (most: number) =>
      sessions.flatMap(({ number, started_at, is_bot, is_internal }) =>
        Array.from({ length: below(most) }, (_, i) => ({
          ...{ number, is_bot, is_internal, ...(chance(0.1) && flags()) },
          at: new Date(started_at.getTime() + i * (chance(0.1) ? 9 * HOUR : 40_000) + below(999)),
          ...{ name: pick(TEXTS), funnel: chance(0.5) ? pick(TEXTS) : null },
        })),
      );
    const rows = { sessions, visits: items(4), events: items(6) };
    await db.transaction(async (tx) => {
      const ids = await assignIds(tx, accountId, namesIn(rows));
      const columns = toColumns(rows, (name) => ids.get(name ?? '') ?? 0);
      const key = { account_id: accountId, segment };
      await writeSegment(tx, { ...key, ...timeRangesOf(columns), ...encodeSegment(columns) });
    });
  }
}

function requests(): ReportRequest[] {
  const from = START + below(3) * 24 * HOUR;
  const middle = from + 4 * 24 * HOUR;
  const periods = [
    { from: middle, to: middle + 4 * 24 * HOUR },
    { from, to: middle },
  ];
  const common = { accountId, include: { bots: chance(0.3), internal: chance(0.3) } };
  const steps = [
    { page: '/quiz' },
    { anyOf: [{ event: 'quiz_finished' }, { event: 'google' }] },
    { event: 'order_placed' },
  ];
  const plans = periods.map((period) => ({
    period,
    starts: Array.from({ length: 16 }, (_, i) => period.from + i * 6 * HOUR),
  }));
  const exchange = { currency: null, exchangeRates: {} } as never;
  return [
    {},
    {
      source: [{ operator: 'is' as const, values: ['google'] }],
      event: [{ operator: 'isNot' as const, values: ['bing'] }],
    },
  ].flatMap((filters): ReportRequest[] => [
    { ...common, filters, type: 'count', plans },
    { ...common, filters, type: 'breakdown', periods, by: [...DIMENSIONS], order: 'visitors', limit: 50, exchange },
    ...(['session', 'visitor'] as const).map(
      (by): ReportRequest => ({
        ...{ ...common, filters, type: 'funnel', periods, by, steps, window: 2 * HOUR, breakdownBy: 'source' },
      }),
    ),
  ]);
}

test('reports are the same whether one thread scans the segments or three, with an empty cache, a full one and an old one', async () => {
  const numbers = Array.from({ length: 12 }, (_, i) => i * 64 + below(64));
  await writeSegments(numbers);
  const connections = { primary: db.connection, replica: undefined };
  const engines = [new ReportEngine(connections, 1), new ReportEngine(connections, 3, 1)] as const;
  try {
    const compare = async () => {
      for (const request of requests()) {
        const [alone, together] = [await engines[0].run(request), await engines[1].run(request)];
        assert.deepEqual(together, alone, `TEST_SEED=${SEED} ${request.type}`);
        assert.ok(
          !('plans' in request) || /"visitors":[1-9]/.test(JSON.stringify(alone)),
          'there is something to count',
        );
      }
    };
    await compare();
    await compare();
    await writeSegments(numbers.slice(5, 9));
    await compare();
  } finally {
    for (const engine of engines) await engine.stop();
  }
});
