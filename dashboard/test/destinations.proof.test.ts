import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client } from '@headwater/sdk';
import { startReceiver } from '../../server/src/webhooks/test-support.ts';
import { until } from '../../server/test/until.ts';
import { furnish } from './furnish.ts';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

describe('ad platforms', () => {
  let client: Client;
  let account: Account;

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    ({ client } = await furnish(service.url, account.token, account.apiKey));
  });

  it('a platform is connected, tested, set live and receives a conversion, and the log says what was not sent and why', async () => {
    const receiver = await startReceiver();
    const { page, complaints } = await openPage(browser, service.url, {}, '/destinations');
    await page.getByRole('link', { name: 'Connect platform' }).first().click();
    await page.getByRole('button', { name: /^HTTP/ }).click();
    await page.getByLabel('Name').first().fill('Warehouse');
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('textbox', { name: 'Event', exact: true }).fill('order');
    await page.getByRole('button', { name: 'Connect' }).click();
    // Every fault is shown at its field, and the input is kept.
    await page.locator('[aria-invalid=true]').first().waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'URL' }).inputValue(), receiver.url);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('textbox', { name: /secret/i }).fill('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const target = page.getByRole('group', { name: 'Rule 1' }).getByRole('textbox').nth(1);
    await target.fill('purchase');
    await page.getByRole('combobox', { name: 'Consent' }).click();
    await page.getByRole('option', { name: 'Always' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { level: 1, name: 'Warehouse' }).waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The connection works').waitFor();
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByText('Conversions are sent and counted.', { exact: true }).first().waitFor();

    const gclid = `ad-${Date.now()}`;
    await client.recordVisit({ api_key: account.apiKey, url: `https://shop.example/?gclid=${gclid}` });
    await client.reportConversion({ gclid, event: 'order', eventId: 'sent-1', value: 20, currency: 'EUR' });
    await client.reportConversion({ gclid, event: 'signup', eventId: 'skipped-1', value: 1, currency: 'EUR' });
    await page.reload();
    const log = page.getByRole('table', { name: 'Conversions' });
    await log
      .getByRole('row', { name: /sent-1/ })
      // Exact, because the order is called `sent-1`: until it was sent, only that matched, and both afterwards.
      .getByText('Sent', { exact: true })
      .waitFor();
    await log
      .getByRole('row', { name: /skipped-1/ })
      .getByText('No rule for this event')
      .waitFor();
    await atRest(page);
    assert.deepEqual(await faultsOf(page), []);
    await log
      .getByRole('row', { name: /sent-1/ })
      .getByRole('button')
      .first()
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Preview request' }).click();
    await drawer.getByText(/Nothing would be sent|POST /).waitFor();
    await page.keyboard.press('Escape');
    // A conversion that was not sent is one click from what has to be changed, and one from another attempt.
    const skipped = log.getByRole('row', { name: /skipped-1/ });
    await skipped.getByRole('button', { name: /Add rule/ }).click();
    const added = page.getByRole('group', { name: 'Rule 2' }).getByRole('textbox');
    assert.equal(await added.first().inputValue(), 'signup');
    await added.nth(1).fill('lead');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Warehouse' }).waitFor();
    // A changed mapping sends what had no rule.
    await until(() => receiver.received.some(({ text }) => text.includes('lead')));
    await until(async () => {
      await page.reload();
      await atRest(page);
      return (await skipped.getByText('Sent', { exact: true }).count()) > 0;
    });
    assert.ok(receiver.received.some(({ text }) => text.includes('lead')));
    await log
      .getByRole('row', { name: /sent-1/ })
      .getByRole('button')
      .first()
      .click();
    await drawer.getByRole('link', { name: 'View conversion' }).click();
    await page.getByRole('heading', { name: 'Ad platforms' }).waitFor();
    await page.getByRole('table', { name: 'Ad platforms' }).getByText('Sent', { exact: true }).waitFor();
    assert.ok(receiver.received.some(({ text }) => text.includes('purchase')));
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
