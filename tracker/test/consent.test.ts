import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Mode } from '../index.d.ts';
import { openShop, service } from './shared.ts';
import { eventsOf, eventually, type Shop, settled, visitsOf } from './world.ts';

/** Everything that a site can store in a browser. */
async function onDevice(page: Page) {
  const cookies = await page.context().cookies();
  const inPage = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()),
    ...(await caches.keys()),
    document.cookie,
    window.name,
  ]);
  return [...cookies, ...inPage].filter((each) => each !== '');
}

const itemsOf = (shop: Shop) =>
  shop.batches.flatMap((request) => JSON.parse(request.postData() ?? '{}').items as Record<string, object>[]);

test('without consent nothing is recorded, sent or stored', async () => {
  const shop = await openShop({ settings: { mode: 'off' } });
  const page = await shop.open('/?gclid=1');
  const result = await page.evaluate(() => window.headwater.track('unwanted'));
  assert.deepEqual(result, { success: false, error: 'no_consent' });
  await page.evaluate(() => history.pushState(null, '', '/second'));
  await page.goto('about:blank');
  assert.equal(shop.batches.length, 0);
  assert.deepEqual([await shop.visits(), await shop.events()], [[], []]);
  const again = await shop.open('/');
  assert.deepEqual(await onDevice(again), []);
  assert.equal(await again.evaluate(() => window.headwater.session), undefined);
});

test('cookieless: visits and events without an identifier, click ids included, and nothing on the device', async () => {
  const shop = await openShop({ settings: { mode: 'cookieless' } });
  const page = await shop.open('/?gclid=Ea-1&utm_source=news&ScCid=2');
  await page.evaluate(() => history.pushState(null, '', '/second'));
  const result = await page.evaluate(() => window.headwater.track('anonymous', { n: 1 }));
  assert.equal(result.success, true);
  assert.deepEqual(await onDevice(page), []);
  assert.equal(await page.evaluate(() => window.headwater.session), undefined);
  const visits = await visitsOf(shop, 2);
  // Both may have the same time.
  assert.deepEqual(
    visits.map(({ url, referrer }) => [url.replace(shop.url(''), ''), referrer?.replace(shop.url(''), '')]).sort(),
    [
      ['/?&utm_source=news&', undefined],
      ['/second', '/?&utm_source=news&'],
    ],
  );
  // The service creates a session and a visitor for each.
  assert.equal(new Set(visits.flatMap(({ session, visitor_id }) => [session, visitor_id])).size, 4);
  const [event] = await eventsOf(shop, 1);
  assert.equal(event.session, null);
  const items = itemsOf(shop);
  assert.deepEqual(
    items.map(({ visit, event }) => Object.keys(visit ?? event).sort()),
    [
      ...Array(2).fill(['occurredAt', 'referrer', 'title', 'url', 'visitId']),
      ['event', 'id', 'occurredAt', 'properties'],
    ],
  );
  assert.deepEqual(Object.keys(event.properties).sort(), ['n']);
  await page.reload();
  await page.waitForFunction(() => 'session' in window.headwater);
  assert.deepEqual(await onDevice(page), []);
});

test('consent given later records the landing page, wherever the visitor is by then', async () => {
  for (const mode of ['off', 'cookieless'] as const) {
    const shop = await openShop({ settings: { mode } });
    const page = await shop.open('/?gclid=Ea-1');
    await page.evaluate(() => history.pushState(null, '', '/second'));
    if (mode === 'cookieless') await visitsOf(shop, 2);
    await page.evaluate(() => window.headwater.consent('full'));
    await settled(page);
    const session = await page.evaluate(() => window.headwater.session);
    const [event] = await eventsOf(shop, 1);
    assert.equal(event.session, session?.hash);
    const visits = await visitsOf(shop, mode === 'off' ? 2 : 4);
    assert.deepEqual(
      visits.slice(-2).map(({ url, session: hash }) => [url, hash]),
      [
        [shop.url('/?gclid=Ea-1'), session?.hash],
        [shop.url('/second'), session?.hash],
      ],
    );
  }
});

