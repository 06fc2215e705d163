/** What holds for every page of the dashboard and of the guide. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../../server/test/until.ts';
import { type Furnished, furnish } from './furnish.ts';
import { atRest, closePage, DESKTOP, faultsOf, navigate, type OpenPage, openPage, trackRequests } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';
import { lostPresses } from './slow-presses.ts';

/** What a viewer may not read. */
const FOR_OTHERS = [
  'components',
  'a new component',
  'reporting conversions',
  'a new experiment',
  'a draft of an experiment',
  'importing ad spend',
  'a new collection',
  'fields',
  'a new entry',
  'connecting a platform',
  'editing an ad platform',
  'keys',
  'members',
  'roles',
  'a new role',
  'the audit log',
];

interface Chosen {
  screens: (name: string) => boolean;
  /** Pages of the guide: checked by axe, and whether they fit a phone only. They have one template. */
  guide: { axe: string[]; width: string[] };
  /** Whether to press buttons as well. */
  presses: boolean;
}

/** @param chosen which pages to look at */
export function testScreens(chosen: Chosen): void {
  describe('screens', () => {
    let account: Account;
    let shop: Furnished;

    before(async () => {
      account = await service.newAccount('Outdoor shop');
      await service.makeOwner(account.id);
      looking = await openPage(browser, service.url);
      shop = await furnish(service.url, account.token, account.apiKey);
      const { client } = shop;
      const properties = { gclid: 'click-0', email: 'ida@outdoor.example', step: 2 };
      await client.recordEvent({ api_key: account.apiKey, event: 'signup', properties });
      await client.reportConversion({ gclid: 'never-seen', value: 12, currency: 'EUR', eventId: 'order-lost' });
      const spend = { date: new Date().toISOString().slice(0, 10), source: 'google', cost: 9, currency: 'EUR' };
      await client.putAdCosts({}, { costs: [spend, { ...spend, source: 'bing', currency: 'USD' }] });
      await client.createCostSource({
        ...{ platform: 'tiktok', name: 'TikTok', mode: 'off' },
        credentials: { advertiserId: '7012345', accessToken: 'unused' },
      });
      const destination = await client.createDestination({
        platform: 'meta',
        name: 'Meta',
        credentials: { pixelId: '1234567890', accessToken: 'EAAunused' },
        mapping: [{ event: '*', target: 'Purchase' }],
        consent: 'required',
        mode: 'off',
      });
      await client.putChannelRules({
        rules: [
          {
            ...{ name: 'Brand', match: 'any' },
            conditions: [
              { field: 'source', operator: 'is', values: ['google', null] },
              { match: 'all', conditions: [{ field: 'platform', operator: 'is', values: ['gclid'] }] },
            ],
          },
        ],
      });
      await client.createAlert({ preset: 'salesDrop', channels: [{ type: 'mail' }] });
      const statement = new File(['order id,amount,currency\norder-1,12,EUR\norder-2,x,EUR\n'], 'payouts.csv');
      const reconciliation = await client.createReconciliation({ provider: 'csv' }, { file: statement });
      await until(async () => {
        const { status } = await client.getReconciliation({ reconciliationId: reconciliation.id });
        return status !== 'matching';
      });
      const [lead] = await client.listLeads().all();
      const [conversion] = await client.listConversions({ q: 'click-0' }).all();
      const news = await client.createCollection({
        name: 'News',
        publishing: true,
        fields: [{ id: 'title', label: 'Title', type: 'text' }],
      });
      const post = await client.createEntry({ collectionId: news.id }, { values: { title: 'Opening' } });
      await client.publishEntry({ collectionId: news.id, entryId: post.id }, {});
      const at = new Date(Date.now() + 3_600_000).toISOString();
      await client.createRelease({ at, items: [{ collectionId: news.id, entryId: post.id, action: 'unpublish' }] });
      const open = await client.createCollection({
        name: 'Pages',
        publishing: true,
        public: true,
        fields: [{ id: 'title', label: 'Title', type: 'text' }],
      });
      const home = await client.createEntry({ collectionId: open.id }, { values: { title: 'Home' } });
      await client.publishEntry({ collectionId: open.id, entryId: home.id }, {});
      const draft = await client.createExperiment({
        ...{ key: 'headline', name: 'Shorter headline', hypothesis: 'Fewer words sell more' },
        variants: [
          { key: 'old', weight: 0.5 },
          { key: 'new', weight: 0.5, values: { title: 'Less' } },
        ],
        metric: { event: 'signup', kind: 'events' },
        content: [{ collectionId: open.id, entryId: home.id }],
      });
      const variants = [
        { key: 'a', weight: 0.5 },
        { key: 'b', weight: 0.5 },
      ];
      const metric = { event: 'signup', kind: 'events' } as const;
      const running = await client.createExperiment({ key: 'price', name: 'Price', variants, metric, holdout: 0.05 });
      await client.startExperiment({ experimentId: running.id }, {});
      const operation = { op: 'update', collection: news.id, id: post.id, values: { title: 'Planned' } } as const;
      await client.planEntryChanges({ operations: [operation] });
      Object.assign(ids, {
        ...{ draft: draft.id, experiment: running.id },
        news: news.id,
        post: post.id,
        session: conversion?.sessionId,
        lead: lead?.id,
        conversion: conversion?.id,
        destination: destination.id,
        reconciliation: reconciliation.id,
      });
    });

    let looking: OpenPage;
    const ids = {
      draft: '',
      experiment: '',
      session: 0,
      lead: '',
      conversion: '',
      destination: '',
      reconciliation: '',
      news: '',
      post: '',
    };

    const paths: Record<string, () => string> = {
      home: () => '/home',
      settings: () => '/settings',
      components: () => '/content/components',
      'a new component': () => '/content/components/new',
      overview: () => '/overview',
      sql: () => '/overview/sql',
      'the warehouse': () => '/settings/warehouse',
      funnels: () => '/funnels?steps=%5B%7B%22type%22%3A%22page%22%2C%22name%22%3A%22%2F%22%7D%5D',
      sessions: () => '/sessions',
      'a session': () => `/sessions/${ids.session}`,
      leads: () => '/leads',
      'a lead': () => `/leads/${ids.lead}`,
      conversions: () => '/conversions',
      'reports that were not matched': () => '/conversions?list=unmatched',
      'a conversion': () => `/conversions/${ids.conversion}`,
      'reporting conversions': () => '/conversions/add',
      experiments: () => '/experiments',
      'a running experiment': () => `/experiments/${ids.experiment}`,
      'a new experiment': () => '/experiments/new',
      'a draft of an experiment': () => `/experiments/${ids.draft}/edit`,
      'return on ad spend': () => '/revenue?period=quarter',
      'ad spend': () => '/ad-costs',
      'ad spend sources': () => '/ad-costs/sources',
      alerts: () => '/alerts',
      channels: () => '/channels',
      reconciliation: () => '/reconciliation',
      'a reconciliation': () => `/reconciliation/${ids.reconciliation}`,
      'importing ad spend': () => '/ad-costs/add',
      collections: () => '/content',
      'a new collection': () => '/content/new',
      entries: () => `/content/${shop.landingPages}`,
      fields: () => `/content/${shop.landingPages}/schema`,
      'a new entry': () => `/content/${shop.landingPages}/new`,
      'an entry': () => `/content/${shop.landingPages}/${shop.entryIds[0]}`,
      'published entries': () => `/content/${ids.news}`,
      'a published entry': () => `/content/${ids.news}/${ids.post}`,
      releases: () => '/content/releases',
      files: () => '/files',
      exports: () => '/exports',
      webhooks: () => '/webhooks',
      'the test endpoint of webhooks': () => '/webhooks/test',
      'ad platforms': () => '/destinations',
      'connecting a platform': () => '/destinations/new',
      'an ad platform': () => `/destinations/${ids.destination}`,
      'editing an ad platform': () => `/destinations/${ids.destination}/edit`,
      installation: () => '/settings/installation',
      keys: () => '/settings/keys',
      'general settings': () => '/settings/general',
      locales: () => '/settings/locales',
      tracking: () => '/settings/tracking',
      members: () => '/settings/members',
      roles: () => '/settings/roles',
      'a new role': () => '/settings/roles/new',
      'the audit log': () => '/settings/audit',
      backups: () => '/settings/backups',
      cells: () => '/settings/cells',
      'a cell': () => '/settings/cells/main',
      plans: () => '/settings/plans',
      'rejected requests': () => '/settings/rejected-requests',
      'the profile': () => '/settings/profile',
    };
    const screens = Object.entries(paths).filter(([name]) => chosen.screens(name));

    for (const [name, path] of screens) {
      it(`pass axe in light and dark mode, violate no content security policy, and fit a phone: ${name}`, async () => {
        const { page, complaints } = looking;
        await page.setViewportSize(DESKTOP);
        await page.emulateMedia({ colorScheme: 'light' });
        await navigate(page, path());
        await atRest(page);
        assert.deepEqual(await faultsOf(page), []);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('[data-mantine-color-scheme=dark]').waitFor();
        // Only colors differ.
        assert.deepEqual(await faultsOf(page, 'colors'), []);
        await page.setViewportSize({ width: 390, height: 800 });
        await page.waitForFunction(() => document.documentElement.scrollWidth <= 390);
        // A card clips what is wider.
        const isInside = () =>
          [...document.querySelectorAll('.data-table td')].every((cell) => cell.getBoundingClientRect().right <= 390);
        await page.waitForFunction(isInside);
        assert.deepEqual(complaints.splice(0), []);
      });
    }

    if (chosen.presses) {
      it('take a press for a click, whatever moves until it ends', async () => {
        const { page } = await openPage(browser, service.url, { hasTouch: true });
        page.on('dialog', (dialog) => dialog.accept());
        const lost: Record<string, string[]> = {};
        for (const [name, path] of screens) {
          for (const width of [DESKTOP.width, 390]) {
            await page.setViewportSize({ width, height: 800 });
            await navigate(page, path());
            await atRest(page);
            const found = await lostPresses(page, width === 390);
            if (found === undefined) break;
            if (found.length > 0) lost[`${name}, ${width} px`] = found;
            // Without what was written.
            await page.evaluate(() => localStorage.clear());
            await page.goto('/settings');
          }
        }
        assert.deepEqual(lost, {});
        await closePage(page);
      });
    }

    it('of the guide pass axe in light and dark mode, violate no content security policy, and fit a phone', async () => {
      const { page, complaints } = looking;
      for (const name of [...chosen.guide.axe, ...chosen.guide.width]) {
        await page.setViewportSize(DESKTOP);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`/guide/${name}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (chosen.guide.axe.includes(name)) {
          assert.deepEqual(await faultsOf(page), [], name);
          await page.emulateMedia({ colorScheme: 'dark' });
          assert.deepEqual(await faultsOf(page, 'colors'), [], `${name}, dark`);
        }
        await page.setViewportSize({ width: 390, height: 800 });
        await page.waitForFunction(() => document.documentElement.scrollWidth <= 390);
      }
      assert.deepEqual(complaints.splice(0), []);
    });

    it('show a viewer everything a viewer may read, request nothing else, and say which pages need another role', async () => {
      const context = await browser.newContext({ baseURL: service.url, viewport: DESKTOP, reducedMotion: 'reduce' });
      const page = await context.newPage();
      trackRequests(page);
      const refused: string[] = [];
      page.on('response', (response) => response.status() < 400 || refused.push(response.url()));
      await page.goto(await service.invite(account.id, 'viewer'));
      await page.getByLabel('Your name').fill('Jon Vik');
      await page.getByLabel('Email').fill('jon@outdoor.example');
      await page.getByRole('textbox', { name: 'Password' }).fill('a short walk downhill');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      const noAccess = page.getByRole('heading', { level: 1, name: 'No access' });
      // Neither are the pages rendered for a moment by links to them and away from them.
      for (const [name, path] of screens) {
        await navigate(page, path());
        await noAccess.waitFor({ state: FOR_OTHERS.includes(name) ? 'visible' : 'hidden' });
        await atRest(page);
        assert.equal(await noAccess.isVisible(), FOR_OTHERS.includes(name), name);
      }
      // Nor where they are loaded, which is the same for all of them.
      for (const name of ['a new collection', 'the audit log']) {
        await page.goto(paths[name]?.() ?? '');
        await noAccess.waitFor();
        await atRest(page);
      }
      assert.deepEqual(refused, []);
      await context.close();
    });
  });
}
