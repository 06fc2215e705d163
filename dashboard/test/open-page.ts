import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { PATIENCE_MS } from '../../server/test/machine.ts';
import { ownerCookie } from './service.ts';

export interface OpenPage {
  page: Page;
  /** Errors of the page and violations of its content security policy. */
  complaints: string[];
}

export const DESKTOP = { width: 1360, height: 860 };

/** Pages that tests are done with, by service and options. */
const idle = new Map<string, Page[]>();
const keyOf = new WeakMap<Page, string>();

/** Opens a page in which the owner is signed in, which `closePage` closes. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  path = '/',
): Promise<OpenPage> {
  const key = JSON.stringify([url, options]);
  const state = signedIn(url);
  const page = (await reopened(key, state, options)) ?? (await newPage(browser, url, state, options));
  keyOf.set(page, key);
  trackRequests(page);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser logs a failed request, and the page shows it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  await page.goto(path);
  await atRest(page);
  return { page, complaints };
}

async function newPage(browser: Browser, url: string, state: State, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    storageState: state,
    ...options,
  });
  await context.addInitScript(speakEnglish);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/** The words are English, whatever numbers and dates look like: there is no catalogue in the language of this browser. */
function speakEnglish(): void {
  Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['tlh'] });
}

/**
 * A page that another test is done with, as if it were new but for the code that the browser has compiled, which saves two thirds of the
 * CPU time of opening a page (0.26 instead of 0.73 s).
 */
async function reopened(key: string, state: State, options: BrowserContextOptions): Promise<Page | undefined> {
  const page = idle.get(key)?.pop();
  if (page === undefined) return undefined;
  page.removeAllListeners();
  // The test before may have chosen another one.
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.context().setStorageState(state);
  await page.setViewportSize(options.viewport ?? DESKTOP);
  await page.emulateMedia({ colorScheme: null, media: null });
  return page;
}

/** Closes the page of `openPage`, with its dialogs and unsaved changes. */
export async function closePage(page: Page): Promise<void> {
  const key = keyOf.get(page);
  if (key === undefined || page.context().pages().length > 1) return page.context().close();
  idle.set(key, [...(idle.get(key) ?? []), page]);
}

/** Follows a link inside the dashboard, without loading it again. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

const requestsOf = new WeakMap<Page, Set<Request>>();

/** Keeps the requests of a page that are in progress, for `atRest`. */
export function trackRequests(page: Page): void {
  const requests = new Set<Request>();
  requestsOf.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Waits until the page has its heading, no request is in progress, and nothing was rendered for six frames. The browser's
 * `networkidle` takes half a second on a page that is ready.
 */
export async function atRest(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const requests = requestsOf.get(page);
  if (requests === undefined) throw new Error('atRest needs trackRequests');
  await quiet(page, requests);
}

async function quiet(page: Page, requests: Set<Request>): Promise<void> {
  let times = 0;
  while (times < 3) {
    const changes = await page.evaluate(countChangesOfTwoFrames);
    times = changes === 0 && requests.size === 0 ? times + 1 : 0;
  }
}

function countChangesOfTwoFrames(): Promise<number> {
  return new Promise((resolve) => {
    let changes = 0;
    const observer = new MutationObserver((records) => {
      changes += records.length;
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const finish = () => {
      observer.disconnect();
      resolve(changes);
    };
    requestAnimationFrame(() => requestAnimationFrame(finish));
  });
}

/** What another color scheme may break of a page. */
const COLORS = ['color-contrast', 'link-in-text-block'];

/**
 * Violations that axe finds on the page at rest, after all animations, by all of its rules, or by those about colors or all others: the first
 * look at a page uses all, one in another color scheme or at another width what may differ there, which is half of the work.
 */
export async function faultsOf(page: Page, part: 'all' | 'colors' | 'structure' = 'all'): Promise<string[]> {
  // Behind a dialog there may be no heading.
  await quiet(page, requestsOf.get(page) ?? new Set());
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().iterations === Infinity),
  );
  // `@axe-core/playwright` loads axe anew for each analysis and opens another page; there is one frame here.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(findViolations, { part, colors: COLORS });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

async function findViolations({ part, colors }: { part: string; colors: string[] }) {
  const { axe } = window as unknown as { axe: typeof import('axe-core') };
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    // It would fetch all style sheets, for a rule about media that play by themselves.
    preload: false,
    ...(part === 'colors' && { runOnly: { type: 'rule' as const, values: colors } }),
    ...(part === 'structure' && { rules: Object.fromEntries(colors.map((rule) => [rule, { enabled: false }])) }),
  });
  return violations;
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The state of a browser in which the owner is signed in. */
function signedIn(url: string): State {
  const [name = '', value = ''] = ownerCookie(url).split('=');
  const cookie = { name, value, domain: new URL(url).hostname, path: '/', expires: -1 };
  return { cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' }], origins: [] };
}
