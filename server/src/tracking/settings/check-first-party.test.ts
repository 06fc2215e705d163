import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';

const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });

/** A proxy in front of the service that removes some headers. @returns the URL of its script */
async function openProxy(t: { after(work: () => unknown): void }, removed: readonly string[], status?: number) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !['host', 'content-length', ...removed].includes(name)),
    ) as Record<string, string>;
    const answer = await service.call('POST /v1/batch', { body: text, headers });
    const set = answer.headers['set-cookie'];
    response.writeHead(
      status ?? answer.status,
      set && !removed.includes('set-cookie') ? { 'set-cookie': String(set) } : {},
    );
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics/headwater.js`;
}

test('the check names each thing that keeps the cookie from arriving, and nothing else', async (t) => {
  const account = await service.newAccount();
  const check = async (scriptUrl: string, apiKey = account.apiKey) => {
    const answer = await service.call('POST /v1/tracking/check-first-party', {
      as: account,
      body: { scriptUrl, apiKey },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { works, problems } = answer.body;
    // The proxies of this test speak no TLS.
    assert.equal(works, false);
    return problems.map(({ code }: { code: string }) => code).filter((code: string) => code !== 'not_https');
  };
  assert.deepEqual(await check(await openProxy(t, [])), ['turned_off']);
  await service.call('PATCH /v1/tracking/settings', { as: account, body: { firstPartyId: true } });
  assert.deepEqual(await check(await openProxy(t, [])), []);
  assert.deepEqual(await check(await openProxy(t, ['cookie'])), ['cookie_removed']);
  assert.deepEqual(await check(await openProxy(t, ['set-cookie'])), ['set_cookie_removed']);
  assert.deepEqual(await check(await openProxy(t, ['sec-fetch-site'])), ['header_removed']);
  assert.deepEqual(await check(await openProxy(t, [], 404)), ['not_forwarded']);
  assert.deepEqual(await check(await openProxy(t, []), 'hw_pk_unknown'), ['key_refused']);
  assert.deepEqual(await check('http://127.0.0.1:9/headwater.js'), ['unreachable']);
  const local = await service.call('POST /v1/tracking/check-first-party', {
    as: account,
    body: { scriptUrl: 'ftp://shop.example/headwater.js', apiKey: account.apiKey },
  });
  assert.deepEqual([local.status, local.body.errors[0].pointer], [400, '/scriptUrl']);
  const { rows } = await service.db.query('select from visits where account_id = $1', [account.uuid]);
  assert.equal(rows.length, 0);
});

test('only pages of the same site of an account that wants it get the cookie, and only its own visitors', async () => {
  const [mine, others] = [await service.newAccount(), await service.newAccount()];
  for (const as of [mine, others]) {
    await service.call('PATCH /v1/tracking/settings', { as, body: { firstPartyId: true } });
  }
  const visit = async (as: typeof mine, headers: Record<string, string>, visitorId: string | undefined = 'new') => {
    const url = 'https://shop.example/';
    const body = { api_key: as.apiKey, url, ...(visitorId !== '' && { visitorId }) };
    const answer = await service.call('POST /v1/visits', { body, headers });
    assert.equal(answer.status, 200);
    return { cookie: String(answer.headers['set-cookie'] ?? ''), visitorId: answer.body.visitorId };
  };
  const site = { 'sec-fetch-site': 'same-origin' };
  const first = await visit(mine, site, 'first');
  assert.match(first.cookie, /^hw_id=[0-9a-f]{8}\.first; Path=\/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax$/);
  const cookie = first.cookie.split(';')[0] ?? '';
  assert.equal((await visit(mine, { ...site, cookie: `a=b; ${cookie}` })).visitorId, 'first');
  assert.equal((await visit(others, { ...site, cookie })).visitorId, 'new');
  assert.equal((await visit(mine, { ...site, cookie: 'hw_id=' })).visitorId, 'new');
  // Without consent a visit has no visitor.
  const anonymous = await visit(mine, { ...site, cookie }, '');
  assert.ok(anonymous.visitorId !== 'first' && anonymous.cookie === '');
  for (const other of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }]) {
    const { cookie: set, visitorId } = await visit(mine, { ...other, cookie } as Record<string, string>);
    assert.deepEqual([set, visitorId], ['', 'new']);
  }
  const origin = 'https://www.shop.example';
  const options = { body: { api_key: mine.apiKey, url: origin }, headers: { origin, 'sec-fetch-site': 'same-site' } };
  const { headers } = await service.call('POST /v1/visits', options);
  assert.deepEqual(
    [headers['access-control-allow-origin'], headers['access-control-allow-credentials']],
    [origin, 'true'],
  );
  await service.call('PATCH /v1/tracking/settings', { as: mine, body: { firstPartyId: false } });
  assert.match((await visit(mine, { ...site, cookie })).cookie, /^hw_id=; .*Max-Age=0/);
});
