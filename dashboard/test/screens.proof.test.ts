// Slow: a real browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { until } from '../../server/test/until.ts';
import { type Furnished, furnish } from './furnish.ts';
import { atRest, closePage, faultsOf, openPage, trackRequests } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

describe('screens', () => {
  let account: Account;
  let shop: Furnished;

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    shop = await furnish(service.url, account.token, account.apiKey);
    const properties = { gclid: 'click-0', email: 'ida@outdoor.example', step: 2 };
    await shop.client.recordEvent({ api_key: account.apiKey, event: 'signup', properties });
    await shop.client.reportConversion({ gclid: 'never-seen', value: 12, currency: 'EUR', eventId: 'order-lost' });
  });

  it('delete many entries at once and restore them', async () => {
    const { page } = await openPage(browser, service.url, {}, `/content/${shop.landingPages}`);
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
    await page.getByRole('region', { name: 'Selected entries' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Landing pages is empty').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('8 entries', { exact: true }).waitFor();
    await closePage(page);
  });

  it('import a CSV of conversions and show the result of each row', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/conversions/add');
    await page.getByLabel('CSV file of conversions').setInputFiles({
      name: 'sales.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'GCLID;Order ID;Revenue;Currency\nclick-20;list-1;1.234,50;EUR\nnobody;list-2;5;EUR\n;list-3;5;EUR\n',
      ),
    });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Nothing has been imported yet').waitFor();
    assert.equal((await shop.client.listConversions({ q: 'list-1' }).all()).length, 0);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Import 2' }).click();
    await page.getByText('Imported all 3 rows.').waitFor();
    const rows = page.getByRole('table', { name: 'Rows' }).locator('tbody tr');
    const [failed = '', ...others] = await rows.allTextContents();
    assert.match(failed, /^4.*identifier/);
    assert.equal(others.length, 0);
    await page.getByText('Unmatched (1)').click();
    assert.match((await rows.textContent()) ?? '', /^3nobody/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download results' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(',').at(-2)),
      ['Imported', 'Unmatched', 'Invalid'],
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('show in the overview what was recorded, and filter it by a click', async () => {
    const { page } = await openPage(browser, service.url);
    const stat = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} ?[0-9]`) });
    await page.goto('/overview');
    await stat('Visits').filter({ hasText: '30' }).waitFor();
    await stat('Conversions').filter({ hasText: /1[23]/ }).waitFor();
    await atRest(page);
    await page.getByRole('button', { name: /^google/ }).click();
    await page.waitForURL(/filters=/);
    await page.getByText('Source: google').waitFor();
    await page.getByText('Not filtered').nth(1).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await closePage(page);
  });

  it('report a funnel of the added steps and keep it in the URL', async () => {
    const { page } = await openPage(browser, service.url, {}, '/funnels');
    await page.getByRole('combobox', { name: 'Path' }).fill('/*');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByText('1. /*').waitFor();
    await page.getByText('30', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Step' }).click();
    await page.getByRole('option', { name: 'Event' }).click();
    await page.getByRole('combobox', { name: 'Event name' }).fill('order');
    await page.keyboard.press('Enter');
    await page.getByText('30 dropped off').waitFor();
    await page.reload();
    await page.getByText('30 dropped off').waitFor();
    await page.getByRole('button', { name: 'Edit order' }).click();
    await page.getByRole('button', { name: 'Add alternative' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Path' }).fill('/*');
    // Closes the suggestions.
    await page.keyboard.press('Tab');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2. order, or /*').waitFor();
    await closePage(page);
  });

  it('annotate the chart of the overview with the keyboard alone, and show it where the link shares annotations', async () => {
    const { page } = await openPage(browser, service.url, {}, '/overview');
    await page.getByRole('button', { name: 'Add annotation' }).press('Enter');
    await page.getByRole('textbox', { name: 'Text' }).fill('Newsletter sent');
    await page.getByLabel('Time', { exact: true }).fill('00:00');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    const marker = (text: string) => page.getByRole('button', { name: new RegExp(`, 00:00: ${text}$`) });
    await marker('Newsletter sent').waitFor();
    await atRest(page);
    await marker('Newsletter sent').press('Enter');
    await page
      .getByRole('dialog', { name: /Newsletter sent/ })
      .getByText('Ada Berg')
      .waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Edit Newsletter sent' }).press('Enter');
    await page.getByRole('textbox', { name: 'Text' }).fill('Newsletter to customers');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await marker('Newsletter to customers').waitFor();

    const shared = { name: 'Readers', period: { preset: 'month' }, hasAnnotations: true } as const;
    const { url } = await shop.client.createSharedLink(shared);
    const reader = await (await browser.newContext({ locale: 'en-IE' })).newPage();
    trackRequests(reader);
    await reader.goto(url);
    await atRest(reader);
    await reader.getByRole('button', { name: /Newsletter to customers$/ }).click();
    await reader.getByRole('dialog').getByText('Newsletter to customers').waitFor();
    assert.equal(await reader.getByText('Ada Berg').count(), 0);
    assert.equal(await reader.getByRole('button', { name: /^(Edit|Delete|Add)/ }).count(), 0);
    await reader.context().close();

    await atRest(page);
    await page.getByRole('button', { name: 'Annotations (1)' }).press('Enter');
    await page.getByRole('button', { name: 'Delete Newsletter to customers' }).press('Enter');
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await marker('Newsletter to customers').waitFor({ state: 'detached' });
    await closePage(page);
  });

  it('share the overview by a link with a password, until it is revoked', async () => {
    const { page } = await openPage(browser, service.url, {}, '/overview?filters=%7B"source"%3A"google"%7D');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('For the agency');
    await page.getByRole('textbox', { name: 'Password' }).fill('open sesame');
    await page.getByRole('checkbox', { name: 'Show annotations to readers' }).check();
    await page.getByRole('button', { name: 'Create link' }).click();
    const url = await page.getByRole('group', { name: 'Link', exact: true }).textContent();
    assert.deepEqual(await faultsOf(page), []);

    const reader = await (
      await browser.newContext({ locale: 'en-IE', viewport: { width: 390, height: 800 } })
    ).newPage();
    trackRequests(reader);
    await reader.goto(url ?? '');
    await reader.getByRole('textbox', { name: 'Password' }).fill('wrong word');
    await reader.getByRole('button', { name: 'Open the report' }).click();
    await reader.getByText('Incorrect password.').waitFor();
    await reader.getByRole('textbox', { name: 'Password' }).fill('open sesame');
    await reader.getByRole('button', { name: 'Open the report' }).click();
    await reader.getByRole('heading', { name: 'For the agency' }).waitFor();
    await reader.getByText('Source: google').waitFor();
    await reader.getByRole('heading', { name: 'Locations' }).waitFor();
    await atRest(reader);
    assert.deepEqual(await faultsOf(reader), []);
    assert.equal(await reader.evaluate(() => document.documentElement.scrollWidth), 390);

    await page.getByRole('button', { name: 'Revoke For the agency' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('For the agency revoked.').waitFor();
    await reader.reload();
    await reader.getByRole('heading', { name: 'Link not valid' }).waitFor();
    await reader.context().close();
    await closePage(page);
  });

  it('save a view and open it again, find a lead by Ctrl K, and correct an unmatched conversion', async () => {
    const { page } = await openPage(browser, service.url, {}, '/overview?period=week');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByLabel('Name').fill('Last week');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Last week saved.').waitFor();
    await page.goto('/overview');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Last week' }).click();
    await page.waitForURL(/period=week/);
    await atRest(page);

    const [lead] = await shop.client.listLeads().all();
    assert(lead);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .or(page.getByPlaceholder(/^Search pages/))
      .first()
      .fill(lead.email.slice(0, 6));
    await page
      .getByRole('button', { name: new RegExp(lead.email) })
      .first()
      .click();
    await page.getByRole('heading', { name: lead.email }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export data' }).click();
    assert.equal((await download).suggestedFilename(), `${lead.id}.json`);

    await shop.client.reportConversion({ gclid: 'mistyped', eventId: 'to-correct', value: 3 });
    await page.goto('/conversions?list=unmatched&q=to-correct');
    await page.getByRole('button', { name: 'Correct to-correct' }).click();
    await page.getByLabel('Value').fill('click-0');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Matched to its session.').waitFor();
    assert.equal((await shop.client.listConversions({ q: 'to-correct' }).all()).length, 1);
    await closePage(page);
  });

  it('export and erase a visitor without an email from a session', async () => {
    const visitorId = 'visitor-to-erase';
    const url = 'https://outdoor.example/?gclid=to-erase';
    const { sessionId } = await shop.client.recordVisit({ api_key: account.apiKey, url, visitorId });
    const { page } = await openPage(browser, service.url, {}, `/sessions/${sessionId}`);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export visitor' }).click();
    const exported = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
    assert.deepEqual([exported.visitorId, exported.sessions[0].session.clickIds.gclid], [visitorId, 'to-erase']);
    await page.getByRole('button', { name: 'Erase visitor' }).click();
    await page.getByText('It cannot be undone').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText('The visitor is being erased.').waitFor();
    await page.waitForURL(/\/sessions$/);
    await until(async () => {
      const session = await shop.client.getTrackedSession({ sessionId: String(sessionId) });
      return session.visitorId !== visitorId && Object.keys(session.clickIds).length === 0;
    });
    await closePage(page);
  });
});
