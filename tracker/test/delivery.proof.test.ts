// Slow: a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { until } from '../../server/test/until.ts';
import { eventsOf, eventually, openWorld, settled, visitsOf } from './world.ts';

const { browser, service, openShop } = await openWorld();

/** A batch as it was sent. */
const sent = (data: string | null) =>
  JSON.parse(data ?? '{}') as { items: { visit?: { visitId: string }; event?: { event: string } }[] };

test('activity while the service is down is sent when it is up again', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await settled(page);
  await service.kill();
  await page.evaluate(() => {
    history.pushState(null, '', '/while-down');
    for (let n = 0; n < 5; n++) void window.headwater.track('while down', { n });
  });
  const failed = page.waitForEvent('requestfailed');
  await failed;
  await service.startAgain();
  const events = await eventsOf(shop, 6);
  assert.deepEqual(
    events.slice(1).map(({ properties }) => properties.n),
    [0, 1, 2, 3, 4],
  );
  const visits = await visitsOf(shop, 2);
  assert.ok(events.every(({ session }) => session === visits[0].session));
  assert.deepEqual(shop.errors, []);
});

test('what a page could not send is sent by the next one, in another tab or after a browser restart', async () => {
  const shop = await openShop();
  const first = await shop.open('/');
  await settled(first);
  await first.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('no network'));
    navigator.sendBeacon = () => false;
    void window.headwater.track('left behind');
  });
  await first.close();
  const state = await shop.context.storageState();
  await shop.context.close();
  assert.equal((await shop.events()).length, 1);
  const context = await browser.newContext({ storageState: state });
  await (await context.newPage()).goto(shop.url('/again'));
  const events = await eventsOf(shop, 2);
  assert.equal(events[1].event, 'left behind');
  assert.equal(events[1].session, events[0].session);
});

test('a page that is hidden sends what it has at once, and once: phones tell of nothing later', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await settled(page);
  const sentWhileHidden = await page.evaluate(async () => {
    window.fetch = () => Promise.reject(new TypeError('the page is frozen'));
    const original = navigator.sendBeacon.bind(navigator);
    let count = 0;
    navigator.sendBeacon = (...args) => {
      count++;
      return original(...args);
    };
    void window.headwater.track('last words');
    const show = (hidden: boolean) => {
      Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    };
    show(false);
    const whileShown = count;
    show(true);
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    return [whileShown, count];
  });
  assert.deepEqual(sentWhileHidden, [0, 1]);
  const events = await eventsOf(shop, 2);
  assert.equal(events[1].event, 'last words');
});

test('an event with an id of the page is recorded once, whichever page tracks it', async () => {
  const shop = await openShop();
  const results = [];
  for (const path of ['/one', '/two']) {
    const page = await shop.open(path);
    results.push(await page.evaluate(() => window.headwater.track('order', {}, 'order-1')));
  }
  assert.equal(results[0].event_id, results[1].event_id);
  const [event] = await eventsOf(shop, 1);
  assert.equal(event.client_event_id, 'order-1');
});

test('429 and 5xx are retried, not before Retry-After', async () => {
  const shop = await openShop();
  const page = await shop.context.newPage();
  const times: number[] = [];
  const refusals: Parameters<Route['fulfill']>[0][] = [
    { status: 429, headers: { 'retry-after': '2', 'access-control-expose-headers': 'retry-after' }, body: '{}' },
    { status: 503, body: '<html>' },
    { status: 200, body: '<html>a captive portal</html>' },
  ];
  await page.route('**/v1/batch', (route) => {
    times.push(performance.now());
    const refusal = refusals[times.length - 1];
    if (!refusal) return route.continue();
    return route.fulfill({ ...refusal, headers: { 'access-control-allow-origin': '*', ...refusal.headers } });
  });
  await page.goto(shop.url('/'));
  await visitsOf(shop, 1);
  assert.equal(times.length, 4);
  const waits = times.slice(1).map((time, i) => time - times[i]);
  assert.ok(waits[0] >= 2_000, String(waits));
  assert.ok(waits[1] >= 1_000, String(waits));
  assert.ok(waits[2] >= 2_000, String(waits));
});

