// Slow: a real browser.
/** What libraries and pages change in a browser, before or after the script has loaded, loses nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, service } from './shared.ts';
import { eventsOf, eventually, visitsOf } from './world.ts';

/** The first two have no Navigation API, as browsers before 2026. */
const CHANGES: Record<string, string> = {
  'history wrapped twice, by routers that return nothing': `delete window.navigation;
    Object.defineProperty(window, 'navigation', { value: undefined, configurable: true });
    for (let i = 0; i < 2; i++) for (const name of ['pushState', 'replaceState']) {
      const original = history[name];
      history[name] = function () { original.apply(this, arguments); dispatchEvent(new Event('route')); };
    }`,
  'an element named navigation, and a variable URL': `delete window.navigation;
    Object.defineProperty(window, 'navigation', { value: document.createElement('nav'), configurable: true });
    var URL = '/base';`,
  'Prototype 1.6: toJSON of arrays, and its own methods of arrays and Object.keys': `
    Array.prototype.toJSON = function () { return '[' + this.map((each) => JSON.stringify(each)).join(', ') + ']'; };
    Array.prototype.find = function (run, that) { for (const each of this) if (run.call(that, each)) return each; };
    Array.prototype.entries = Array.prototype.toArray = function () { return this.slice(); };
    Array.from = (list) => [].slice.call(list);
    Object.keys = (object) => { const keys = []; for (const key in object) keys.push(key); return keys; };`,
  'MooTools: prototypes extended with enumerable methods, and a JSON of its own': `
    for (const type of [Array, String, Number, Function]) for (const name of ['each', 'clean', 'extend', 'implement', 'toInt'])
      type.prototype[name] = function () { return this; };
    Array.prototype.toJSON = function () { return JSON.encode(this); };
    const { stringify, parse } = JSON;
    const encode = (value) => (Array.isArray(value) ? '[' + value.map(encode) + ']' : stringify(value));
    JSON = { stringify, parse, encode, decode: parse };`,
  'Object.prototype extended with enumerable members': `
    for (const name of ['each', 'get', 'set', 'clone', 'keys', 'toQueryString', 'isEmpty'])
      Object.prototype[name] = function () { return this; };`,
  'JSON by json2: replaced when the script has loaded, and then without its methods': `
    addEventListener('load', () => { JSON = { stringify() { throw new Error('JSON'); } }; });`,
  'a fetch that drops keepalive and expects a text as URL': `
    const native = window.fetch;
    window.fetch = (url, { method, body }) => native(url.startsWith('http') ? url : '', { method, body });`,
  'a fetch that throws': `window.fetch = () => { throw new TypeError('not supported'); };`,
  'timers and promises patched, as by zone.js; without further arguments of timers': `
    const timer = window.setTimeout, micro = window.queueMicrotask;
    window.setTimeout = (run, wait) => timer(() => run(), wait);
    window.queueMicrotask = (run) => micro.call(window, () => run());
    const { then } = Promise.prototype;
    Promise.prototype.then = function (done, failed) { return then.call(this, done && ((value) => done(value)), failed); };`,
  'localStorage behind a proxy that has no methods': `
    const storage = localStorage;
    Object.defineProperty(window, 'localStorage', { value: new Proxy(storage, {
      get: (target, name) => target[name], set: (target, name, value) => { target[name] = value; return true; },
    }) });`,
  'localStorage that throws': `
    Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });`,
  'a console without methods, and elements that take the place of members of the document': `
    window.console = {};
    document.write('<form name="title"></form><form name="referrer"></form><a href="http://[" data-headwater="hash">Broken</a>');`,
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`nothing is lost with ${name}`, async () => {
    const shop = await openShop({
      // A block in a function, except for global variables.
      head: `<script>${name.includes('variable') ? change : `(() => {${change}})()`}</script>`,
      answer: (path) => (path === '/away' ? { body: 'Away' } : undefined),
    });
    const page = await shop.open('/?gclid=Ea-4&utm_source=news');
    await page.waitForLoadState('load');
    await page.evaluate(() => {
      history.pushState(null, '', '/second?utm_source=news');
      void window.headwater.track('purchase', { value: 5, items: [{ id: 1 }], names: ['a', 'b'] }, 'order-1');
      location.href = '/away';
    });
    await page.waitForURL('**/away');
    const visits = await visitsOf(shop, 2);
    assert.deepEqual(
      visits.map(({ url }) => new URL(url).pathname),
      ['/', '/second'],
    );
    const [event] = await eventsOf(shop, 1);
    assert.deepEqual([event.event, event.client_event_id, event.properties.value], ['purchase', 'order-1', 5]);
    assert.ok([...visits, event].every(({ session }) => session === visits[0].session));
    const sessions = await service.rows('select click_ids from sessions where account_id = $1', shop.account.uuid);
    assert.deepEqual(sessions, [{ click_ids: { gclid: 'Ea-4' } }]);
    const sold = await service.rows('select value::text from conversions where account_id = $1', shop.account.uuid);
    assert.equal(sold.length, 1);
    // The next page continues the session, where it may be stored.
    if (name.includes('throws')) return;
    const next = await shop.open('/third');
    assert.equal(await next.evaluate(() => window.headwater.session?.hash), visits[0].session);
  });
}

test('a script tag of type module says so in the console', async () => {
  const shop = await openShop({
    answer: (path) =>
      path === '/module'
        ? {
            body: `<script>window.headwater = { apiKey: '${shop.account.apiKey}' }</script>
              <script type="module" src="${service.url}/headwater.js"></script>`,
          }
        : undefined,
  });
  const page = await shop.context.newPage();
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await page.goto(shop.url('/module'));
  await eventually(() => assert.deepEqual(warnings, ['headwater no type=module']));
  assert.deepEqual(shop.errors, []);
});
