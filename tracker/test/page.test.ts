// Slow: a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { assign } from '../src/variant.ts';
import { browser, openShop, service } from './shared.ts';
import { htmlOf, snippet } from './site.ts';
import { eventsOf, eventually, type Shop, settled, visitsOf } from './world.ts';

test('the page works if the script is blocked, and its calls resolve', async () => {
  const shop = await openShop({ headers: { 'content-security-policy': "script-src 'unsafe-inline'" } });
  const page = await shop.context.newPage();
  await page.clock.install();
  await page.goto(shop.url('/'));
  const result = page.evaluate(() => {
    window.headwater.consent('full');
    return window.headwater.track('unheard');
  });
  await page.clock.runFor(5_000);
  assert.deepEqual(await result, { success: false, error: 'pending' });
  assert.deepEqual(shop.errors, []);
  assert.equal(shop.batches.length, 0);
});

test('a strict content security policy, trusted types and an integrity hash are no obstacle', async () => {
  const { url, integrity } = await (await fetch(`${service.url}/headwater.json`)).json();
  const shop = await openShop({
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'nonce-abc' '${integrity}'`,
        `connect-src ${service.url}`,
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    },
    answer: (path) =>
      path === '/strict'
        ? {
            body: `<title>Strict</title><script nonce="abc">window.headwater = { apiKey: '${shop.account.apiKey}' }</script>
              <script async crossorigin integrity="${integrity}" src="${new URL(new URL(url).pathname, service.url)}"></script>
              <a id="out" href="http://pay.test/" data-headwater="hash">Pay</a>`,
            headers: {
              'content-security-policy': `default-src 'none'; script-src 'nonce-abc' ${service.url}; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types 'none'`,
            },
          }
        : undefined,
  });
  const violations: string[] = [];
  const page = await shop.context.newPage();
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
  await page.goto(shop.url('/strict'));
  await page.waitForFunction(() => 'session' in window.headwater);
  await settled(page);
  await visitsOf(shop, 1);
  await page.goto('about:blank');
  assert.deepEqual(violations, []);
});

test('behind a proxy on a path of the customer’s own domain, all requests use that path', async () => {
  const asked: string[] = [];
  const shop = await openShop({
    scriptUrl: '/metrics/hw/headwater.js',
    answer: async (path, request) => {
      if (!path.startsWith('/metrics/hw/')) return undefined;
      asked.push(path);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const answer = await fetch(service.url + path.slice('/metrics/hw'.length), {
        method: request.method ?? 'GET',
        headers: { 'content-type': 'text/plain', 'user-agent': String(request.headers['user-agent']) },
        ...(body.length > 0 && { body }),
      });
      return {
        status: answer.status,
        type: answer.headers.get('content-type') ?? '',
        body: Buffer.from(await answer.arrayBuffer()),
      };
    },
  });
  const page = await shop.open('/');
  await settled(page);
  await visitsOf(shop, 1);
  assert.deepEqual([...new Set(asked)].sort(), ['/metrics/hw/headwater.js', '/metrics/hw/v1/batch']);
  assert.ok(shop.batches.every((request) => request.url() === shop.url('/metrics/hw/v1/batch')));
});

test('`host` says where to send to, with a path and with or without a slash at its end', async () => {
  for (const end of ['', '/']) {
    const shop = await openShop({ settings: { host: `http://localhost:1/some/path${end}` } });
    await shop.open('/');
    await eventually(() => assert.ok(shop.batches.length > 0));
    assert.equal(shop.batches[0].url(), 'http://localhost:1/some/path/v1/batch');
  }
});

test('whatever a page passes, nothing throws and every call resolves', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  const results = await page.evaluate(async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const hostile = {
      get x(): never {
        throw new Error('hostile');
      },
    };
    const track = window.headwater.track as (...args: unknown[]) => Promise<{ success: boolean }>;
    const { consent } = window.headwater as unknown as { consent(...args: unknown[]): void };
    consent();
    consent({});
    consent('full');
    const calls = [
      [],
      [null],
      [undefined, null],
      [Symbol('x')],
      [{}],
      ['a', circular],
      ['a', hostile],
      ['a', 1n],
      ['a', { n: 1n }],
      ['a', 'text'],
      ['a', [1, 2]],
      ['a', () => {}],
      ['a', { toJSON: () => undefined }],
      ['a', { toJSON: () => 1 }],
      [
        'a',
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('proxy');
            },
          },
        ),
      ],
      ['a', { event_id: 5 }],
      ['a', { timestamp: 'never' }],
      ['a', { sessionHash: 'x' }],
      ['fine', { n: NaN, u: undefined }],
    ];
    return Promise.all(calls.map((call) => track(...call)));
  });
  assert.ok(results.every((result) => typeof result.success === 'boolean'));
  assert.equal(results.at(-1)?.success, true);
  assert.deepEqual(shop.errors, []);
});