test('consent given or refused before the script has loaded is applied', async () => {
  for (const mode of ['full', 'off'] as const) {
    const late = `<script>addEventListener('DOMContentLoaded', () => headwater.consent('${mode}'))</script>`;
    const shop = await openShop({ settings: { mode: 'cookieless' }, head: late });
    const page = await shop.context.newPage();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/headwater.js', (route) => held.then(() => route.continue()));
    await page.goto(shop.url('/'), { waitUntil: 'commit' });
    await page.waitForFunction(() => document.readyState !== 'loading');
    release();
    await page.waitForFunction(() => 'session' in window.headwater);
    assert.equal(await page.evaluate(() => window.headwater.mode), mode);
    assert.equal(await page.evaluate(() => !!window.headwater.session), mode === 'full');
    if (mode === 'full') await visitsOf(shop, 1);
  }
});

test('withdrawn consent removes everything from the device at once', async () => {
  for (const mode of ['off', 'cookieless'] as const) {
    const shop = await openShop();
    const page = await shop.open('/');
    await settled(page);
    await shop.context.setOffline(true);
    const waiting = page.evaluate(() => window.headwater.track('not sent yet'));
    await page.waitForFunction(() => Object.values(localStorage).some((text) => text.includes('not sent yet')));
    await page.evaluate((next: Mode) => window.headwater.consent(next), mode);
    assert.deepEqual(await onDevice(page), []);
    assert.equal(await page.evaluate(() => window.headwater.session), undefined);
    if (mode === 'off') assert.deepEqual(await waiting, { success: false, error: 'no_consent' });
    await shop.context.setOffline(false);
    if (mode === 'cookieless') {
      await settled(page);
      const events = await eventsOf(shop, 3);
      assert.equal(events.at(-1)?.session, null);
    }
    await visitsOf(shop, 1);
    assert.deepEqual(await onDevice(page), []);
  }
});

test('repeated consent on a page is not a second visit', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await page.evaluate(() => {
    window.headwater.consent('full');
    window.headwater.consent('full');
  });
  await settled(page);
  await visitsOf(shop, 1);
});

test('a visitor stays the same across pages that start without consent and then get it', async () => {
  const shop = await openShop({ settings: { mode: 'cookieless' } });
  const visitors = [];
  for (const path of ['/one', '/two']) {
    const page = await shop.open(path);
    await page.evaluate(() => window.headwater.consent('full'));
    await settled(page);
    visitors.push(await page.evaluate(() => window.headwater.session?.visitorId));
  }
  assert.ok(visitors[0]);
  assert.equal(visitors[0], visitors[1]);
});

for (const signal of ['globalPrivacyControl', 'doNotTrack'] as const) {
  test(`${signal} means cookieless, unless the page says its mode`, async () => {
    for (const mode of [undefined, 'full'] as const) {
      const shop = await openShop({ settings: { mode } });
      await shop.context.addInitScript((name) => {
        Object.defineProperty(Navigator.prototype, name, { get: () => (name === 'doNotTrack' ? '1' : true) });
      }, signal);
      const page = await shop.open('/');
      await visitsOf(shop, 1);
      assert.equal(await page.evaluate(() => window.headwater.mode), mode ?? 'cookieless');
      assert.equal((await onDevice(page)).length > 0, mode === 'full');
    }
  });
}

test('without storage the page is still recorded, in a session that lasts as long as the page', async () => {
  // An opaque origin: localStorage throws.
  const shop = await openShop({ headers: { 'content-security-policy': 'sandbox allow-scripts' } });
  const page = await shop.open('/?gclid=1');
  assert.equal(
    await page.evaluate(() => {
      try {
        return !!localStorage;
      } catch (error) {
        return (error as Error).name;
      }
    }),
    'SecurityError',
  );
  await page.evaluate(() => history.pushState(null, '', '#x'));
  const results = await page.evaluate(() => Promise.all([1, 2].map((n) => window.headwater.track('kept', { n }))));
  assert.ok(results.every(({ success }) => success));
  const [visit] = await visitsOf(shop, 1);
  const events = await eventsOf(shop, 2);
  assert.ok(events.every(({ session }) => session === visit.session));
  assert.equal(visit.session, await page.evaluate(() => window.headwater.session?.hash));
  assert.deepEqual(shop.errors, []);
});

