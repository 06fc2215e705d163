/**
 * Prerendering and the back/forward cache, which the bundled Chromium lacks:
 * `CHROMIUM_PATH=/usr/bin/chromium npm test -- tracker/test/whole-browser`. The pages navigate by themselves, because both
 * are disabled in an automated browser.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { launch } from '../../server/test/service-process.ts';
import { startTestService } from './service.ts';
import { htmlOf, openSite, snippet } from './site.ts';
import { eventually } from './world.ts';

const path = process.env.CHROMIUM_PATH;

test('a prerendered page is a visit once it is shown, and a page from the back/forward cache again', {
  skip: !path,
}, async () => {
  const service = await startTestService();
  const account = await service.newAccount();
  const pages: Record<string, string> = {
    '/a': `<script type="speculationrules">{"prerender": [{"urls": ["/b"], "eagerness": "immediate"}]}</script>
      <script>setTimeout(() => { location.href = '/b' }, 2_000)</script>`,
    '/b': `<script>
      const prerendered = document.prerendering;
      headwater.track('loaded', { prerendered });
      addEventListener('pageshow', ({ persisted }) => headwater.track('shown', { persisted, prerendering: document.prerendering }));
      const goOn = () => setTimeout(() => { location.href = '/c' }, 1_000);
      if (prerendered) document.addEventListener('prerenderingchange', goOn);
    </script>`,
    '/c': `<script>addEventListener('load', () => setTimeout(() => history.back(), 1_000))</script>`,
  };
  const head = snippet(`${service.url}/headwater.js`, account.apiKey);
  const port = await openSite((file) => ({ body: htmlOf(head, pages[file] ?? '') }));
  const profile = mkdtempSync(join(tmpdir(), 'headwater-profile-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
  const browser = launch(path ?? '', [...flags, `http://localhost:${port}/a`], { HOME: profile });
  after(async () => {
    browser.kill('SIGKILL');
    await browser.ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const visits = await eventually(async () => {
    const rows = await service.visits(account);
    assert.ok(rows.length >= 4, JSON.stringify(rows));
    return rows;
  });
  assert.deepEqual(
    visits.map(({ url }) => new URL(url).pathname),
    ['/a', '/b', '/c', '/b'],
  );
  assert.ok(Number(visits[1].occurred_at) - Number(visits[0].occurred_at) >= 1_500);
  assert.equal(new Set(visits.map(({ session }) => session)).size, 1);
  const events = await eventually(async () => {
    const rows = await service.events(account);
    assert.ok(rows.length >= 3, JSON.stringify(rows));
    return rows;
  });
  const told = events.map(({ event, properties: { prerendered, persisted } }) => [event, prerendered ?? persisted]);
  assert.deepEqual(told.at(-1), ['shown', true]);
  assert.ok(told.some(([event, value]) => event === 'loaded' && value === true));
});
