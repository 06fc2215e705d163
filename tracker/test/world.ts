import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { PATIENCE_MS } from '../../server/test/machine.ts';
import { browser, PERSON } from './browser.ts';
import { type Account, type EventRow, startTestService, type TestService, type VisitRow } from './service.ts';
import { htmlOf, openSite, type Reply, snippet } from './site.ts';

export interface ShopOptions {
  settings?: object;
  /** Before the snippet. */
  head?: string;
  body?: string;
  headers?: Record<string, string>;
  /** The URL of the script; by default that of the service. */
  scriptUrl?: string;
  host?: string;
  context?: BrowserContextOptions;
  account?: Account;
  /** Responds instead of the page when it returns something. */
  answer?(path: string, request: IncomingMessage): Reply | undefined | Promise<Reply | undefined>;
}

/** An account, a site with the documented snippet on every page, and a visitor's browser. */
export interface Shop {
  account: Account;
  context: BrowserContext;
  /** Every request with a batch, whatever its response. */
  batches: Request[];
  /** Errors on any of the visitor's pages. */
  errors: string[];
  url(path: string): string;
  open(path: string): Promise<Page>;
  visits(): Promise<VisitRow[]>;
  events(): Promise<EventRow[]>;
}

export interface World {
  service: TestService;
  browser: Browser;
  openShop(options?: ShopOptions): Promise<Shop>;
}

export async function openWorld(env: Record<string, string> = {}): Promise<World> {
  const service = await startTestService(env);
  return {
    service,
    browser,
    async openShop(options = {}) {
      const account = options.account ?? (await service.newAccount());
      const scriptUrl = options.scriptUrl ?? `${service.url}/headwater.js`;
      const port = await openSite(async (path, request) => {
        const given = await options.answer?.(path, request);
        if (given) return given;
        if (path === '/favicon.ico') return { status: 404, body: '' };
        const head = (options.head ?? '') + snippet(scriptUrl, account.apiKey, options.settings);
        return { body: htmlOf(head, options.body), headers: { 'cache-control': 'no-store', ...options.headers } };
      });
      const context = await browser.newContext({ ...PERSON, ...options.context });
      context.setDefaultTimeout(PATIENCE_MS);
      const batches: Request[] = [];
      const errors: string[] = [];
      context.on('request', (request) => {
        if (request.url().endsWith('/v1/batch')) batches.push(request);
      });
      context.on('weberror', (error) => errors.push(String(error.error())));
      const url = (path: string) => `http://${options.host ?? 'localhost'}:${port}${path}`;
      return {
        account,
        context,
        batches,
        errors,
        url,
        async open(path) {
          const page = await context.newPage();
          await page.goto(url(path));
          await page.waitForFunction(() => 'session' in window.headwater);
          return page;
        },
        visits: () => service.visits(account),
        events: () => service.events(account),
      };
    },
  };
}

/** Retries until the assertions hold. @throws the error of the last attempt */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (const deadline = performance.now() + PATIENCE_MS; ; ) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(25);
    }
  }
}

/** The visits, once there are exactly `count`. */
export async function visitsOf(shop: Shop, count: number): Promise<VisitRow[]> {
  const rows = await eventually(async () => {
    const found = await shop.visits();
    assert.ok(found.length >= count, `${found.length} visits of ${count}`);
    return found;
  });
  assert.equal(rows.length, count);
  return rows;
}

export async function eventsOf(shop: Shop, count: number): Promise<EventRow[]> {
  const rows = await eventually(async () => {
    const found = await shop.events();
    assert.ok(found.length >= count, `${found.length} events of ${count}`);
    return found;
  });
  assert.equal(rows.length, count);
  return rows;
}

/** Makes the page send its queue. On a busy machine its call may resolve as pending before the response arrives. */
export async function settled(page: Page): Promise<void> {
  const response = page.waitForResponse(
    (each) => each.url().endsWith('/v1/batch') && each.ok() && !!each.request().postData()?.includes('"settled"'),
    { timeout: PATIENCE_MS },
  );
  const result = await page.evaluate(() => window.headwater.track('settled'));
  assert.ok(result.success || result.error === 'pending', String(result.error));
  await response;
}
