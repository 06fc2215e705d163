// Slow: a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openShop, service } from './shared.ts';
import { snippet } from './site.ts';
import { eventsOf, settled, visitsOf } from './world.ts';

const script = `${service.url}/headwater.js`;

/** First lines of other days and pages: they replace what is there. */
const earlierLine = (apiKey: string) =>
  `<script>window.headwater={apiKey:'${apiKey}',q:[],consent:m=>{headwater.mode=m},track:(...a)=>new Promise(r=>{headwater.q.push([r,...a]);setTimeout(r,5e3,{success:false,error:'pending'})})}</script>`;

/** What a tag manager does with a tag of type Custom HTML: it runs inline scripts, and loads others. */
const runTag = (page: Page, html: string) =>
  page.evaluate(async (tag) => {
    for (const each of new DOMParser().parseFromString(tag, 'text/html').querySelectorAll('script')) {
      const element = document.createElement('script');
      element.text = each.text;
      if (each.src) element.src = each.src;
      const loaded = each.src && new Promise((resolve) => element.addEventListener('load', resolve));
      document.head.append(element);
      await loaded;
    }
  }, html);

const track = (name: string) => `<script>void headwater.track('${name}')</script>`;
const names = (events: { event: string }[]) => events.map(({ event }) => event).sort();

for (const tag of ['the documented one', 'one that replaces what is there', 'the short one']) {
  test(`a tag that fires on every change of the route, ${tag}, counts nothing twice and loses no call`, async () => {
    const shop = await openShop();
    const { apiKey } = shop.account;
    const lines =
      tag === 'the documented one'
        ? snippet(script, apiKey)
        : tag === 'the short one'
          ? `<script>window.headwater={apiKey:'${apiKey}'}</script><script src="${script}"></script>`
          : `${earlierLine(apiKey)}<script src="${script}"></script>`;
    const page = await shop.open('/one');
    const session = await page.evaluate(() => window.headwater.session?.hash);
    for (const [path, event] of [
      ['/two', 'second'],
      ['/three', 'third'],
    ] as const) {
      await page.evaluate((to) => history.pushState(null, '', to), path);
      // The call comes after the line and before the script.
      await runTag(page, lines.replace('</script>', `;headwater.track('${event}')</script>`));
    }
    await page.evaluate(() => history.pushState(null, '', '/four'));
    await settled(page);
    // Those of one millisecond have no order.
    const paths = (await visitsOf(shop, 4)).map(({ url }) => url.replace(shop.url(''), ''));
    assert.deepEqual(paths.sort(), ['/four', '/one', '/three', '/two']);
    const events = await eventsOf(shop, 3);
    assert.deepEqual(names(events), ['second', 'settled', 'third']);
    assert.ok(events.every((each) => each.session === session));
    assert.equal(await page.evaluate(() => window.headwater.session?.hash), session);
    assert.deepEqual(shop.errors, []);
  });
}

test('two copies in a page, before either script has loaded: calls before, between and after them are kept', async () => {
  let second = '';
  const shop = await openShop({
    answer: (path) =>
      path === '/twice'
        ? {
            body: `<!doctype html><title>Shop</title>${snippet(script, shop.account.apiKey, { adConsent: { ad_storage: 'denied' } })}
              ${track('between')}${second}${track('after')}`,
          }
        : undefined,
  });
  const { apiKey } = shop.account;
  const copies = [snippet(script, apiKey), `<script async src="${script}"></script>`];
  for (second of copies) {
    const page = await shop.context.newPage();
    await page.goto(shop.url('/twice'));
    await settled(page);
    await page.close();
  }
  await visitsOf(shop, 2);
  assert.deepEqual(names(await eventsOf(shop, 6)), [
    ...['after', 'after', 'between', 'between'],
    ...['settled', 'settled'],
  ]);
  // What the first copy sets, counts.
  assert.ok(shop.batches[0]?.postData()?.includes('"ad_storage":"denied"'));
  assert.deepEqual(shop.errors, []);
});

