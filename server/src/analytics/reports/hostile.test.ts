import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestBlock } from '../../../test/event-loop.ts';
import { service } from '../../../test/shared.ts';

const account = await service.newAccount();

const TIMES = [
  '',
  'now',
  'null',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-13-01',
  '-2026-01-01',
  '+12026-01-01',
  '2026-01-01T08:00:00+16:00',
  '2026-01-01T08:00:00-23:59',
  '2026-01-01T08:00:00,5Z',
  '2026-01-01T08:00:60Z',
  '2026-01-01T24:00:00Z',
  '9999-12-31T23:45:00Z',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '1e9',
  "2026-01-01'--",
  '2026-01-01\u0000',
];
const ZONES = [
  '',
  'UTC\u0000',
  'Europe/Nowhere',
  '+02:00',
  '../../etc/passwd',
  '2026-01-01[Europe/Berlin]',
  'a'.repeat(64),
];
const REPORTS = ['overview', 'breakdown', 'attribution', 'unmatched'];

async function statusOf(request: string, body?: unknown): Promise<number> {
  const response = await service.call(request, { as: account, ...(body !== undefined && { body }) });
  assert.ok([200, 400].includes(response.status), `${request} ${response.status} ${JSON.stringify(response.body)}`);
  return response.status;
}

const query = (values: Record<string, string>) => new URLSearchParams(values).toString();

test('no time or time zone makes a report fail with anything but 400', async () => {
  for (const time of TIMES) {
    for (const report of REPORTS) {
      const by: Record<string, string> = report === 'breakdown' ? { by: 'source' } : {};
      await statusOf(`GET /v1/analytics/${report}?${query({ ...by, from: time, to: '2026-02-01' })}`);
      await statusOf(`GET /v1/analytics/${report}?${query({ ...by, from: '2026-01-01', to: time })}`);
    }
    await statusOf('POST /v1/analytics/funnel', { from: time, to: time, steps: [{ event: 'x' }] });
  }
  for (const timeZone of ZONES) {
    const period = { from: '2026-01-01', to: '2026-02-01', timeZone };
    assert.equal(await statusOf(`GET /v1/analytics/overview?${query(period)}`), 400, timeZone);
    assert.equal(await statusOf('POST /v1/analytics/funnel', { ...period, steps: [{ event: 'x' }] }), 400, timeZone);
  }
});

test('no identifier or page token makes a timeline fail with anything but 400 or 404', async () => {
  for (const id of [
    '',
    '-1',
    '1.5',
    '1e3',
    '99999999999999999999',
    '9007199254740993',
    'led_',
    `led_${'0'.repeat(26)}`,
    '\u0000',
  ]) {
    for (const name of ['sessionId', 'leadId']) {
      const request = `GET /v1/analytics/timeline?${query({ [name]: id, pageToken: id })}`;
      const { status } = await service.call(request, { as: account });
      assert.ok(status === 400 || status === 404, `${request} ${status}`);
    }
  }
});

test('periods at the ends of the calendar, with every comparison and interval, never fail with 500', async () => {
  for (const [from, to] of [
    ['1900-01-01', '1909-12-31'],
    ['2990-01-02', '2999-12-31'],
    ['2024-02-29', '2024-03-01'],
  ] as const) {
    for (const compare of ['previous', 'year', 'none']) {
      for (const interval of ['hour', 'day', 'week', 'month']) {
        for (const timeZone of ['UTC', 'Europe/Amsterdam', 'Africa/Monrovia', 'Pacific/Apia', 'Etc/GMT+12']) {
          await statusOf(`GET /v1/analytics/overview?${query({ from, to, compare, interval, timeZone })}`);
        }
      }
    }
    const body = { from, to, windowMinutes: 129_600, by: 'visitor', steps: [{ page: '/*' }, { event: '%' }] };
    await statusOf('POST /v1/analytics/funnel', body);
    await statusOf(`GET /v1/analytics/attribution?${query({ from, to, windowDays: '365' })}`);
  }
});

test('absurd filters, dimensions and steps are refused or served without blocking the event loop', async () => {
  const period = { from: '2026-01-01', to: '2026-02-01' };
  const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`);
  const many = values(1_500).map((value) => `&filter[source]=${value}`);
  const hostile = "%_\\'\u0000\ud800🙂";
  const requests: [string, unknown?][] = [
    [`GET /v1/analytics/overview?${query(period)}${many.join('').slice(0, 12_000)}`],
    [`GET /v1/analytics/overview?${query({ ...period, 'filter[source]': 'a'.repeat(513) })}`],
    [`GET /v1/analytics/overview?${query({ ...period, 'filter[page]': hostile })}`],
    [`GET /v1/analytics/breakdown?${query({ ...period, by: ','.repeat(200) })}`],
    [`GET /v1/analytics/breakdown?${query({ ...period, by: 'source,page,event', limit: '1000', compare: 'year' })}`],
    [`GET /v1/analytics/breakdown?${query({ ...period, by: 'source', limit: '999999999999999' })}`],
    ['POST /v1/analytics/funnel', { ...period, steps: [{ page: `${hostile}*` }, { event: hostile }] }],
    ['POST /v1/analytics/funnel', { ...period, steps: Array(10).fill({ page: `/${'%'.repeat(500)}*` }) }],
    ['POST /v1/analytics/funnel', { ...period, steps: Array(20_000).fill({ event: '', page: 1, x: {} }) }],
    ['POST /v1/analytics/funnel', { ...period, filters: { source: values(50_000) }, steps: [{ event: 'x' }] }],
    ['POST /v1/analytics/funnel', { ...period, filters: { source: Array(50_000).fill({}) }, steps: [{ event: 'x' }] }],
  ];
  for (const [request, body] of requests) {
    // The best of three: a busy machine suspends the process as well.
    let blocked = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3 && blocked >= 250; i++) {
      blocked = Math.min(blocked, await longestBlock(() => statusOf(request, body)));
    }
    assert.ok(blocked < 250, `${request.slice(0, 200)} blocked the event loop for ${blocked} units`);
  }
});
