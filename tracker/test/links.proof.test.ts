import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { browser, openShop } from './shared.ts';
import { type Shop, visitsOf } from './world.ts';

const sessionOf = (page: Page) => page.evaluate(() => window.headwater.session);

test('marked inputs and links have the session: from the start, when added later, and of a new session', async () => {
  const shop = await openShop({
    body: `<form action="/done" method="get">
      <input type="hidden" name="a" data-headwater="hash"><input type="hidden" name="b" data-headwater="shortHash">
      <input type="hidden" name="c" data-headwater="visitorId"><button>Go</button></form>
      <a href="/pay?x=1#y" data-headwater="hash">Pay</a>`,
  });
  const page = await shop.open('/');
  const values = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('input')].map(({ value }) => value).concat(document.links[0].href),
    );
  const expected = async () => {
    const session = await sessionOf(page);
    assert.ok(session);
    return [session.hash, session.shortHash, session.visitorId, shop.url(`/pay?x=1&hash=${session.hash}#y`)];
  };
  assert.deepEqual(await values(), await expected());
  const before = await sessionOf(page);
  await page.evaluate(() => history.pushState(null, '', '/?gclid=2'));
  await page.evaluate(() => history.pushState(null, '', '/ad?gclid=2'));
  assert.notEqual((await sessionOf(page))?.hash, before?.hash);
  // A form that the page just created and submits by script.
  const made = await page.evaluate(() => {
    document.querySelector('form')?.insertAdjacentHTML('beforeend', '<input name="d" data-headwater="hash">');
    return new Promise((resolve) => {
      document.addEventListener('submit', (event) => {
        event.preventDefault();
        resolve(
          Object.fromEntries(new FormData(event.target as HTMLFormElement) as unknown as Iterable<[string, string]>),
        );
      });
      document.querySelector('form')?.requestSubmit();
    });
  });
  const session = await sessionOf(page);
  assert.deepEqual(made, {
    a: session?.hash,
    b: session?.shortHash,
    c: session?.visitorId,
    d: session?.hash,
  });
  await page.evaluate(() => window.headwater.consent('off'));
  assert.deepEqual((await values()).slice(0, 3), ['', '', '']);
  assert.equal((await values()).at(-1), shop.url('/pay?x=1#y'));
});

/** Two sites of one account that link to each other. */
async function twoSites(): Promise<{ shop: Shop; pay: string }> {
  const shop = await openShop({
    host: 'shop.test',
    settings: { domains: ['pay.test'] },
    body: '<a href="/inside">In</a>',
  });
  const pay = shop.url('/checkout?x=1#form').replace('shop.test', 'secure.pay.test');
  return { shop, pay };
}

async function addLink(page: Page, href: string): Promise<void> {
  await page.evaluate((url) => {
    document.body.insertAdjacentHTML('beforeend', `<a id="out" href="${url}"><b>Out</b></a>`);
  }, href);
}

test('a link to a configured domain carries the session, and the target restores its URL', async () => {
  const { shop, pay } = await twoSites();
  const page = await shop.open('/?gclid=1');
  const session = await sessionOf(page);
  await addLink(page, pay);
  await page.click('#out b');
  await page.waitForFunction(() => location.hostname === 'secure.pay.test' && 'session' in window.headwater);
  assert.deepEqual(await sessionOf(page), session);
  assert.equal(page.url(), pay);
  const [, visit] = await visitsOf(shop, 2);
  assert.deepEqual([visit.url, visit.session, visit.visitor_id], [pay, session?.hash, session?.visitorId]);
  await page.goto(shop.url('/later').replace('shop.test', 'secure.pay.test'));
  await page.waitForFunction(() => 'session' in window.headwater);
  assert.deepEqual(await sessionOf(page), session);
});

/** The URL of a link to `href` when it is pressed. */
async function decorated(page: Page, href: string): Promise<string> {
  await addLink(page, href);
  await page.evaluate(() => {
    document.addEventListener('click', (event) => event.preventDefault());
    document.querySelector<HTMLElement>('#out')?.click();
  });
  return page.evaluate(() => document.querySelector<HTMLAnchorElement>('#out')?.href ?? '');
}

test('other links are not changed: of the site itself, to other domains, to other protocols, and without consent', async () => {
  const { shop, pay } = await twoSites();
  for (const href of ['/inside', 'https://other.example/', 'https://notpay.test/', 'mailto:a@pay.test', '#x']) {
    const page = await shop.open('/');
    const link = new URL(href, page.url()).href;
    assert.equal(await decorated(page, href), link);
    await page.close();
  }
  const page = await shop.open('/');
  await page.evaluate(() => window.headwater.consent('cookieless'));
  assert.equal(await decorated(page, pay), pay);
});

test('a carried session is not continued after two minutes, if changed, in another browser, or without consent', async () => {
  const { shop, pay } = await twoSites();
  const page = await shop.open('/');
  const session = await sessionOf(page);
  const link = await decorated(page, pay);
  const carried = new URL(link).searchParams.get('_hw') ?? '';
  const own = await page.evaluate(() => navigator.userAgent);
  /** Whether a browser that opens the link continues the session. */
  const continues = async ({ value = carried, userAgent = own, later = '00:00', refuses = false }) => {
    const context = await browser.newContext({ userAgent });
    const other = await context.newPage();
    if (refuses) {
      await other.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
      );
    }
    await other.clock.install();
    await other.clock.fastForward(later);
    const url = new URL(link);
    url.searchParams.set('_hw', value);
    await other.goto(url.href);
    await other.waitForFunction(() => 'session' in window.headwater);
    assert.equal(other.url(), pay);
    const arrived = await sessionOf(other);
    await context.close();
    return arrived?.hash === session?.hash;
  };
  assert.equal(await continues({}), true);
  assert.equal(await continues({ later: '01:50' }), true);
  assert.equal(await continues({ later: '02:01' }), false);
  assert.equal(await continues({ userAgent: `${own} Other/1` }), false);
  assert.equal(await continues({ refuses: true }), false);
  const changed = [carried.replace(/.$/, '!'), `${carried}0`, carried.replace(/^\d/, '9'), 'x', '....'];
  for (const value of [...changed, carried.replace(session?.hash ?? '', 'A'.repeat(22))]) {
    assert.equal(await continues({ value }), false, value);
  }
});