test('a full device loses nothing of the open page', async () => {
  const shop = await openShop();
  await shop.context.addInitScript(() => {
    for (let size = 5_000_000; size > 0; size = Math.floor(size / 2)) {
      for (let n = 0; ; n++) {
        try {
          localStorage[`fill ${size} ${n}`] = 'x'.repeat(size);
        } catch {
          break;
        }
      }
    }
  });
  const page = await shop.open('/');
  const hash = await page.evaluate(() => window.headwater.session?.hash);
  await settled(page);
  await page.evaluate(() => history.pushState(null, '', '/second'));
  await settled(page);
  assert.ok((await visitsOf(shop, 2)).every(({ session }) => session === hash));
  assert.deepEqual(shop.errors, []);
});

/** Once recording is off, choices are sent for a visit of more than a second, which has been sent. */
async function mayRepeat(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { visit } = window.headwater as unknown as { visit: { occurredAt: Date } };
    return Date.now() - Number(visit.occurredAt) > 1_000;
  });
}

/** A shop that has the consent script, and what the service recorded of its sessions. */
async function openConsentShop(options: { settings?: object; head?: string } = {}) {
  const src = `${service.url}/headwater-consent.js`;
  const head = `${options.head ?? ''}<script>window.addConsentScript=()=>{document.head.append(Object.assign(document.createElement('script'),{src:'${src}'}))}</script>`;
  const body = '<script>addConsentScript()</script>';
  const shop = await openShop({ ...options, head, body });
  const recorded = () =>
    service.rows(
      `select s.hash, g.ad_storage, g.ad_user_data, g.ad_personalization
       from session_signals g join sessions s on s.account_id = g.account_id and s.number = g.session_number
       where g.account_id = $1 order by s.number`,
      shop.account.uuid,
    );
  const choices = async (expected: (string | null)[][]) =>
    eventually(async () => {
      const rows = await recorded();
      assert.deepEqual(
        rows.map((row) => [row.ad_storage, row.ad_user_data, row.ad_personalization]),
        expected,
      );
      return rows;
    });
  return { shop, choices };
}

test('the choices of a page are sent with its visits, and their changes at once, without another visit', async () => {
  const denied = { ad_storage: 'denied', ad_user_data: 'denied' } as const;
  const { shop, choices } = await openConsentShop({ settings: { adConsent: denied } });
  const page = await shop.open('/?gclid=1');
  await choices([['denied', 'denied', null]]);
  await page.evaluate(() => {
    window.headwater.adConsent = { ad_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'denied' };
  });
  const [row] = await choices([['granted', 'granted', 'denied']]);
  assert.equal(row?.hash, await page.evaluate(() => window.headwater.session?.hash));
  await visitsOf(shop, 1);
  await page.evaluate(() => history.pushState(null, '', '/second'));
  await visitsOf(shop, 2);
  // The service may have stored a request before the browser reports it.
  await eventually(() => {
    const sent = itemsOf(shop).flatMap(({ visit }) => (visit as { consent?: object } | undefined)?.consent ?? []);
    assert.ok(sent.length >= 3 && JSON.stringify(sent.at(-1)).includes('granted'));
  });
  assert.deepEqual(shop.errors, []);
});

test('Google consent mode: the default and its update, before and after the script has loaded', async () => {
  const gtag = `<script>window.dataLayer=[];function gtag(){dataLayer.push(arguments)}
    gtag('consent','default',{ad_storage:'denied',ad_user_data:'denied',ad_personalization:'denied',wait_for_update:500});
    gtag('consent','default',{ad_personalization:'granted',region:['US']});gtag('js',new Date())</script>`;
  const { shop, choices } = await openConsentShop({ head: gtag });
  const page = await shop.open('/?gclid=1');
  // The default for personalization depends on the region, which the page does not know.
  await choices([['denied', 'denied', null]]);
  await page.evaluate(() => {
    const { gtag } = window as unknown as { gtag(...command: unknown[]): void };
    gtag('event', 'purchase', { value: 1 });
    gtag('consent', 'update', { ad_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'granted' });
  });
  await choices([['granted', 'granted', 'granted']]);
  // Whoever withdraws consent is heard, even if the page switches tracking off at the same time.
  await mayRepeat(page);
  await page.evaluate(() => {
    const { gtag } = window as unknown as { gtag(...command: unknown[]): void };
    window.headwater.consent('off');
    gtag('consent', 'update', { ad_user_data: 'denied' });
  });
  await choices([['granted', 'denied', 'granted']]);
  await visitsOf(shop, 1);
  assert.equal(await page.evaluate(() => (window as unknown as { dataLayer: unknown[] }).dataLayer.length), 6);
  assert.deepEqual(shop.errors, []);
});

