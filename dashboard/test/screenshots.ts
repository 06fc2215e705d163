/** Takes the screenshots of docs/screenshots with the demo account: `npm run screenshots`. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '@headwater/sdk';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { addCell } from '../../server/src/cells/commands.ts';
import { asControl } from '../../server/src/shared/postgres/database.ts';
import { readInstance } from '../../server/src/shared/secrets/instance.ts';
import { testDatabaseUrl } from '../../server/test/harness.ts';
import { testKeys } from '../../server/test/test-keys.ts';
import { browser } from '../../tracker/test/browser.ts';
import { openSite } from '../../tracker/test/site.ts';
import { atRest, openPage } from './open-page.ts';
import { startDashboardService } from './service.ts';

const FOLDER = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../docs/screenshots');

const FUNNEL = [
  { type: 'page', name: '/quiz' },
  { type: 'event', name: 'quiz_started' },
  { type: 'event', name: 'quiz_finished' },
  { type: 'event', name: 'email_submitted' },
];

const LOOKS: Record<string, BrowserContextOptions> = {
  '': {},
  '-dark': { colorScheme: 'dark' },
  '-phone': { viewport: { width: 390, height: 800 }, hasTouch: true },
};

interface Screen {
  path: string;
  act?: (page: Page) => Promise<unknown>;
  /** In addition to the default. */
  looks?: (keyof typeof LOOKS)[];
}

test('screenshots', async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const service = await startDashboardService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  const { id, token } = await service.newDemo();
  await service.makeOwner(id);
  const url = await testDatabaseUrl('template1');
  await service.withDatabase(async (db) =>
    addCell(asControl(db), (await readInstance(db, testKeys())).secret, 'east', url, Date.now()),
  );
  for (const name of ['Garden shop', 'Bike shop']) await service.newAccount(name);
  const client = createClient({ baseUrl: service.url, token });
  const guides = (await client.listCollections().all()).find(({ name }) => name === 'Guides');
  const [entry] = await client.listEntries({ collectionId: guides?.id ?? '' }).all();
  const restated = (await client.listConversions().all()).find(({ restatements, lead }) => restatements > 0 && lead);

  let times = 0;
  const port = await openSite(() => (times++ === 0 ? { status: 503, body: 'Starting' } : { body: 'ok' }));
  const endpoint = { url: `http://127.0.0.1:${port}/hooks`, description: 'The shop’s CRM' };
  const { id: webhookId } = await client.createWebhook(endpoint);
  await client.testWebhook({ id: webhookId }, {});
  for (const value of [49.9, 39.9])
    await client.reportConversion({ sessionId: restated?.sessionId, eventId: 'order-today', value, currency: 'EUR' });
  const aWeekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
  await client.createAnnotation({ at: aWeekAgo, text: 'Newsletter sent' });
  if (entry) {
    const path = { collectionId: entry.collectionId, entryId: entry.id };
    await client.updateEntry(path, { values: { title: 'Dry skin: what helps in winter' } });
  }

  const everywhere = ['-dark', '-phone'];
  const screens: Record<string, Screen> = {
    overview: { path: '/overview', looks: everywhere },
    funnel: { path: `/funnels?steps=${encodeURIComponent(JSON.stringify(FUNNEL))}` },
    lead: { path: `/leads/${restated?.lead?.id}`, looks: everywhere },
    sessions: { path: '/sessions' },
    conversions: { path: '/conversions' },
    unmatched: { path: '/conversions?list=unmatched' },
    entries: { path: `/content/${guides?.id}`, looks: everywhere },
    entry: { path: `/content/${guides?.id}/${entry?.id}` },
    history: {
      path: `/content/${guides?.id}/${entry?.id}`,
      act: async (page) => {
        await page.getByRole('button', { name: 'History' }).click();
        await page.getByRole('button', { name: /^Created/ }).click();
        await page.getByRole('button', { name: 'Restore version' }).waitFor();
      },
    },
    files: {
      path: '/files',
      act: async (page) => {
        await page.getByRole('button', { name: 'retinol.jpg' }).click();
        await page.getByRole('group', { name: 'URL' }).waitFor();
      },
    },
    webhook: { path: `/webhooks/${webhookId}` },
    installation: { path: '/settings/installation' },
    cells: { path: '/settings/cells' },
    search: {
      path: '/overview',
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Search' }).fill('con');
      },
    },
  };
  for (const [look, options] of Object.entries(LOOKS)) {
    const { page, complaints } = await openPage(browser, service.url, options);
    for (const [name, { path, act, looks = [] }] of Object.entries(screens)) {
      if (look !== '' && !looks.includes(look)) continue;
      await page.goto(path);
      await atRest(page);
      await act?.(page);
      await atRest(page);
      await sharp(await page.screenshot())
        .png({ palette: true })
        .toFile(join(FOLDER, `${name}${look}.png`));
    }
    for (const complaint of complaints) console.error(complaint);
    await page.context().close();
  }
});
