/**
 * The dashboard in a browser that speaks German: nothing is left in English, and everything fits. That the pages pass axe is proved in English
 * (`every-screen.ts`): the names of controls are texts of the same catalogue, and what axe looks at else is the same.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../../server/test/machine.ts';
import { atRest, faultsOf, navigate, trackRequests } from './open-page.ts';
import { OWNER } from './service.ts';
import { browser, service } from './shared.ts';

export let client: Client;
/** Of the owner. */
export let email = '';

before(async () => {
  const { id, token } = await service.newDemo();
  email = await service.makeOwner(id);
  client = createClient({ baseUrl: service.url, token });
});

const texts = JSON.parse(readFileSync(join(import.meta.dirname, '../../languages/de.json'), 'utf8')) as Record<
  string,
  string
>;
/** Labels of fields and the like, which are content of the demo account. */
const CONTENT = ['Body', 'Cover', 'Date', 'Kind', 'Tags', 'Title'];
/** English texts that are no German ones: what a German page must not say. */
const german = new Set(Object.values(texts));
const english = Object.keys(texts).filter(
  (text) =>
    texts[text] !== text &&
    !german.has(text) &&
    !/[{<|]/.test(text) &&
    text.trim().length > 2 &&
    !CONTENT.includes(text),
);

export async function openGerman(languages = 'de-DE'): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    locale: languages,
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1360, height: 860 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  trackRequests(page);
  return page;
}

/** What is shown and read out in English. */
async function englishOn(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => {
    const words = new Set<string>([document.title.replace(/ · Headwater$/, '')]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) words.add(node.textContent?.trim() ?? '');
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        words.add(element.getAttribute(name)?.trim() ?? '');
    return [...words];
  });
  return english.filter((text) => said.includes(text.trim()));
}

export const signIn = async (page: Page) => {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await page.getByLabel('E-Mail').fill(email);
  await page.getByRole('textbox', { name: 'Passwort' }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
  // Away from what would show a tooltip there.
  await page.mouse.move(0, 0);
};

/** @param isChosen which pages to look at */
export function testGermanPages(isChosen: (path: string) => boolean): void {
  it('speaks German to a German browser, without overflow on phones', async () => {
    const page = await openGerman();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    assert.deepEqual([await englishOn(page), await faultsOf(page)], [[], []], 'sign-in');
    await signIn(page);
    const guides = (await client.listCollections().all()).find(({ name }) => name === 'Guides');
    const [entry] = await client.listEntries({ collectionId: guides?.id ?? '' }).all();
    const paths = [
      '/home',
      '/overview',
      '/revenue',
      '/ad-costs',
      '/ad-costs/sources',
      '/conversions',
      '/conversions/add',
      '/sessions',
      '/leads',
      '/channels',
      '/funnels',
      '/content',
      '/content/new',
      '/content/releases',
      `/content/${guides?.id}`,
      `/content/${guides?.id}/schema`,
      `/content/${guides?.id}/${entry?.id}`,
      '/files',
      '/exports',
      '/destinations',
      '/webhooks',
      '/settings',
      '/settings/general',
      '/settings/installation',
      '/settings/keys',
      '/settings/locales',
      '/settings/members',
      '/settings/roles',
      '/settings/roles/new',
      '/settings/tracking',
      '/settings/audit',
      '/settings/plans',
      '/settings/profile',
    ];
    const left: Record<string, string[]> = {};
    for (const path of paths.filter(isChosen)) {
      await page.setViewportSize({ width: 1360, height: 860 });
      await navigate(page, path);
      await atRest(page);
      const found = await englishOn(page);
      await page.setViewportSize({ width: 390, height: 800 });
      await atRest(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > 390) found.push(`${wide} px wide`);
      if (found.length > 0) left[path] = found;
    }
    assert.deepEqual(left, {});
    await page.context().close();
  });
}
