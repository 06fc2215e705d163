/** Takes the pictures of docs/screenshots from a service of its own, with a small shop in it: `npm run screenshots`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../tracker/test/browser.ts';
import { furnish } from './furnish.ts';
import { openPage } from './open-page.ts';
import { startDashboardService } from './service.ts';

const FOLDER = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../docs/screenshots');

test('screenshots', { timeout: 240_000 }, async () => {
  mkdirSync(FOLDER, { recursive: true });
  const service = await startDashboardService();
  const account = await service.newAccount('Outdoor shop');
  await service.makeOwner(account.id);
  const { landingPages, entryIds, client } = await furnish(service.url, account.token, account.apiKey);
  await client.startExport({ dataset: 'conversions', format: 'csv' });
  await client.startExport({ dataset: 'sessions', format: 'parquet', from: '2026-01-01', to: '2027-01-01' });
  const browser = await launchBrowser();

  const screens: [name: string, path: string, act?: (page: Page) => Promise<unknown>][] = [
    ['overview', '/overview', (page) => page.getByText('google').first().waitFor({ timeout: 60_000 })],
    ['sessions', '/sessions'],
    ['conversions', '/conversions'],
    ['report-conversions', '/conversions/report'],
    ['webhooks', '/webhooks'],
    ['collections', '/content'],
    ['entries', `/content/${landingPages}`],
    ['entry', `/content/${landingPages}/${entryIds[0]}`],
    ['schema', `/content/${landingPages}/schema`],
    ['files', '/files'],
    ['exports', '/exports', (page) => page.getByText('12 rows').waitFor()],
    ['installation', '/settings/installation'],
    ['tracking', '/settings/tracking'],
    ['keys', '/settings/keys'],
    ['members', '/settings/members'],
    ['audit', '/settings/audit'],
    ['profile', '/settings/profile'],
  ];
  for (const [look, options] of [
    ['', {}],
    ['-dark', { colorScheme: 'dark' }],
    ['-phone', { viewport: { width: 390, height: 800 }, hasTouch: true }],
  ] as const) {
    const { page, complaints } = await openPage(browser, service.url, options);
    for (const [name, path, act] of screens) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await act?.(page);
      await page.screenshot({ path: join(FOLDER, `${name}${look}.png`) });
    }
    if (look === '') {
      await page.goto('/files');
      await page.getByRole('button', { name: 'summer-lake.jpg' }).click();
      await page.getByRole('group', { name: 'Address of the file' }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(FOLDER, 'file.png') });
      await page.goto(`/content/${landingPages}`);
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search', { exact: true }).fill('new');
      await page.screenshot({ path: join(FOLDER, 'palette.png') });
    }
    for (const complaint of complaints) console.error(complaint);
    await page.context().close();
  }
});
