import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { isBot } from './bots.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const PEOPLE = [
  CHROME,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`,
  `${IPHONE} Mobile/15E148 Instagram 380.0.0.28.108 (iPhone15,2; iOS 18_5; de_DE; de; scale=3.00; 1179x2556; 700)`,
  `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/500.0.0.1;FBDV/iPhone15,2;FBMD/iPhone]`,
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
];

const BOTS = [
  undefined,
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'AdsBot-Google (+http://www.google.com/adsbot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/153.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
  'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/22.1.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Chrome-Lighthouse',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'Go-http-client/2.0',
  'node',
];

test('browsers are not flagged; crawlers, libraries and missing user agents are', () => {
  for (const header of PEOPLE) assert.equal(isBot({ headers: { 'user-agent': header } }), false, String(header));
  for (const header of BOTS)
    assert.equal(isBot({ headers: { ...(header !== undefined && { 'user-agent': header }) } }), true, String(header));
});

test('a prefetching or automated browser is a bot, whatever its user agent', () => {
  for (const [name, value] of [
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
    ['sec-ch-ua', '"Not_A Brand";v="8", "HeadlessChrome";v="153"'],
  ] as const) {
    assert.equal(isBot({ headers: { 'user-agent': CHROME, [name]: value } }), true, `${name}: ${value}`);
  }
  const brands = '"Chromium";v="153", "Google Chrome";v="153"';
  assert.equal(isBot({ headers: { 'user-agent': CHROME, 'sec-ch-ua': brands } }), false);
});

/** User agents of automation platforms, content management systems and servers that send events. */
const SERVERS = [
  '',
  'node',
  'undici',
  'axios/1.7.0',
  'python-requests/2.32.3',
  'Go-http-client/2.0',
  'curl/8.5.0',
  'Zapier',
  'Make/production',
  'n8n',
  'WordPress/6.7; https://shop.example',
  'HubSpot Connect 2.0 (http://dev.hubspot.com/)',
  'Shop-Backend/1.4 (bot-free)',
];

test('an event without an Origin comes from a server and is never flagged; those of pages are checked', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const send = async (headers: Record<string, string>, key = account.apiKey) => {
    await service.call('POST /v1/events', { body: { api_key: key, event: 'x' }, headers });
    const { rows } = await service.db.query(
      'select is_bot from events where account_id = $1 order by id desc limit 1',
      [account.uuid],
    );
    return rows[0]?.is_bot;
  };
  const origin = 'https://shop.example';
  const crawler = BOTS[2] ?? '';
  for (const agent of SERVERS) {
    assert.equal(await send({ 'user-agent': agent }), false, agent);
    assert.equal(await send({ 'user-agent': agent }, account.token), false, agent);
  }
  assert.equal(await send({ 'user-agent': 'python-requests/2.32.3', origin }), true);
  assert.equal(await send({ 'user-agent': crawler }), false);
  assert.equal(await send({ 'user-agent': crawler, origin }), true);
  assert.equal(await send({ 'user-agent': CHROME, origin }), false);
  assert.equal(await send({ 'user-agent': CHROME, origin, 'sec-purpose': 'prefetch;prerender' }), true);
});

test('a visit of a server is flagged only if it passes on the user agent of a crawler; the response says so', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const visit = async (key: string, headers: Record<string, string>, members: object = {}) => {
    const url = 'https://shop.example/';
    const one = await service.call('POST /v1/visits', { body: { api_key: key, url, ...members }, headers });
    const items = [{ visit: { url, ...members } }, { event: { event: 'x', ...members } }];
    const batch = await service.call('POST /v1/batch', { body: { api_key: key, items }, headers });
    const { rows } = await service.db.query(
      `select is_bot from visits where account_id = $1 order by id desc limit 2`,
      [account.uuid],
    );
    const { isBot } = one.body;
    assert.deepEqual(
      rows.map((row) => row.is_bot),
      [isBot, isBot],
    );
    assert.equal(batch.body.results[0].isBot, isBot);
    return [isBot, batch.body.results[1].isBot];
  };
  const origin = 'https://shop.example';
  for (const agent of [...SERVERS, CHROME]) {
    assert.deepEqual(await visit(account.apiKey, { 'user-agent': agent }), [false, false], agent);
    assert.deepEqual(await visit(account.token, { 'user-agent': agent }), [false, false], agent);
  }
  for (const agent of BOTS) {
    if (!agent?.startsWith('Mozilla/')) continue;
    assert.deepEqual(await visit(account.apiKey, { 'user-agent': agent }), [true, false], agent);
  }
  assert.deepEqual(await visit(account.apiKey, { 'user-agent': 'AdsBot-Google' }), [true, false]);
  assert.deepEqual(await visit(account.apiKey, { 'user-agent': 'python-requests/2.32.3', origin }), [true, true]);
  // Whom a server names decides, and a page cannot name anybody.
  const crawler = { userAgent: BOTS[2] };
  assert.deepEqual(await visit(account.token, { 'user-agent': 'axios/1.7.0' }, crawler), [true, true]);
  assert.deepEqual(await visit(account.token, { 'user-agent': 'axios/1.7.0' }, { userAgent: CHROME }), [false, false]);
  assert.deepEqual(await visit(account.apiKey, { 'user-agent': CHROME, origin }, crawler), [false, false]);
  const longest = (text: string) => `${CHROME.padEnd(2_048 - text.length)}${text}`;
  assert.deepEqual(await visit(account.token, {}, { userAgent: longest(' Googlebot') }), [true, true]);
  assert.deepEqual(
    await visit(account.token, {}, { userAgent: `${longest('')} Googlebot` }),
    [false, false],
    'it is cut',
  );
  for (const userAgent of [7, null, '', {}]) {
    assert.deepEqual(await visit(account.token, {}, { userAgent, ip: userAgent }), [false, false]);
  }
});

test('the device and the own visits of a server’s visitor follow from the members that it sends with a secret token', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const settings = { excludedAddresses: ['203.0.113.9'] };
  assert.equal((await service.call('PATCH /v1/tracking/settings', { as: account, body: settings })).status, 200);
  const record = (key: string, members: object) =>
    service.call('POST /v1/visits', { body: { api_key: key, url: 'https://shop.example/', ...members } });
  await record(account.token, { userAgent: `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, ip: '203.0.113.9' });
  await record(account.apiKey, { userAgent: `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, ip: '203.0.113.9' });
  const { rows } = await service.db.query(
    'select device, browser, os, is_internal from sessions where account_id = $1 order by number',
    [account.uuid],
  );
  assert.deepEqual(
    rows.map(({ device, browser, os, is_internal }) => [device, browser, os, is_internal]),
    [
      ['mobile', 'Safari', 'iOS', true],
      [null, null, null, false],
    ],
  );
});