test('a denial is sent after the requests under way, also when recording is switched off', async () => {
  const { shop, choices } = await openConsentShop();
  const page = await shop.open('/?gclid=1');
  await visitsOf(shop, 1);
  await mayRepeat(page);
  const steps: string[] = [];
  const held = Promise.withResolvers<void>();
  // Switching off sends a beacon as well, which no request waits for.
  await shop.context.route('**/v1/batch', async (route) => {
    const body = route.request().postData() ?? '';
    if (body.includes('"denied"')) steps.push('denied');
    else if (body.includes('"granted"')) {
      steps.push('granted');
      await held.promise;
      steps.push('released');
    }
    await route.continue();
  });
  await page.evaluate(() => {
    window.headwater.adConsent = { ad_user_data: 'granted' };
  });
  await eventually(() => assert.deepEqual(steps, ['granted']));
  await page.evaluate(() => {
    window.headwater.consent('off');
    window.headwater.adConsent = { ad_user_data: 'denied' };
    // Longer than the script collects items for a request.
    return new Promise((resolve) => setTimeout(resolve, 300));
  });
  held.resolve();
  await choices([[null, 'denied', null]]);
  assert.deepEqual(steps, ['granted', 'released', 'denied']);
  await visitsOf(shop, 1);
  assert.deepEqual(shop.errors, []);
});

test('a TC string that a consent platform reports later, and again when the visitor changes it', async () => {
  /** Version 2 with these purposes. */
  const tcString = (...purposes: number[]) => {
    const core = Buffer.alloc(30);
    core[0] = 2 << 2;
    for (const bit of purposes.map((purpose) => 151 + purpose))
      core[bit >> 3] = (core[bit >> 3] ?? 0) | (128 >> (bit & 7));
    return core.toString('base64url');
  };
  const { shop, choices } = await openConsentShop();
  const page = await shop.open('/?gclid=1');
  await visitsOf(shop, 1);
  const report = (tcString: string, eventStatus: string) =>
    page.evaluate(
      (data) => {
        type Listener = (...args: unknown[]) => void;
        const cmp = window as unknown as { listener?: Listener; __tcfapi?: Listener };
        cmp.__tcfapi ??= (_command, _version, listener) => {
          cmp.listener = listener as Listener;
        };
        // The script looks for a consent platform again and again.
        const until = () => (cmp.listener ? cmp.listener(data, true) : setTimeout(until, 50));
        until();
      },
      { tcString, eventStatus, gdprApplies: true },
    );
  await report(tcString(), 'cmpuishown');
  await report(tcString(1, 7), 'useractioncomplete');
  await choices([['granted', 'granted', 'denied']]);
  await report(tcString(1, 3, 4), 'useractioncomplete');
  await choices([['granted', 'denied', 'granted']]);
  await visitsOf(shop, 1);
  assert.deepEqual(shop.errors, []);
});

test('without consent to be recorded, choices are not sent either; they are when the mode changes', async () => {
  const settings = { mode: 'off', adConsent: { ad_user_data: 'denied' } };
  const { shop, choices } = await openConsentShop({ settings });
  const page = await shop.open('/?gclid=1');
  await page.waitForFunction(() => Object.getOwnPropertyDescriptor(window.headwater, 'adConsent')?.set);
  assert.equal(shop.batches.length, 0);
  await page.evaluate(() => window.headwater.consent('full'));
  await choices([[null, 'denied', null]]);
});