test('a page without a key, or with the snippet twice, is not affected', async () => {
  const shop = await openShop({
    answer: (path) =>
      path === '/keyless'
        ? { body: `<script>window.headwater = {}</script><script src="${service.url}/headwater.js"></script>` }
        : path === '/nothing'
          ? { body: `<script src="${service.url}/headwater.js"></script>` }
          : undefined,
    body: `<script async src="${service.url}/headwater.js"></script>`,
  });
  for (const path of ['/keyless', '/nothing']) {
    const page = await shop.context.newPage();
    await page.goto(shop.url(path));
  }
  const twice = await shop.open('/');
  await settled(twice);
  await twice.evaluate(() => history.pushState(null, '', '/second'));
  await settled(twice);
  await visitsOf(shop, 2);
  assert.deepEqual(shop.errors, []);
});

test('foreign data in storage under the same names does no harm', async () => {
  for (const left of ['5', '{}', '[]', '"text"', '[null]', 'no JSON', '[{}, 1, 2, 3]']) {
    const shop = await openShop({
      head: `<script>localStorage.headwater = ${JSON.stringify(left)}; localStorage['headwater:x'] = 'no JSON'</script>`,
    });
    const page = await shop.open('/');
    await settled(page);
    const [visit] = await visitsOf(shop, 1);
    assert.equal(visit.session, await page.evaluate(() => window.headwater.session?.hash), left);
    assert.match(visit.visitor_id, /^\w{22}$/, left);
    assert.deepEqual(shop.errors, []);
    await shop.context.close();
  }
});

test('the script leaves no global but `headwater`', async () => {
  const shop = await openShop({ answer: (path) => (path === '/plain' ? { body: 'plain' } : undefined) });
  const [plain, page] = await Promise.all([shop.context.newPage(), shop.open('/')]);
  await plain.goto(shop.url('/plain'));
  const globals = () => Object.getOwnPropertyNames(window);
  const before = new Set(await plain.evaluate(globals));
  assert.deepEqual(
    (await page.evaluate(globals)).filter((name) => !before.has(name)),
    ['headwater'],
  );
});

test('the package starts the same on a page that bundles it', async () => {
  const shop = await openShop({
    answer: (path) =>
      path === '/bundle.js'
        ? { type: 'text/javascript', body: readFileSync(new URL('../dist/index.js', import.meta.url)) }
        : path === '/bundled'
          ? {
              body: `<script type="module">import { start } from '/bundle.js';
                const settings = { apiKey: '${shop.account.apiKey}', host: '${service.url}' };
                const headwater = start(settings);
                window.same = headwater === start(settings) && headwater === window.headwater;
                headwater.track('bundled', { hash: headwater.session.hash })</script>`,
            }
          : undefined,
  });
  const page = await shop.context.newPage();
  await page.goto(shop.url('/bundled'));
  const [visit] = await visitsOf(shop, 1);
  const [event] = await eventsOf(shop, 1);
  assert.equal(event.session, visit.session);
  assert.equal(await page.evaluate(() => (window as unknown as { same: boolean }).same), true);
  assert.deepEqual(shop.errors, []);
});

interface Trace {
  traceEvents: {
    name: string;
    ph: string;
    /** CPU time of the thread in microseconds, which a busy machine does not change. */
    tdur?: number;
    args: { data?: { url?: string } };
  }[];
}

/**
 * The least that any script does that reads the URL, stores ids and sends them. The first call of each API has a cost
 * that no script can avoid.
 */
const LEAST = (endpoint: string) => `
  const landing = new URL(location.href).searchParams.get('gclid');
  const known = localStorage.least;
  const ids = Array.from(crypto.getRandomValues(new Uint8Array(44)), (byte) => byte.toString(36)).join('');
  localStorage.least = known || ids;
  setTimeout(async () => {
    const body = JSON.stringify({ api_key: headwater.apiKey, items: [], landing, ids, at: new Date() });
    const response = await fetch('${endpoint}', { method: 'POST', body, keepalive: true });
    await response.json();
    localStorage.done = '[]';
  }, 100);`;

