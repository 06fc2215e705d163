import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortHashOf } from '../../server/src/tracking/identifiers.ts';
import { openShop, service } from './shared.ts';
import { eventsOf, settled, visitsOf } from './world.ts';

test('a page view is recorded automatically, with its landing page, in the session that the page shows at once', async () => {
  const shop = await openShop();
  const page = await shop.open('/pricing?gclid=Ea-1&utm_source=news&utm_medium=email&utm_campaign=may&utm_id=7');
  const session = await page.evaluate(() => ({ ...window.headwater.session }));
  const [visit] = await visitsOf(shop, 1);
  assert.match(session.hash ?? '', /^[0-9A-Za-z]{22}$/);
  assert.match(session.visitorId ?? '', /^[0-9A-Za-z]{22}$/);
  assert.equal(session.shortHash, shortHashOf(session.hash ?? ''));
  assert.equal(visit.url, page.url());
  assert.equal(visit.title, 'Shop');
  assert.equal(visit.session, session.hash);
  assert.equal(visit.visitor_id, session.visitorId);
  const [row] = await service.rows('select * from sessions where account_id = $1', shop.account.uuid);
  assert.equal(row.short_hash, session.shortHash);
  assert.deepEqual(row.click_ids, { gclid: 'Ea-1' });
  assert.deepEqual([row.source, row.medium, row.campaign, row.utm_id], ['news', 'email', 'may', '7']);
  assert.equal(row.is_bot, false);
  assert.deepEqual(shop.errors, []);
});

test('calls made before the script has loaded are recorded afterwards, and get their results', async () => {
  const inline = `<script>
    window.results = [];
    addEventListener('DOMContentLoaded', () => { window.early = headwater.track });
    addEventListener('DOMContentLoaded', () => {
      for (const name of ['one', 'two']) headwater.track(name, { value: 1.5 }).then(result => results.push(result));
    });
  </script>`;
  const shop = await openShop({ head: inline });
  const page = await shop.context.newPage();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/headwater.js', (route) => held.then(() => route.continue()));
  await page.goto(shop.url('/'), { waitUntil: 'commit' });
  await page.waitForFunction(() => document.readyState !== 'loading');
  assert.equal(await page.evaluate(() => 'session' in window.headwater), false);
  release();
  const events = await eventsOf(shop, 2);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['one', 'two'],
  );
  const [visit] = await visitsOf(shop, 1);
  assert.ok(events.every(({ session }) => session === visit.session));
  await page.waitForFunction(() => (window as unknown as { results: unknown[] }).results.length === 2);
  const results = await page.evaluate(() => (window as unknown as { results: { event_id: string }[] }).results);
  assert.ok(results.every(({ event_id }) => event_id.startsWith('evt_')));
  // A page that kept the snippet's function may still call it.
  const late = await page.evaluate(() =>
    (window as unknown as { early: typeof window.headwater.track }).early('three'),
  );
  assert.equal(late.success, true);
  await eventsOf(shop, 3);
});

test('the key alone is enough of a snippet', async () => {
  const shop = await openShop({
    answer: (path) =>
      path === '/bare'
        ? {
            body: `<script>window.headwater = { apiKey: '${shop.account.apiKey}' }</script>
                   <script async src="${service.url}/headwater.js"></script>`,
          }
        : undefined,
  });
  await settled(await shop.open('/bare'));
  await visitsOf(shop, 1);
});

for (const api of ['the Navigation API', 'patched history'] as const) {
  test(`each change of the path in a single-page app is a visit, and no other change is: ${api}`, async () => {
    const shop = await openShop();
    if (api === 'patched history') {
      await shop.context.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }));
    }
    const page = await shop.open('/start?q=1');
    const go = async (change: () => unknown, title: string) => {
      // Routers change the title after the URL.
      await page.evaluate(`Promise.resolve((${change})()).then(() => { document.title = '${title}' })`);
      await settled(page);
    };
    await go(() => history.pushState({ a: 1 }, '', '/cart?q=2'), 'Cart');
    await go(() => history.pushState(null, '', '/cart?q=3'), 'Same');
    await go(() => history.replaceState(null, '', '/cart?q=4#top'), 'Same');
    await go(() => {
      location.hash = 'bottom';
    }, 'Same');
    await go(() => history.replaceState(null, '', '/checkout'), 'Checkout');
    await go(
      () =>
        new Promise((resolve) => {
          addEventListener('popstate', resolve, { once: true });
          history.back();
        }),
      'Back',
    );
    const visits = await visitsOf(shop, 4);
    assert.deepEqual(
      visits.map(({ url, title, referrer }) => [url, title, referrer]),
      [
        [shop.url('/start?q=1'), 'Shop', null],
        [shop.url('/cart?q=2'), 'Cart', shop.url('/start?q=1')],
        [shop.url('/checkout'), 'Checkout', shop.url('/cart?q=2')],
        [shop.url('/cart?q=4#top'), 'Back', shop.url('/checkout')],
      ],
    );
    assert.equal(new Set(visits.map(({ session }) => session)).size, 1);
    assert.deepEqual(shop.errors, []);
  });
}

