// Slow: a real browser.
/** Daily work from start to end, including failures. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import { addCell } from '../../server/src/cells/commands.ts';
import { newUuid, parseId, publicId } from '../../server/src/shared/ids.ts';
import { asControl } from '../../server/src/shared/postgres/database.ts';
import { readInstance } from '../../server/src/shared/secrets/instance.ts';
import { testDatabaseUrl } from '../../server/test/harness.ts';
import { newDataDir } from '../../server/test/service-process.ts';
import { testKeys } from '../../server/test/test-keys.ts';
import { until } from '../../server/test/until.ts';
import { browser } from '../../tracker/test/browser.ts';
import { type Furnished, furnish } from './furnish.ts';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import { type Account, startDashboardService } from './service.ts';

const service = await startDashboardService({
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  BACKUP_URL: join(newDataDir(), 'backups'),
});

/** A real receiver of webhooks with a configurable response. */
async function startReceiver() {
  const receiver = { url: '', status: 200, received: [] as { text: string; headers: IncomingHttpHeaders }[] };
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    receiver.received.push({ text, headers: request.headers });
    response.writeHead(receiver.status).end('Not known here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close().closeAllConnections());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

describe('operations', () => {
  let account: Account;
  let shop: Furnished;

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    shop = await furnish(service.url, account.token, account.apiKey);
  });

  it('an import whose response and then page are lost continues where it was and counts nothing twice', async () => {
    const { client } = shop;
    const count = async () => (await client.listConversions({ q: 'click-25', pageSize: 100 }).all()).length;
    const { page, complaints } = await openPage(browser, service.url, {}, '/conversions/add');
    const rows = Array.from({ length: 1_200 }, (_, i) => `${i % 50 === 0 ? 'click-25' : 'nobody'},${i}.5`);
    const choose = () =>
      page.getByLabel('CSV file of conversions').setInputFiles({
        name: 'sales.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['gclid,value', ...rows].join('\n')),
      });
    await choose();
    await page.getByText('No order ID column').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    // The second batch arrives, and its response is lost.
    let batches = 0;
    await page.route('**/imports/*/reports', async (route) => {
      if (++batches === 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Import 1,200' }).click();
    await page.getByText('Stopped after line 501: 500 of 1,200 rows were sent').waitFor();
    assert.equal(await count(), 20);
    await page.unroute('**/imports/*/reports');
    await page.reload();
    await choose();
    await page.getByLabel('Skip the first 500 of 1,200 rows, which were imported').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Import 700' }).click();
    await page.getByText('Imported all 1,200 rows.').waitFor();
    assert.equal(await count(), 24);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('a webhook is created, tested, shown with its failures and retried, and its secret is rotated and shown once', async () => {
    const receiver = await startReceiver();
    const { page, complaints } = await openPage(browser, service.url, {}, '/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://192.168.0.1/hook');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    const secretOf = async () => (await page.getByRole('group', { name: 'Signing secret' }).textContent()) ?? '';
    const first = await secretOf();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();

    const row = (at: number) => page.getByRole('table').first().getByRole('row').nth(at);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(1).getByText('Delivered').waitFor();
    await row(1).getByText('200 in').waitFor();
    receiver.status = 410;
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(1).getByText('Failed').waitFor();
    await page.getByText('Disabled: the endpoint responded 410 Gone').waitFor();
    assert.deepEqual(await faultsOf(page), []);

    receiver.status = 200;
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await row(1).getByRole('button', { name: 'Test' }).click();
    const drawer = page.getByRole('dialog', { name: 'Test' });
    await drawer.getByRole('cell', { name: '410' }).waitFor();
    await drawer.getByRole('group', { name: 'Response body' }).getByText('Not known here').waitFor();
    await drawer.getByText('"message": "This is a test."').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await drawer.getByRole('button', { name: 'Retry' }).click();
    await drawer.getByRole('cell', { name: '200' }).waitFor();
    await page.keyboard.press('Escape');
    await row(1).getByText('Delivered').waitFor();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(ids.filter((id) => id === ids[1]).length, 2, 'under the id it had');

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const second = await secretOf();
    assert.notEqual(second, first);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('group', { name: 'Signing secret' }).waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(second));
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send test event' }).click();
    await until(() => receiver.received.length > before);
    const { text = '', headers = {} } = receiver.received[before] ?? {};
    for (const secret of [first, second]) new Webhook(secret).verify(text, headers as Record<string, string>);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('exports show progress, can be canceled and downloaded, and show why they failed', async () => {
    const accountId = parseId('acc', account.id);
    // As in a long or failed run: one job with a lease, one that failed with an error.
    const [running, failed] = [newUuid(), newUuid()];
    await service.withDatabase((db) =>
      db.query(
        `insert into jobs (account_id, id, type, params, status, progress, error, due_at, created_at, started_at, finished_at)
         values ($1, $2, 'export', $4, 'running', 0.4, null, now() + interval '1 day', now(), now(), null),
           ($1, $3, 'export', $4, 'failed', 0.1, $5, null, now(), now(), now())`,
        [
          accountId,
          running,
          failed,
          { dataset: 'events', format: 'parquet' },
          { code: 'disk_full', detail: 'The disk is full.' },
        ],
      ),
    );
    const { page, complaints } = await openPage(browser, service.url, {}, '/exports');
    await page.getByText('The disk is full.').waitFor();
    await page.getByRole('progressbar', { name: 'Progress: 40%' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    assert.equal((await shop.client.getJob({ id: publicId('job', running) })).status, 'cancelled');
    await page.getByRole('button', { name: 'Start export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    assert.match((await downloading).suggestedFilename(), /csv$/);
    await page.goto('/settings/audit');
    for (const words of ['Canceled a job', 'Started an export', 'Created a webhook', 'Reported conversions']) {
      await page.getByText(words).first().waitFor();
    }
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('the operator checks and downloads an automatic backup', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/settings');
    await page.getByRole('main').getByRole('link', { name: 'Backups' }).click();
    const row = page.getByRole('row', { name: 'Not checked' });
    // The service makes its first backup at the start.
    for (await atRest(page); (await row.count()) === 0; await atRest(page)) await page.reload();
    assert.deepEqual(await faultsOf(page), []);
    await row.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    assert.match((await downloading).suggestedFilename(), /^headwater-.*\.tar\.zst$/);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('many files are uploaded at once, an invalid one among them, and one is replaced where entries use it', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/files');
    const png = (width: number) =>
      sharp({ create: { width, height: 40, channels: 3, background: '#268' } })
        .png()
        .toBuffer();
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
    await page
      .getByLabel('Files to upload')
      .setInputFiles([
        file('one.png', await png(51)),
        file('bad.png', Buffer.from('no')),
        file('two.png', await png(52)),
      ]);
    await page.getByText('2 uploaded, 1 failed').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByText('List', { exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'summer-lake.jpg' });
    assert.deepEqual(await row.getByRole('cell').nth(2).textContent(), 'JPEG');
    await row.getByText('2 entries').waitFor();
    assert.deepEqual(await faultsOf(page), []);

    await row.getByRole('button').click();
    const drawer = page.getByRole('dialog', { name: 'summer-lake.jpg' });
    await drawer.getByLabel('Replacement file').setInputFiles(file('bad.png', Buffer.from('no')));
    await drawer.getByRole('alert').waitFor();
    await drawer.getByLabel('Replacement file').setInputFiles(file('new.png', await png(53)));
    await page.getByRole('dialog', { name: 'summer-lake.png' }).getByText('53 × 40').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    const entry = await shop.client.getEntry({ collectionId: shop.landingPages, entryId: shop.entryIds[0] ?? '' });
    const { url, width } = entry.values.hero as { url: string; width: number };
    assert.equal(width, 53);
    assert.equal((await fetch(url)).headers.get('content-type'), 'image/png');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('the operator adds a cell, closes the first one and moves an account, which works as before', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/settings/cells');
    await page.getByText('All accounts are in one database').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    const url = await testDatabaseUrl('template1');
    await service.withDatabase(async (db) =>
      addCell(asControl(db), (await readInstance(db, testKeys())).secret, 'east', url, Date.now()),
    );
    await page.getByRole('button', { name: 'Actions for cell main' }).click();
    await page.getByRole('menuitem', { name: 'Close for new accounts' }).click();
    await page.getByText('New accounts are not created in main.').waitFor();
    const rowOf = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await rowOf('main').getByText('Closed').waitFor();
    await rowOf('east').getByText('Open', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'main', exact: true }).click();
    const found = page.waitForResponse((response) => response.url().includes('q=outdoor'));
    await page.getByLabel('Search by name or ID').fill('outdoor');
    await found;
    await page.getByRole('button', { name: 'Move… Outdoor shop' }).click();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Move account' }).click();
    await page.getByText('Outdoor shop is being moved to east.').waitFor();
    await page.getByText('Moving to east').waitFor();
    await page.getByRole('link', { name: 'Cells', exact: true }).first().click();
    await rowOf('east').waitFor();
    // The move is shown as long as it takes, which may be over by now.
    await atRest(page);
    await page.getByRole('table', { name: 'Moves' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'east', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Outdoor shop' }).waitFor();
    assert.equal((await shop.client.listConversions({ q: 'click-25', pageSize: 1 })).conversions.length, 1);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