test('the script takes little main-thread time from its start to its first response and causes no layout shift', async () => {
  const head = `<script>window.moved = []; new PerformanceObserver(list => moved.push(...list.getEntries()))
    .observe({ type: 'layout-shift', buffered: true })</script>`;
  const body = `${'<p>text</p>'.repeat(500)}<input type="hidden" data-headwater="hash">`;
  const shop = await openShop({ body, head });
  const least = await openShop({
    body,
    head,
    scriptUrl: '/least.js',
    answer: (path) =>
      path === '/least.js' ? { type: 'text/javascript', body: LEAST(`${service.url}/v1/batch`) } : undefined,
  });
  /** CPU milliseconds of the main thread on a visitor's first page, with empty caches. */
  async function measure({ url }: Shop, script: string): Promise<number> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await browser.startTracing(page, { categories: ['devtools.timeline'] });
    const answered = page.waitForResponse('**/v1/batch');
    await page.goto(url('/?gclid=1'));
    await answered;
    await page.waitForFunction(() => Object.values(localStorage).includes('[]'));
    const { traceEvents }: Trace = JSON.parse(String(await browser.stopTracing()));
    assert.equal(await page.evaluate(() => (window as unknown as { moved: unknown[] }).moved.length), 0);
    await context.close();
    return traceEvents
      .filter(({ ph, args }) => ph === 'X' && args.data?.url?.endsWith(script))
      .filter(({ name }) => name === 'EvaluateScript' || name === 'FunctionCall')
      .reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
  }
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < 7; round++) {
    ours.push(await measure(shop, 'headwater.js'));
    theirs.push(await measure(least, 'least.js'));
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[3] as number;
  console.log(`main thread: ${median(ours).toFixed(1)} ms, the least ${median(theirs).toFixed(1)} ms`);
  assert.ok(median(theirs) > 0);
  assert.ok(median(ours) < 4 * median(theirs), `${ours} against ${theirs}`);
});

test('from an ad to a sale: a visitor completes the funnel and leaves an email, and days later the sale is matched to the click', async () => {
  const shop = await openShop({
    body: `<form><input name="email"><input type="hidden" name="visit" data-headwater="shortHash"><button>Send</button></form>
      <script>
        document.querySelector('form').addEventListener('submit', event => {
          event.preventDefault();
          const { email, visit } = Object.fromEntries(new FormData(event.target));
          window.kept = visit;
          headwater.track('lead', { email, funnel_id: 'summer' });
          history.pushState(null, '', '/thanks');
        });
      </script>`,
  });
  const page = await shop.open('/?gclid=Ea-sale&utm_source=google&utm_medium=cpc&utm_campaign=summer');
  for (const step of ['/step-1', '/step-2']) await page.evaluate((path) => history.pushState(null, '', path), step);
  await page.fill('input[name=email]', 'Ada@Shop.example');
  await page.click('button');
  const [lead] = await eventsOf(shop, 1);
  const visits = await visitsOf(shop, 4);
  const kept = await page.evaluate(() => (window as unknown as { kept: string }).kept);
  const report = async (item: object) => {
    const response = await fetch(`${service.url}/v1/analytics/report-conversion`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': `Bearer ${shop.account.token}` },
      body: JSON.stringify(item),
    });
    return response.json();
  };
  const byForm = await report({ shortHash: kept, eventId: 'order-1', value: 129.9, currency: 'EUR' });
  const byClick = await report({ gclid: 'Ea-sale', eventId: 'order-2', value: 10, currency: 'EUR' });
  assert.deepEqual([byForm.status, byClick.status], ['reported', 'reported']);
  const sold = await service.rows(
    `select distinct s.hash from conversions c
     join sessions s on s.account_id = c.account_id and s.number = c.session_number where c.account_id = $1`,
    shop.account.uuid,
  );
  assert.deepEqual(sold, [{ hash: visits[0].session }]);
  assert.equal(lead.session, visits[0].session);
  const leads = await service.rows('select email from leads where account_id = $1', shop.account.uuid);
  assert.deepEqual(leads, [{ email: 'ada@shop.example' }]);
});

test('`variant` is the assignment of this visitor, records one exposure of its use, and knows nothing without consent', async () => {
  const variants = ['a', 'b'].map((key) => ({ key, weight: 0.5 }));
  const experiments = [
    { key: 'headline', variants, coverage: 1 },
    { key: 'nobody', variants, coverage: 0 },
  ];
  const shop = await openShop({ settings: { experiments } });
  const page = await shop.open('/');
  const seen = await page.evaluate(() => {
    const { headwater } = window;
    const read = () => ['headline', 'headline', 'nobody', 'unknown'].map((key) => headwater.variant(key));
    const found = { visitorId: headwater.session?.visitorId ?? '', variants: read() };
    return { ...found };
  });
  const variant = assign(experiments[0] as (typeof experiments)[0], seen.visitorId);
  assert.deepEqual(seen.variants, [variant, variant, null, null]);
  const [event] = await eventsOf(shop, 1);
  assert.equal(event?.event, 'experiment_exposure');
  const refused = await page.evaluate(() => {
    window.headwater.consent('cookieless');
    return window.headwater.variant('headline');
  });
  assert.equal(refused, null);
  await settled(page);
  await eventsOf(shop, 2);
});

