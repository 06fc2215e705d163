// Slow: a real browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { furnish } from './furnish.ts';
import { closePage, faultsOf, openPage } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

/** How each locale writes 3 April 2026 and 1234.5. */
const LOCALES = {
  'de-DE': { day: '03.04.2026', number: '1234,5', shown: '03.04.2026' },
  'ar-EG': { day: '٠٣/٠٤/٢٠٢٦', number: '١٢٣٤٫٥', shown: '٢٠٢٦' },
  'ja-JP': { day: '2026/04/03', number: '1234.5', shown: '2026/04/03' },
  'en-US': { day: '04/03/2026', number: '1,234.5', shown: 'Apr 3, 2026' },
};

describe('a browser in another locale', () => {
  let account: Account;
  let client: Awaited<ReturnType<typeof furnish>>['client'];

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    ({ client } = await furnish(service.url, account.token, account.apiKey));
  });

  for (const [locale, { day, number, shown }] of Object.entries(LOCALES)) {
    it(`parses dates and numbers in its notation and uses one language: ${locale}`, async () => {
      const { page, complaints } = await openPage(browser, service.url, { locale }, '/exports');
      await page.getByLabel('From').fill(day);
      await page.getByLabel('From').press('Tab');
      assert.match(await page.getByLabel('From').inputValue(), new RegExp(shown));
      const started = page.waitForRequest((request) => request.url().endsWith('/v1/analytics/export'));
      await page.getByRole('button', { name: 'Start export' }).click();
      assert.equal((await started).postDataJSON().from, '2026-04-03');

      await page.goto('/conversions/add');
      await page.getByRole('tab', { name: 'Single conversion' }).click();
      await page.getByLabel(/^Google Ads \(gclid\)/).fill('click-3');
      await page.getByLabel('Value').fill(number);
      await page.getByLabel('Currency').fill('EUR');
      await page.getByLabel('Order ID').fill(`order-${locale}`);
      await page.getByRole('button', { name: 'Add conversion' }).click();
      await page.getByText('Imported').waitFor();
      const [conversion] = await client.listConversions({ q: `order-${locale}` }).all();
      assert.equal(Number(conversion?.value), 1234.5);

      await page.goto('/conversions');
      await page
        .getByRole('cell', { name: /^(just now|\d+ (second|minute)s? ago|in \d+ .*)$/ })
        .first()
        .waitFor();
      assert.deepEqual(complaints, []);
      await closePage(page);
    });
  }

  it('asks for the date format of a CSV of conversions, previews the parsed times, and never replaces an unreadable one with today', async () => {
    const { page } = await openPage(browser, service.url, {}, '/conversions/add');
    const rows = ['gclid,order id,value,date', 'click-21,dated-1,5,03/04/2026', 'click-22,dated-2,5,some day'];
    await page.getByLabel('CSV file of conversions').setInputFiles({
      name: 'dated.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\n')),
    });
    const preview = page.getByRole('button', { name: 'Preview' });
    await page.getByText('Unreadable').first().waitFor();
    assert(await preview.isDisabled());
    await page.getByRole('combobox', { name: 'Date format' }).click();
    await page.getByRole('option', { name: /^Day first/ }).click();
    await page.getByText('3 Apr 2026').waitFor();
    await preview.click();
    await page.getByText('The conversion time is unreadable.').waitFor();
    await page.getByRole('button', { name: 'Import 1', exact: true }).click();
    await page.getByText('Imported all 2 rows.').waitFor();
    const [dated] = await client.listConversions({ q: 'dated-1' }).all();
    assert.equal(dated?.createdOn.slice(0, 10), '2026-04-02', 'midnight in Berlin');
    assert.equal((await client.listConversions({ q: 'dated-2' }).all()).length, 0);

    await page.getByRole('link', { name: 'View import' }).click();
    await page.getByRole('heading', { name: 'dated.csv' }).waitFor();
    await page.getByRole('button', { name: 'Undo import' }).click();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
    await page.getByText(/1 withdrawn, 0 reverted/).waitFor();
    assert.equal((await client.listConversions({ q: 'dated-1' }).all()).length, 0);
    await closePage(page);
  });

  it('shows days and times in the time zone of the account, converts revenue, and offers the zone of the browser', async () => {
    const { page, complaints } = await openPage(
      browser,
      service.url,
      { locale: 'de-DE', timezoneId: 'Asia/Tokyo' },
      '/settings/general',
    );
    const reports = () => page.waitForRequest((request) => request.url().includes('/v1/analytics/overview'));
    await page.getByRole('combobox', { name: 'Time zone' }).fill('America/New');
    await page.getByRole('option', { name: 'America/New_York' }).click();
    await page.getByRole('combobox', { name: 'Currency', exact: true }).fill('EUR');
    await page.getByRole('option', { name: /^EUR/ }).click();
    await page.getByRole('button', { name: 'Add exchange rate' }).click();
    await page.getByRole('combobox', { name: 'Currency 1' }).fill('SEK');
    await page.getByRole('option', { name: /^SEK/ }).click();
    await page.getByRole('textbox', { name: 'Rate of SEK' }).fill('0,09');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const stored = await client.getAccount();
    assert.deepEqual(
      [stored.timeZone, stored.currency, stored.exchangeRates],
      ['America/New_York', 'EUR', { SEK: '0.09' }],
    );

    const inZoneOfAccount = reports();
    await page.getByRole('link', { name: 'Analytics' }).click();
    assert.equal(new URL((await inZoneOfAccount).url()).searchParams.get('timeZone'), 'America/New_York');
    await page.getByRole('button', { name: /^Revenue.*€/ }).waitFor();

    await page.goto('/settings/profile');
    await page.getByRole('radio', { name: /^Time zone of this browser: Asia\/Tokyo/ }).check();
    const inOwnZone = reports();
    await page.getByRole('link', { name: 'Analytics' }).click();
    assert.equal(new URL((await inOwnZone).url()).searchParams.get('timeZone'), 'Asia/Tokyo');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
