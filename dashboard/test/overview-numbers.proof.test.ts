// Slow: a real browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Client, createClient, waitForJob } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import type { Filters } from '../../server/src/analytics/dimensions.ts';
import {
  type Exports,
  type Question,
  readExportsBy,
  recount,
  recountBy,
} from '../../server/src/analytics/test-recount.ts';
import { until } from '../../server/test/until.ts';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

const ZONE = 'Europe/Berlin';
const LOCALE = 'en-GB';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';
const SHOWN = 8;
const QUARTER = 900_000;

/** Adds what the demo account lacks: conversions by events, late matches, uncounted traffic, an erased lead. */
async function addOddities(account: Account, { userAgent }: { userAgent: string }): Promise<Client> {
  const as = (agent: string) =>
    createClient({ baseUrl: service.url, token: account.token, headers: () => ({ 'user-agent': agent }) });
  const [client, bot] = [as(userAgent), as(BOT)];
  const visit = (by: Client, url: string, more = {}) => by.recordVisit({ api_key: account.apiKey, url, ...more });
  const late = { gclid: 'late-click', eventId: 'late', value: '1234.5678', currency: 'SEK' };
  const waiting = await client.reportConversion(late);
  assert.equal(waiting.status, 'unmatched');
  const landed = await visit(client, 'https://shop.example/late?gclid=late-click&utm_source=only-late', {
    visitorId: 'v',
  });
  await visit(bot, 'https://shop.example/late');
  const { sessionHash } = landed;
  await client.reportConversion([
    { sessionHash, eventId: 'given-back', value: 99.9, currency: 'EUR' },
    { sessionHash, eventId: 'made-less', value: 50, currency: 'EUR', createdOn: Date.now() - 20 * 86_400_000 },
    { sessionHash, eventId: 'without-a-currency', value: 3 },
    { sessionHash, eventId: 'without-a-value' },
    { sessionHash, eventId: 'given-back', value: 0 },
    { sessionHash, eventId: 'made-less', value: '12.3456' },
  ]);
  const properties = { sessionHash, email: 'zoe@mail.example', value: 7.25, currency: 'CHF', funnel_id: 'late' };
  await client.recordEvent({ api_key: account.apiKey, event: 'signup', properties });
  await client.changeTrackingSettings({ excludedAddresses: ['127.0.0.1'] });
  await until(async () => {
    const { sessionId } = await visit(client, 'https://shop.example/internal');
    return (await client.getTrackedSession({ sessionId: String(sessionId) })).isInternal;
  });
  await client.changeTrackingSettings({ excludedAddresses: [] });
  const [conversion] = await client.listConversions({ event: 'renewal' }).all();
  assert(conversion?.lead);
  await waitForJob(client, (await client.eraseLead({ email: conversion.lead.email })).id);
  return client;
}

/** The start of a day in the time zone, in milliseconds. */
const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(ZONE).epochMilliseconds;