test('a route that a router intercepts is a visit', async () => {
  const shop = await openShop();
  const page = await shop.open('/start');
  await page.evaluate(async () => {
    const { navigation } = window;
    navigation.addEventListener('navigate', (event) => event.intercept({ handler: async () => {} }));
    await navigation.navigate('/intercepted').finished;
  });
  const [, visit] = await visitsOf(shop, 2);
  assert.equal(visit.url, shop.url('/intercepted'));
});

test('a prerendered page is a visit when it is activated, and earlier calls are recorded then', async () => {
  const shop = await openShop();
  await shop.context.addInitScript(() => {
    Object.defineProperty(document, 'prerendering', { get: () => !('shown' in window), configurable: true });
  });
  const page = await shop.context.newPage();
  await page.goto(shop.url('/next'));
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => void window.headwater.track('while hidden'));
  assert.deepEqual([await shop.visits(), await shop.events()], [[], []]);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  await page.evaluate(() => {
    Object.assign(window, { shown: true });
    document.dispatchEvent(new Event('prerenderingchange'));
  });
  await visitsOf(shop, 1);
  await eventsOf(shop, 1);
  await page.evaluate(() => delete (window as { shown?: true }).shown);
});

test('a page that comes back from the back/forward cache is another visit; a page that is only shown again is none', async () => {
  const shop = await openShop();
  const page = await shop.open('/list');
  await settled(page);
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await settled(page);
  const visits = await visitsOf(shop, 2);
  assert.equal(visits[1].session, visits[0].session);
});

test('two tabs share a session; a new click id starts one of the same visitor for both', async () => {
  const shop = await openShop();
  const [one, two] = [await shop.open('/?gclid=1'), await shop.open('/other')];
  const hashOf = (page: typeof one) => page.evaluate(() => window.headwater.session?.hash);
  assert.equal(await hashOf(one), await hashOf(two));
  const before = await hashOf(one);
  const three = await shop.open('/?gclid=2');
  assert.notEqual(await hashOf(three), before);
  assert.equal(await hashOf(one), await hashOf(three));
  await one.evaluate(() => void window.headwater.track('in the first tab'));
  const [event] = await eventsOf(shop, 1);
  assert.equal(event.session, await hashOf(three));
  const visits = await visitsOf(shop, 3);
  assert.deepEqual(
    visits.map(({ session }) => session === before),
    [true, true, false],
  );
  assert.equal(new Set(visits.map(({ visitor_id }) => visitor_id)).size, 1);
});

test('a session ends after 30 minutes idle or 24 hours; the next event starts one with a visit', async () => {
  const shop = await openShop();
  const page = await shop.context.newPage();
  await page.clock.install();
  await page.goto(shop.url('/landing'));
  await page.waitForFunction(() => 'session' in window.headwater);
  const track = async () => {
    await page.evaluate(() => void window.headwater.track('at work'));
    await page.clock.runFor(1_000);
    return page.evaluate(() => window.headwater.session?.hash);
  };
  const first = await track();
  await page.clock.fastForward('29:00');
  assert.equal(await track(), first);
  await page.clock.fastForward('31:00');
  const second = await track();
  assert.notEqual(second, first);
  for (let minutes = 0; minutes < 23.5 * 60; minutes += 29) {
    await page.clock.fastForward('29:00');
    assert.equal(await track(), second);
  }
  await page.clock.fastForward('29:00');
  assert.notEqual(await track(), second);
  const visits = await visitsOf(shop, 3);
  assert.deepEqual(
    visits.map(({ url, referrer }) => [url, referrer]),
    Array(3).fill([shop.url('/landing'), null]),
  );
  assert.equal(new Set(visits.map(({ visitor_id }) => visitor_id)).size, 1);
});

test('the landing page survives a navigation before anything is sent', async () => {
  const shop = await openShop();
  const page = await shop.context.newPage();
  await page.route('**/v1/batch', (route) => route.abort());
  await shop.context.addInitScript(() => {
    if (location.pathname !== '/third') navigator.sendBeacon = () => false;
  });
  await page.goto(shop.url('/?gclid=Ea-2&utm_campaign=may'), { referer: 'https://search.example/?q=shoes' });
  await page.waitForFunction(() => 'session' in window.headwater);
  await page.goto(shop.url('/second'));
  await page.waitForFunction(() => 'session' in window.headwater);
  assert.deepEqual(await shop.visits(), []);
  await page.unrouteAll();
  await page.goto(shop.url('/third'));
  const visits = await visitsOf(shop, 3);
  assert.equal(new Set(visits.map(({ session }) => session)).size, 1);
  const [session] = await service.rows('select * from sessions where account_id = $1', shop.account.uuid);
  assert.deepEqual(session.click_ids, { gclid: 'Ea-2' });
  assert.equal(session.campaign, 'may');
  assert.equal(session.referrer, 'https://search.example/?q=shoes');
  assert.equal(session.landing_url, shop.url('/?gclid=Ea-2&utm_campaign=may'));
});
