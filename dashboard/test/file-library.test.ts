/** The file library: files dropped on the page by the browser's own events, tags, links, several files at once, the trash. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createClient } from '@headwater/sdk';
import sharp from 'sharp';
import { closePage, faultsOf, navigate, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

it('files are dropped, tagged together, opened by a link, moved to the trash, restored and deleted', async () => {
  const account = await service.newAccount('Outdoor shop');
  await service.makeOwner(account.id);
  const client = createClient({ baseUrl: service.url, token: account.token });
  const folder = mkdtempSync(join(tmpdir(), 'headwater-drop-'));
  const names = ['lake.png', 'peak.png'];
  const files = await Promise.all(
    names.map(async (name, i) => {
      const path = join(folder, name);
      const image = { width: 300 + i, height: 200, channels: 3 as const, background: '#27a' };
      writeFileSync(path, await sharp({ create: image }).png().toBuffer());
      return path;
    }),
  );
  const { page, complaints } = await openPage(browser, service.url, {}, '/files');
  await page.getByText('No files yet').waitFor();
  const zone = await page.locator('.drop-zone').boundingBox();
  assert(zone);
  const session = await page.context().newCDPSession(page);
  const at = { x: zone.x + 50, y: zone.y + 50 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at, data: { items: [], files, dragOperationsMask: 1 } });
  }
  await page.getByRole('button', { name: /lake\.png/ }).waitFor();
  await page.getByRole('button', { name: /peak\.png/ }).waitFor();
  assert.equal((await client.listFiles().all()).length, 2);

  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Add tags' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill('summer');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Add tags' }).click();
  await page.getByRole('checkbox', { name: 'summer 2' }).waitFor();
  assert.deepEqual((await client.listFiles({ tag: 'summer' }).all()).map(({ name }) => name).sort(), names);
  assert.deepEqual(await faultsOf(page), []);

  await page.getByRole('button', { name: /lake\.png/ }).click();
  await page.getByRole('group', { name: 'Crop preview' }).waitFor();
  const url = page.url();
  assert.match(url, /file=ast_/);
  assert.deepEqual(await faultsOf(page), []);
  await page.goto('/overview');
  await page.goto(url);
  await page.getByRole('dialog', { name: 'lake.png' }).waitFor();
  await page.getByRole('button', { name: 'Delete file' }).click();
  await page.getByText('The file was moved to the trash.').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(
    (await client.listFiles().all()).map(({ name }) => name),
    ['peak.png'],
  );

  const { page: other } = await openPage(browser, service.url);
  const overloaded = { status: 429, contentType: 'application/json', body: '{}' };
  await other.route(/w=\d+/, (route) => route.fulfill(overloaded), { times: 1 });
  await navigate(other, '/files');
  await other.waitForFunction(() => document.querySelector<HTMLImageElement>('main img')?.naturalWidth);
  await closePage(other);

  await page.getByRole('main').getByText('Trash', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select lake.png' }).check();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('The trash is empty').waitFor();
  assert.equal((await client.listFiles({ deleted: true }).all()).length, 0);
  assert.deepEqual(complaints, []);
  await closePage(page);
});