test('a rate limit of the real service delays, and loses nothing', async () => {
  const limited = await openWorld({ RATE_LIMIT: 'on', RATE_LIMIT_INGEST_ADDRESS: '10:10' });
  const shop = await limited.openShop();
  const page = await shop.open('/');
  let isLimited = false;
  shop.context.on('response', (response) => {
    isLimited ||= response.status() === 429;
  });
  // As many as it takes, as the limit fills up again while a busy machine sends.
  let count = 0;
  await until(async () => {
    await page.evaluate(() => {
      for (let n = 0; n < 3; n++) void window.headwater.track('limited');
    });
    count += 3;
    return isLimited;
  });
  await eventsOf(shop, count);
  // The page may read the header.
  const wait = await page.evaluate(
    async ([url, body]) => {
      for (;;) {
        const response = await fetch(url, { method: 'POST', body });
        if (response.status === 429) return Number(response.headers.get('retry-after'));
      }
    },
    [
      shop.batches[0].url(),
      JSON.stringify({ api_key: shop.account.apiKey, items: Array(10).fill({ event: { event: 'more' } }) }),
    ],
  );
  assert.ok(wait >= 1, String(wait));
});

test('a permanent rejection drops the items, resolves their calls and warns once', async () => {
  const shop = await openShop({ settings: { apiKey: 'hw_pk_wrong' } });
  const page = await shop.context.newPage();
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await page.goto(shop.url('/'));
  await page.waitForFunction(() => 'session' in window.headwater);
  for (let i = 0; i < 2; i++) {
    const result = await page.evaluate(() => window.headwater.track('refused'));
    assert.equal(result.success, false);
    assert.match(result.error ?? '', /^[a-z_]+$/);
  }
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /headwater 401/);
  // Each was sent once: the second call came after the first response.
  const names = shop.batches.flatMap((request) => sent(request.postData()).items.map(({ event }) => event?.event));
  assert.deepEqual(names.filter(Boolean), ['refused', 'refused']);
});

test('a rejected item does not affect others, and its result has the reason', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  const [bad, good, nameless, cut] = await page.evaluate(() =>
    Promise.all([
      window.headwater.track('x'.repeat(256)),
      window.headwater.track('good'),
      window.headwater.track(''),
      window.headwater.track('large', { text: '\u20ac'.repeat(40_000) }),
    ]),
  );
  assert.deepEqual([bad.success, good.success, nameless.success, cut.success], [false, true, false, false]);
  for (const result of [bad, nameless, cut]) assert.ok(result.error && result.reason, JSON.stringify(result));
  const events = await eventsOf(shop, 1);
  assert.equal(events[0].event, 'good');
});

test('half a character, and whatever else cannot be stored, loses neither the landing visit nor a purchase beside it', async () => {
  const shop = await openShop({
    head: `<script>localStorage['headwater:x'] = '[null, 5, "text", [], {"visit": 3}, {"event": {"event": "left"}}]'</script>`,
  });
  const page = await shop.context.newPage();
  await page.goto(shop.url('/?gclid=Ea-3'));
  const results = await page.evaluate(() => {
    const deep = JSON.parse('[ '.repeat(30) + ']'.repeat(30));
    const named = JSON.parse('{"__proto__": {"a": 1}, "nul": "\\u0000"}');
    return Promise.all([
      window.headwater.track('comment', { text: 'great \u{1f600}'.slice(0, 7) }),
      window.headwater.track('nested', { deep }),
      window.headwater.track('named', named),
      window.headwater.track('purchase', { value: 49.9, currency: 'EUR' }, 'order-1'),
    ]);
  });
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, false, true, true],
  );
  const [visit] = await visitsOf(shop, 1);
  const events = await eventsOf(shop, 4);
  assert.deepEqual(events.map(({ event }) => event).sort(), ['comment', 'left', 'named', 'purchase']);
  assert.equal(events.find(({ event }) => event === 'comment')?.properties.text, 'great \ufffd');
  const sold = events.find(({ event }) => event === 'purchase');
  assert.deepEqual([sold?.session, sold?.client_event_id], [visit.session, 'order-1']);
  const [session] = await service.rows('select click_ids from sessions where account_id = $1', shop.account.uuid);
  assert.deepEqual(session.click_ids, { gclid: 'Ea-3' });
  assert.deepEqual(shop.errors, []);
});

test('1,000 calls in a row are all recorded once and in order, in small batches', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await page.evaluate(() => {
    for (let n = 0; n < 1_000; n++) void window.headwater.track('burst', { n, text: 'as usual' });
  });
  const events = await eventsOf(shop, 1_000);
  const numbers = events.map(({ properties }) => properties.n as number).sort((a, b) => a - b);
  assert.deepEqual(numbers, [...Array(1_000).keys()]);
  // The service may have stored a request before the browser reports it.
  await eventually(() => {
    const asSent = shop.batches.flatMap((request) => sent(request.postData()).items.map((item) => item.event?.event));
    assert.deepEqual(asSent.filter(Boolean), Array(1_000).fill('burst'));
  });
  const sizes = shop.batches.map((request) => Buffer.byteLength(request.postData() ?? ''));
  assert.ok(Math.max(...sizes) <= 60_000 && shop.batches.length <= 25, String(sizes));
  const [visit] = await visitsOf(shop, 1);
  assert.ok(events.every(({ session }) => session === visit.session));
  // Storage is empty.
  await page.waitForFunction(() =>
    Object.keys(localStorage).every((key) => !key.startsWith('headwater:') || localStorage[key] === '[]'),
  );
});

