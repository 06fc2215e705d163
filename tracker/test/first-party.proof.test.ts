import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import { describe, it } from 'node:test';
import { openShop, service } from './shared.ts';
import { type ShopOptions, settled, visitsOf } from './world.ts';

/** Forwards what starts with `/metrics/` to the service, with its cookie only, as the recipes do. */
const proxy: ShopOptions['answer'] = (path, request) => {
  if (!path.startsWith('/metrics/')) return undefined;
  const cookie = /hw_id=[^;]*/.exec(request.headers.cookie ?? '')?.[0] ?? '';
  const { host: _, ...headers } = request.headers;
  return new Promise((resolve, reject) => {
    const options = { method: request.method, headers: { ...headers, cookie } };
    const forwarded = send(new URL(path.replace('/metrics', ''), service.url), options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const { 'content-type': type, 'content-encoding': encoding, 'set-cookie': set } = response.headers;
      const body = Buffer.concat(chunks);
      const passed = { ...(encoding && { 'content-encoding': encoding }), ...(set?.[0] && { 'set-cookie': set[0] }) };
      resolve({ status: response.statusCode ?? 500, type: type ?? 'text/plain', headers: passed, body });
    });
    forwarded.on('error', reject);
    request.pipe(forwarded);
  });
};

async function openOwnDomain(isOn = true, options: ShopOptions = {}) {
  const account = await service.newAccount();
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${account.token}` };
  const body = JSON.stringify({ firstPartyId: isOn });
  const changed = await fetch(`${service.url}/v1/tracking/settings`, { method: 'PATCH', headers, body });
  assert.equal(changed.status, 200);
  return openShop({ account, scriptUrl: '/metrics/headwater.js', answer: proxy, ...options });
}

const clearStorage = () => localStorage.clear();

describe('the first-party ID', () => {
  it('survives the deletion of script storage: the same visitor, counted once, also in the page', async () => {
    const shop = await openOwnDomain();
    const page = await shop.open('/one');
    await settled(page);
    const [first] = await visitsOf(shop, 1);
    const [cookie, ...others] = await shop.context.cookies();
    assert.ok(cookie);
    assert.deepEqual(
      [others.length, cookie.name, cookie.httpOnly, cookie.secure, cookie.sameSite, cookie.path],
      [0, 'hw_id', true, true, 'Lax', '/'],
    );
    assert.match(cookie.value, new RegExp(`^[0-9a-f]{8}\\.${first?.visitor_id}$`));
    assert.ok(Math.abs(cookie.expires - Date.now() / 1_000 - 400 * 86_400) < 600);

    // As Safari does after seven days.
    await page.evaluate(clearStorage);
    await page.close();
    const later = await shop.open('/two');
    await settled(later);
    const visits = await visitsOf(shop, 2);
    assert.deepEqual(new Set(visits.map(({ visitor_id }) => visitor_id)), new Set([first?.visitor_id]));
    assert.notEqual(visits[1]?.session, first?.session);
    assert.equal(await later.evaluate(() => window.headwater.session?.visitorId), first?.visitor_id);
    const rows = await service.rows(
      'select distinct visitor_id from sessions where account_id = $1',
      shop.account.uuid,
    );
    assert.deepEqual(rows, [{ visitor_id: first?.visitor_id }]);
    assert.deepEqual(shop.errors, []);
  });

  it('is deleted when consent is withdrawn, and not used without consent', async () => {
    const shop = await openOwnDomain();
    const page = await shop.open('/');
    await settled(page);
    const [known] = await visitsOf(shop, 1);
    const forgotten = page.waitForRequest((each) => each.postData()?.includes('"forget"') === true);
    await page.evaluate(() => window.headwater.consent('off'));
    const body = (await forgotten).postDataJSON();
    assert.deepEqual(body.items, [{ forget: true }]);
    await page.waitForFunction(() => true);
    const gone = async () => (await shop.context.cookies()).length === 0;
    for (let i = 0; !(await gone()); i++) {
      assert.ok(i < 600, 'the cookie is deleted');
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.evaluate(() => window.headwater.consent('full'));
    await settled(page);
    const again = (await shop.visits()).at(-1);
    assert.notEqual(again?.visitor_id, known?.visitor_id);

    const strict = await openOwnDomain(true, { settings: { mode: 'cookieless' }, context: {} });
    const [cookie] = await shop.context.cookies();
    assert.ok(cookie);
    await settled(await strict.open('/'));
    assert.deepEqual(await strict.context.cookies(), []);
  });

  it('is not set where it is off, nor for pages of other sites', async () => {
    const off = await openOwnDomain(false);
    await settled(await off.open('/'));
    assert.deepEqual(await off.context.cookies(), []);
    const elsewhere = await openOwnDomain(true, {
      scriptUrl: `${service.url.replace('localhost', '127.0.0.1')}/headwater.js`,
    });
    await settled(await elsewhere.open('/'));
    assert.deepEqual(await elsewhere.context.cookies(), []);
  });
});