const number = (value: number) => new Intl.NumberFormat(LOCALE).format(value);
const percent = (share: number) =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 }).format(share);
const money = (tenThousandths: number, currency: string) =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(tenThousandths / 10_000);

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`;
}

type Counts = ReturnType<typeof recount>;

/** The expected texts of the tiles. */
function tilesOf(current: Counts, previous: Counts): Record<string, string[]> {
  const change = (now: number, then: number) => {
    if (then === 0) return 'No previous data';
    const by = now / then - 1;
    if (Math.abs(by) <= 0.0005) return 'No change';
    return by > 0 ? `+${percent(by)}` : percent(by);
  };
  const rate = ({ convertingSessions, sessions }: Counts) => (sessions === 0 ? 0 : convertingSessions / sessions);
  const sums = Object.entries(current.revenue as Record<string, number>);
  const [[main = '', most = 0] = []] = sums.toSorted(([, a], [, b]) => b - a);
  const shown = (sum: number, currency: string) =>
    currency === 'null' ? `${number(sum / 10_000)} without currency` : money(sum, currency);
  const others = sums.filter(([currency]) => currency !== main).map(([currency, sum]) => shown(sum, currency));
  const mean = (name: 'bounceRate' | 'visitsPerSession' | 'sessionDuration', format: (value: number) => string) => [
    format(current[name] ?? 0),
    current[name] === null || previous[name] === null
      ? 'No previous data'
      : change(current[name] ?? 0, previous[name] ?? 0),
  ];
  const of = (name: 'visitors' | 'visits' | 'sessions' | 'leads' | 'conversions') => [
    number(current[name]),
    change(current[name], previous[name]),
  ];
  return {
    Visitors: of('visitors'),
    Visits: of('visits'),
    Sessions: of('sessions'),
    'Bounce rate': mean('bounceRate', percent),
    'Pages per session': mean('visitsPerSession', (value) => number(Math.round(value * 100) / 100)),
    'Session duration': mean('sessionDuration', duration),
    Leads: of('leads'),
    Conversions: of('conversions'),
    'Conversion rate': [percent(rate(current)), change(rate(current), rate(previous))],
    Revenue: [
      shown(most, main),
      change(most, (previous.revenue as Record<string, number>)[main] ?? 0),
      ...others.sort(),
    ],
  };
}

/** The texts of the tiles. */
async function readTiles(page: Page): Promise<Record<string, string[]>> {
  const tiles = page.locator('button[aria-pressed]');
  await tiles.first().waitFor();
  const texts = await tiles.allInnerTexts();
  return Object.fromEntries(
    texts.map((text) => {
      const [label = '', ...rest] = text.split('\n').filter((line) => line !== '');
      return [
        label,
        [
          ...rest.slice(0, 2),
          ...rest
            .slice(2)
            .flatMap((line) => line.split(' · '))
            .sort(),
        ],
      ];
    }),
  );
}

/** The rows of a card: value, visitors, tooltip. */
async function readRows(page: Page, title: string): Promise<[string, string, string][]> {
  const rows = page.locator('.surface', { has: page.getByRole('heading', { name: title }) }).locator('button[title]');
  await rows.first().waitFor();
  return rows.evaluateAll((buttons) =>
    buttons.map((button) => {
      const [value = '', amount = ''] = [...button.querySelectorAll('span')].slice(1).map((span) => span.textContent);
      return [value, amount, button.getAttribute('title') ?? ''] as [string, string, string];
    }),
  );
}

describe('the overview', () => {
  let data: Exports;

  before(async () => {
    const account = await service.newDemo();
    await service.makeOwner(account.id);
    // The exports have the values in their own currencies.
    await service.withDatabase((db) => db.query("update accounts set currency = null, exchange_rates = '{}'"));
    const client = await addOddities(account, { userAgent: BROWSER });
    const done = Date.now();
    const day = { from: '2026-01-01', to: '2026-01-02' };
    await until(async () => Date.parse((await client.getOverview(day)).asOf) > done);
    data = await readExportsBy(async (request) => {
      const job = await waitForJob(client, await client.startExport(request));
      return (await fetch((job.result as { url: string }).url)).text();
    });
  });

  const today = () => Temporal.Now.plainDateISO(ZONE);
  const ask = (from: Temporal.PlainDate, to: Temporal.PlainDate, filters = {}): Question => ({
    from: startOf(from),
    to: startOf(to),
    filters,
    include: { bots: false, internal: false },
  });

  async function assertTiles(page: Page, from: Temporal.PlainDate, to: Temporal.PlainDate, filters = {}) {
    const days = from.until(to).days;
    const tilesAt = (now: number) => {
      // A period that is not over is compared to the same part of the previous one, to the quarter of an hour.
      const then = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE).subtract({ days });
      const elapsed = Math.ceil(then.epochMilliseconds / QUARTER) * QUARTER;
      const before = { ...ask(from.subtract({ days }), from, filters), to: Math.min(startOf(from), elapsed) };
      return tilesOf(recount(data, ask(from, to, filters)), recount(data, before));
    };
    await atRest(page);
    const shown = await readTiles(page);
    // The page may have asked in the quarter before this one.
    const asked = tilesAt(Date.now() - 60_000);
    assert.deepEqual(shown, isDeepStrictEqual(shown, asked) ? asked : tilesAt(Date.now()));
  }

  async function assertRows(page: Page, question: Question, title: string, dimension: 'source' | 'campaign' | 'event') {
    const none = dimension === 'source' ? 'Direct' : 'None';
    // Events are counted by how often they were recorded; sessions without any are no row.
    const expected = recountBy(data, question, dimension)
      .filter(({ value }) => dimension !== 'event' || value !== null)
      .map((row) => ({ ...row, amount: 'events' in row ? row.events : row.visitors }))
      .sort((a, b) => b.amount - a.amount);
    const rows = await readRows(page, title);
    assert.deepEqual(
      rows.map(([, amount]) => amount),
      expected.slice(0, SHOWN).map(({ amount }) => number(amount)),
    );
    for (const [value, amount, told] of rows) {
      const row = expected.find((each) => (each.value ?? none) === value);
      assert(row, `${value} is not in the exports`);
      assert.equal(amount, number(row.amount), value);
      assert.equal(told, `${value}: ${number(row.conversions)} conversions of ${number(row.sessions)} sessions`);
    }
  }

  it('equals its exports, for the last 30 days in the time zone of the user and for the previous period', async () => {
    const { page, complaints } = await openPage(
      browser,
      service.url,
      { locale: LOCALE, timezoneId: ZONE },
      '/overview',
    );
    const [from, to] = [today().subtract({ days: 29 }), today().add({ days: 1 })];
    await assertTiles(page, from, to);
    await assertRows(page, ask(from, to), 'Sources', 'source');
    await assertRows(page, ask(from, to), 'Events', 'event');
    await assertRows(page, ask(from, to), 'Campaigns', 'campaign');
    // The current day is not over.
    assert.equal(await page.locator('svg path[class*=unfinished]').count(), 1);
    const attribution = (await page.getByRole('table', { name: 'Attribution' }).textContent()) ?? '';
    for (const currency of ['€', '£', 'CHF', 'US$']) assert(attribution.includes(currency), currency);
    await page.getByRole('button', { name: /^Conversion rate/ }).focus();
    await page.getByRole('tooltip', { name: /divided by all sessions/ }).waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('has its figures of today on the first page', async () => {
    const { page } = await openPage(browser, service.url, { locale: LOCALE, timezoneId: ZONE }, '/home');
    const shown = page.locator('dt', { hasText: 'Visitors' }).locator('xpath=following-sibling::dd').first();
    await shown.waitFor();
    const { visitors } = recount(data, ask(today(), today().add({ days: 1 })));
    assert.equal(await shown.textContent(), number(visitors));
    await closePage(page);
  });

  it('equals its exports for the values of an event property, also as CSV of all values and in a search', async () => {
    const [from, to] = [today().subtract({ days: 29 }), today().add({ days: 1 })];
    const { page } = await openPage(browser, service.url, { locale: LOCALE, timezoneId: ZONE }, '/overview');
    const card = page.locator('.surface', { has: page.getByRole('heading', { name: 'Event properties' }) });
    await card.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'quiz_answered' }).click();
    await card.getByRole('combobox', { name: 'Property' }).click();
    await page.getByRole('option', { name: 'question' }).click();
    const { from: start, to: end } = ask(from, to);
    const among = data.events.filter(({ event, sessionId, occurredAt, isBot, isInternal }) => {
      const at = Date.parse(occurredAt);
      return event === 'quiz_answered' && sessionId !== null && at >= start && at < end && !isBot && !isInternal;
    });
    const expected = [...Map.groupBy(among, ({ properties }) => String(properties.question ?? 'Not set'))]
      .map(([value, events]) => [value, number(events.length)])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    assert(expected.length > 1);
    await atRest(page);
    const shown = await card
      .locator('[title$=sessions]')
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('p')].map(({ textContent }) => textContent)));
    assert.deepEqual(shown.sort(), expected);
    await card.getByRole('button', { name: /^(View all|Details)$/ }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split(/\r?\n/);
    assert.deepEqual([lines.length - 1, lines[0]], [expected.length, 'question,Events,Sessions']);
    assert.deepEqual(await faultsOf(page), []);
    const [searched = ''] = expected.find(([value]) => value !== 'Not set') ?? [];
    await page.getByRole('searchbox', { name: 'Search values' }).fill(searched);
    const rows = page.getByRole('dialog').getByRole('row');
    await page.waitForFunction((count) => document.querySelectorAll('[role=dialog] tbody tr').length === count, 1);
    assert.equal(await rows.count(), 2);
    await closePage(page);
  });

  it('equals its exports for a range with hours, chosen in the dialog and kept in the URL', async () => {
    const [first, last] = [today().subtract({ days: 30 }), today().subtract({ days: 29 })];
    const path = `/overview?from=${first}&to=${last}`;
    const { page } = await openPage(browser, service.url, { locale: LOCALE, timezoneId: ZONE }, path);
    await page.getByRole('button', { name: /–/ }).click();
    await page.getByRole('combobox', { name: 'From' }).fill('06:30');
    await page.getByRole('option', { name: '06:30' }).click();
    await page.getByRole('combobox', { name: 'To' }).fill('22:15');
    await page.getByRole('option', { name: '22:15' }).click();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('from') === `${first}T06:30`);
    await page.reload();
    await page.getByRole('button', { name: /06:30.*22:15/ }).waitFor();
    await atRest(page);
    const at = (day: Temporal.PlainDate, time: string) =>
      Temporal.ZonedDateTime.from(`${day}T${time}[${ZONE}]`).epochMilliseconds;
    const question = { ...ask(first, last), from: at(first, '06:30'), to: at(last, '22:15') };
    const previous = { ...question, from: 2 * question.from - question.to, to: question.from };
    assert.deepEqual(await readTiles(page), tilesOf(recount(data, question), recount(data, previous)));
    await assertRows(page, question, 'Sources', 'source');
    await closePage(page);
  });

  it('equals its exports for a custom range, also with a source filter', async () => {
    const [from, last] = [today().subtract({ days: 47 }), today().subtract({ days: 9 })];
    const path = `/overview?from=${from}&to=${last}`;
    const { page } = await openPage(browser, service.url, { locale: LOCALE, timezoneId: ZONE }, path);
    const to = last.add({ days: 1 });
    await assertTiles(page, from, to);
    assert.equal(await page.locator('svg path[class*=unfinished]').count(), 0);
    const filtered = page.waitForResponse(/overview.*google/);
    await page
      .getByRole('button', { name: /^google/ })
      .first()
      .click();
    await page.getByText('Source: google').waitFor();
    await filtered;
    await atRest(page);
    const filters: Filters = { source: [{ operator: 'is', values: ['google'] }] };
    await assertTiles(page, from, to, filters);
    await assertRows(page, ask(from, to, filters), 'Events', 'event');

    // A second filter, by a part of the landing page, from the picker.
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Landing page' }).click();
    await page.getByRole('combobox', { name: 'Operator' }).click();
    await page.getByRole('option', { name: 'does not contain' }).click();
    await page.getByRole('combobox', { name: 'Values' }).fill('guide');
    assert.deepEqual(await faultsOf(page), []);
    const narrowed = page.waitForResponse(/overview.*containsNot/);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('Landing page does not contain guide').waitFor();
    await narrowed;
    await atRest(page);
    const both: Filters = { ...filters, landingPage: [{ operator: 'containsNot', values: ['guide'] }] };
    await assertTiles(page, from, to, both);

    // All values of a dimension, with every metric.
    const events = page.locator('.surface', { has: page.getByRole('heading', { name: 'Events' }) });
    await events.getByRole('button', { name: /^(View all|Details)$/ }).click();
    const rows = page.getByRole('dialog').getByRole('row');
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 1 + recountBy(data, ask(from, to, both), 'event').length);
    assert.deepEqual(await faultsOf(page), []);
    await closePage(page);
  });
});
