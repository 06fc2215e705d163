import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Account } from './service.ts';

export interface OpenPage {
  page: Page;
  /** What the page complained of: errors, and what its policy forbade. */
  complaints: string[];
}

/** A window in which somebody is signed in. */
export async function openPage(
  browser: Browser,
  url: string,
  account: Account,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1360, height: 860 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused request is logged by the browser, and told by the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  await page.goto('/');
  await page.getByLabel('Secret API token').fill(account.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return { page, complaints };
}