test('activity while the page is being left is recorded, in full mode and without storage', async () => {
  for (const mode of ['full', 'cookieless']) {
    const shop = await openShop({
      settings: { mode },
      answer: (path) => (path === '/away' ? { body: 'Away' } : undefined),
    });
    const page = await shop.open('/');
    await page.evaluate(() => {
      for (let n = 0; n < 20; n++) void window.headwater.track('leaving', { n });
      location.href = '/away';
    });
    await page.waitForURL('**/away');
    const events = await eventsOf(shop, 20);
    const [visit] = await visitsOf(shop, 1);
    assert.ok(events.every(({ session }) => session === (mode === 'full' ? visit.session : null)));
  }
});

test('leaving with more than one request can hold: beacons are sent until the browser refuses, with and without storage', async () => {
  for (const mode of ['full', 'cookieless']) {
    const shop = await openShop({
      settings: { mode },
      answer: (path) => (path === '/away' ? { body: 'Away' } : undefined),
    });
    const page = await shop.open('/');
    await page.evaluate(() => {
      for (let n = 0; n < 5; n++) void window.headwater.track('large', { n, text: 'x'.repeat(8_000) });
      location.href = '/away';
    });
    await page.waitForURL('**/away');
    const events = await eventsOf(shop, 5);
    assert.deepEqual(events.map(({ properties }) => properties.n).sort(), [0, 1, 2, 3, 4]);
    await visitsOf(shop, 1);
  }
});

test('what the browser refuses when the page is left is sent by the next page or, without storage, counted', async () => {
  for (const mode of ['full', 'cookieless'] as const) {
    const shop = await openShop({
      settings: { mode },
      answer: (path) => (path === '/away' ? { body: 'Away' } : undefined),
    });
    const page = await shop.open('/');
    await visitsOf(shop, 1);
    await page.evaluate(() => {
      for (let n = 0; n < 20; n++) void window.headwater.track('large', { n, text: 'x'.repeat(8_000) });
      // A request that takes up what the beacons may have, but cannot be sent.
      void window.headwater.track('too large', { text: 'x'.repeat(70_000) });
      location.href = '/away';
    });
    await page.waitForURL('**/away');
    if (mode === 'full') {
      await page.goto(shop.url('/next'));
      assert.equal((await eventsOf(shop, 20)).length, 20);
      continue;
    }
    const counted = await eventually(async () => {
      const event = (await shop.events()).find(({ event }) => event === 'headwater_unsent');
      assert.ok(event);
      return event.properties.count as number;
    });
    const events = await eventually(async () => {
      const rows = await shop.events();
      assert.equal(rows.length - 1 + counted, 21);
      return rows;
    });
    assert.ok(events.length >= 5, String(events.length));
  }
});

test('after 1,000 calls and leaving, the next page sends the rest, and nothing twice', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await page.evaluate(() => {
    for (let n = 0; n < 1_000; n++) void window.headwater.track('burst', { n });
    location.href = '/next';
  });
  await page.waitForURL('**/next');
  const events = await eventsOf(shop, 1_000);
  assert.equal(new Set(events.map(({ properties }) => properties.n)).size, 1_000);
  await visitsOf(shop, 2);
});

test('the queue is bounded: calls that do not fit fail, and earlier ones are kept', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await settled(page);
  await shop.context.setOffline(true);
  const { errors, stored } = await page.evaluate(async () => {
    const text = 'x'.repeat(10_000);
    const results = Array.from({ length: 200 }, (_, n) => window.headwater.track('large', { n, text }));
    const settledSoon = await Promise.all(results.slice(150));
    const size = Object.values(localStorage).join('').length;
    return { errors: settledSoon.map(({ error }) => error), stored: size };
  });
  assert.deepEqual(errors, Array(50).fill('queue_full'));
  assert.ok(stored < 1_001_000, String(stored));
  await shop.context.setOffline(false);
  const events = await eventually(async () => {
    const found = await shop.events();
    assert.ok(found.length > 50);
    return found;
  });
  assert.ok(events.some(({ properties }) => properties.n === 0));
});

test('a call resolves after 5 s without a response, and its event is still sent', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await settled(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/batch', (route) => held.then(() => route.continue()));
  const result = await page.evaluate(() => window.headwater.track('slow'));
  assert.deepEqual(result, { success: false, error: 'pending' });
  release();
  await eventsOf(shop, 2);
});