test('the snippet of experiments decides before the script is there, for the visitor that the script continues', async () => {
  const variants = ['a', 'b'].map((key) => ({ key, weight: 0.5 }));
  const experiments = [{ key: 'headline', variants, coverage: 1 }];
  const shop = await openShop({
    settings: { experiments },
    answer: (path) => {
      if (path !== '/early') return undefined;
      const decide =
        "<script>early = [headwater.variant('headline'), headwater.variant('headline'), headwater.variant('x')]; hadBody = document.body !== null</script>";
      return { body: htmlOf(`${headOf(shop, experiments)}${decide}`) };
    },
  });
  const page = await shop.open('/early');
  const seen = await page.evaluate(() => ({
    early: Reflect.get(window, 'early') as (string | null)[],
    visitorId: window.headwater.session?.visitorId ?? '',
    hadBody: Reflect.get(window, 'hadBody') as boolean,
  }));
  assert.equal(seen.hadBody, false, 'there is nothing to paint yet');
  const variant = assign(experiments[0] as (typeof experiments)[0], seen.visitorId);
  assert.deepEqual(seen.early, [variant, variant, null]);
  assert.match(seen.visitorId, /^\w{22}$/);
  const [event] = await eventsOf(shop, 1);
  assert.deepEqual([event?.properties.experiment, event?.properties.variant], ['headline', variant]);
  const refused = await (await shop.context.newPage()).goto(shop.url('/early'));
  assert.equal(refused?.status(), 200);
});

test('without consent the snippet decides nothing and stores nothing', async () => {
  const experiments = [{ key: 'headline', variants: [{ key: 'a', weight: 1 }], coverage: 1 }];
  const shop = await openShop({
    answer: () => ({
      body: htmlOf(
        `${headOf(shop, experiments, { mode: 'cookieless' })}<script>early = [headwater.variant('headline'), localStorage.length]</script>`,
      ),
    }),
  });
  const page = await shop.context.newPage();
  await page.goto(shop.url('/'));
  assert.deepEqual(await page.evaluate(() => Reflect.get(window, 'early')), [null, 0]);
});

for (const slash of ['', '/']) {
  const title = `a redirect to the page of a variant${slash && ', whose path the site ends with a slash,'} keeps click ids, and its page records the exposure`;
  test(title, async () => {
    const variants = ['a', 'b'].map((key) => ({ key, weight: 0.5 }));
    const experiments = [{ key: 'checkout', variants, coverage: 1 }];
    const redirect = "<script>headwater.redirect('checkout', { a: '/checkout-a', b: '/checkout-b?x=1' })</script>";
    const answer = (path: string, { url = '' }: IncomingMessage) => {
      if (!path.startsWith('/checkout-') || path.endsWith('/') || !slash) {
        return { body: htmlOf(headOf(shop, experiments) + redirect) };
      }
      return { status: 301, headers: { location: url.replace(path, `${path}/`) }, body: '' };
    };
    const shop = await openShop({ answer });
    const page = await shop.context.newPage();
    await page.goto(shop.url('/checkout?gclid=click-1&utm_source=mail'));
    await page.waitForURL(/checkout-[ab]/);
    await page.waitForFunction(() => 'session' in window.headwater);
    const url = new URL(page.url());
    assert.deepEqual([url.searchParams.get('gclid'), url.searchParams.get('utm_source')], ['click-1', 'mail']);
    assert.equal(url.searchParams.get('x'), url.pathname.startsWith('/checkout-b') ? '1' : null);
    const visitorId = await page.evaluate(() => window.headwater.session?.visitorId ?? '');
    const variant = assign(experiments[0] as (typeof experiments)[0], visitorId);
    assert.equal(url.pathname, `/checkout-${variant}${slash}`);
    const [event] = await eventsOf(shop, 1);
    assert.equal(event?.properties.variant, variant);
  });
}

/** What a page has before its content: the documented snippet, and that of experiments. */
const headOf = ({ account }: Shop, experiments: object[], settings: object = {}) =>
  `${snippet(`${service.url}/headwater.js`, account.apiKey, { experiments, ...settings })}<script>${SNIPPET}</script>`;
const SNIPPET = readFileSync(new URL('../dist/headwater-experiments.js', import.meta.url), 'utf8');