test('a short first line in front of the long one, and an element of that name, are no obstacle', async () => {
  let before = '';
  const shop = await openShop({
    answer: (path) =>
      path === '/twice'
        ? {
            body: `<!doctype html><title>Shop</title>${before}${snippet(script, shop.account.apiKey)}${track('early')}`,
          }
        : undefined,
  });
  const { apiKey } = shop.account;
  const mode = `<script>window.headwater={apiKey:'${apiKey}',mode:'cookieless'}</script>`;
  for (before of [mode, '<a id="headwater" href="/">Home</a>']) {
    const page = await shop.context.newPage();
    await page.goto(shop.url('/twice'));
    await settled(page);
    assert.equal(await page.evaluate(() => window.headwater.mode), before === mode ? 'cookieless' : 'full');
    await page.close();
  }
  await visitsOf(shop, 2);
  await eventsOf(shop, 4);
  assert.deepEqual(shop.errors, []);
});

test('two copies in a page that is prerendered start once', async () => {
  const shop = await openShop({ body: `<script src="${script}"></script>` });
  await shop.context.addInitScript(() => {
    Object.defineProperty(document, 'prerendering', { get: () => !('shown' in window), configurable: true });
  });
  const page = await shop.context.newPage();
  await page.goto(shop.url('/next'));
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => void window.headwater.track('while hidden'));
  await runTag(page, earlierLine(shop.account.apiKey));
  await page.evaluate(() => void window.headwater.track('later'));
  await page.evaluate(() => {
    Object.assign(window, { shown: true });
    document.dispatchEvent(new Event('prerenderingchange'));
  });
  await settled(page);
  await page.evaluate(() => history.pushState(null, '', '/route'));
  await settled(page);
  await visitsOf(shop, 2);
  assert.deepEqual(shop.errors, []);
});

test('the script beside the package: whichever starts first, calls of both are kept', async () => {
  const bundle = readFileSync(new URL('../dist/index.js', import.meta.url));
  let head = '';
  const shop = await openShop({
    answer: (path) =>
      path === '/bundle.js'
        ? { type: 'text/javascript', body: bundle }
        : path === '/both'
          ? {
              body: `<!doctype html><title>Shop</title>${head}
                <script type="module">import { start, startConsent } from '/bundle.js';
                start({ apiKey: '${shop.account.apiKey}', host: '${service.url}' }).track('bundled');
                startConsent();</script>`,
            }
          : undefined,
  });
  const line = snippet(script, shop.account.apiKey);
  const consent = `<script async src="${service.url}/headwater-consent.js"></script>`;
  // Modules run after classic scripts, and before those that are added later.
  const late = `${line.split('<script async')[0]}${track('queued')}<script>addEventListener('load',()=>{const s=document.createElement('script');s.src='${script}';document.head.append(s)})</script>`;
  for (head of [line.replace('async', '') + track('queued'), late].map((each) => each + consent + consent)) {
    const page = await shop.context.newPage();
    await page.goto(shop.url('/both'));
    await settled(page);
    await page.evaluate(() => history.pushState(null, '', '/route'));
    await settled(page);
    await page.close();
  }
  await visitsOf(shop, 4);
  const bundled = ['bundled', 'bundled', 'queued', 'queued'];
  assert.deepEqual(names(await eventsOf(shop, 8)), [...bundled, ...Array(4).fill('settled')]);
  assert.deepEqual(shop.errors, []);
});

test('a stub that is put in place of the running script is taken over with what it has queued', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  const result = await page.evaluate(async () => {
    const running = window.headwater;
    const queued = new Promise((resolve) => {
      (window as { headwater: unknown }).headwater = { apiKey: running.apiKey, q: [[resolve, 'queued', { n: 1 }]] };
    });
    for (const nothing of [undefined, null, 5, {}]) (window as { headwater: unknown }).headwater = nothing;
    return [window.headwater === running, await queued];
  });
  assert.equal(result[0], true);
  assert.equal((result[1] as { success: boolean }).success, true);
  await visitsOf(shop, 1);
  const [event] = await eventsOf(shop, 1);
  assert.deepEqual([event.event, event.properties.n], ['queued', 1]);
});
