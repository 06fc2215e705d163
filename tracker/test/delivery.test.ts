/** What is not delivered at once; the proof has what else may happen to a request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, service } from './shared.ts';
import { eventsOf, settled, visitsOf } from './world.ts';

/** A batch as it was sent. */
const sent = (data: string | null) =>
  JSON.parse(data ?? '{}') as { items: { visit?: { visitId: string }; event?: { event: string } }[] };

test('offline activity is sent when the network is back', async () => {
  const shop = await openShop();
  const page = await shop.open('/');
  await settled(page);
  await shop.context.setOffline(true);
  const failed = page.waitForEvent('requestfailed');
  const result = page.evaluate(() => window.headwater.track('offline', { n: 1 }));
  await page.evaluate(() => history.pushState(null, '', '/offline'));
  await failed;
  assert.equal((await shop.visits()).length, 1);
  await shop.context.setOffline(false);
  assert.equal((await result).success, true);
  const [, event] = await eventsOf(shop, 2);
  assert.deepEqual([event.event, event.properties.n], ['offline', 1]);
  await visitsOf(shop, 2);
});

test('a batch whose answer was lost is sent again and recorded once', async () => {
  const shop = await openShop();
  const page = await shop.context.newPage();
  let lost = 0;
  await page.route('**/v1/batch', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.goto(shop.url('/'));
  await page.waitForFunction(() => 'session' in window.headwater);
  const result = await page.evaluate(() => window.headwater.track('once', { value: 5 }));
  const [event] = await eventsOf(shop, 1);
  assert.deepEqual(result, { success: true, event_id: result.event_id, isBot: false });
  assert.equal(event.event, 'once');
  const [before, after] = await Promise.all(shop.batches.slice(0, 2).map((request) => sent(request.postData()).items));
  assert.deepEqual(after.slice(0, before.length), before);
  await visitsOf(shop, 1);
  const counted = await service.rows(
    'select count(*)::int as n from conversions where account_id = $1',
    shop.account.uuid,
  );
  assert.equal(counted[0].n, 1);
});
