import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, openWorld } from './world.ts';

const { service, openShop } = await openWorld();

/** What a page did, and what the service acknowledged. */
const did = { visits: new Set<string>(), events: new Set<string>() };
const acknowledged = { visits: new Set<string>(), events: new Set<string>() };
type Note = (what: 'did' | 'acknowledged', kind: 'visits' | 'events', id: string) => void;

/** Runs in a visitor's frame: navigates by routes and by loading pages until the end, and reports what it does. */
function walk(end: number): void {
  if (window === top) return;
  const { note } = window as unknown as { note: Note };
  const fetched = window.fetch;
  window.fetch = async (...args) => {
    const response = await fetched(...args);
    const items = JSON.parse(String(args[1]?.body ?? '{}')).items ?? [];
    const answer = response.ok ? await response.clone().json() : { results: [] };
    answer.results.forEach((result: { success: boolean }, i: number) => {
      if (!result.success) return;
      if (items[i].visit) note('acknowledged', 'visits', items[i].visit.url);
      else note('acknowledged', 'events', items[i].event.id);
    });
    return response;
  };
  // Every visit has its own URL.
  const newPath = () => `/${crypto.getRandomValues(new Uint32Array(3)).join('-')}`;
  const track = (name: string, properties: Record<string, unknown>) => {
    const id = newPath();
    note('did', 'events', id);
    void window.headwater.track(name, properties, id);
  };
  const step = () => {
    if (Date.now() > end) return;
    const chance = Math.random();
    if (chance < 0.6) {
      for (let n = Math.ceil(Math.random() * 5); n > 0; n--) track('step', { n });
    } else if (chance < 0.85) {
      history.pushState(null, '', newPath());
      note('did', 'visits', location.href);
    } else {
      // Loads a page while a request is in progress.
      track('leaving', {});
      location.href = newPath();
      return;
    }
    setTimeout(step, 200 + Math.random() * 800);
  };
  note('did', 'visits', location.href);
  addEventListener('load', () => setTimeout(step, Math.random() * 1_000));
}

interface Row {
  url: string;
  clientEventId: string;
  sessionHash: string | null;
}

/**
 * Visitors of a shop while the service is killed: the export contains everything acknowledged, once.
 * @param seconds for which they visit
 */
export async function soak(visitors: number, seconds: number): Promise<void> {
  // Each visitor has its own origin, and therefore storage, in a frame of one page: fifty browsers would take too
  // much memory.
  const shop = await openShop({
    host: 'visitors.test',
    answer: (path) => (path === '/all' ? { body: 'All visitors' } : undefined),
  });
  const page = await shop.context.newPage();
  await page.exposeFunction('note', (what: string, kind: 'visits' | 'events', id: string) => {
    (what === 'did' ? did : acknowledged)[kind].add(id);
  });
  await page.addInitScript(walk, Date.now() + (seconds + 2) * 1_000);
  await page.goto(shop.url('/all'));
  await page.evaluate((count) => {
    for (let i = 0; i < count; i++) {
      const frame = document.createElement('iframe');
      frame.src = `http://visitor-${i}.${location.host}/start?gclid=${i}`;
      document.body.append(frame);
    }
  }, visitors);
  await sleep((seconds * 1_000) / 2);
  await service.kill();
  await sleep(1_000);
  await service.startAgain();
  await sleep((seconds * 1_000) / 2 + 1_000);
  for (const frame of page.frames().slice(1)) {
    await eventually(async () => {
      const waiting = await frame.evaluate(() => {
        // Ends long pauses.
        dispatchEvent(new Event('online'));
        return Object.keys(localStorage).filter((key) => key.startsWith('headwater:') && localStorage[key] !== '[]');
      });
      assert.deepEqual(waiting, []);
    });
  }
  const visits = await exported(shop.account.token, 'visits');
  const events = await exported(shop.account.token, 'events');
  console.log(
    `${visits.length} visits, ${events.length} events of ${visitors} visitors, ${acknowledged.visits.size} and ${acknowledged.events.size} acknowledged`,
  );
  const urls = visits.map(({ url }) => url);
  const ids = events.map(({ clientEventId }) => clientEventId);
  assert.equal(new Set(urls).size, urls.length, 'a visit twice');
  assert.equal(new Set(ids).size, ids.length, 'an event twice');
  assert.deepEqual(
    [...acknowledged.visits].filter((url) => !urls.includes(url)),
    [],
  );
  assert.deepEqual(
    [...acknowledged.events].filter((id) => !ids.includes(id)),
    [],
  );
  // What was not acknowledged before its page closed was sent by the next one.
  assert.deepEqual(
    [...did.visits].filter((url) => !urls.includes(url)),
    [],
  );
  assert.deepEqual(
    [...did.events].filter((id) => !ids.includes(id)),
    [],
  );
  assert.ok(acknowledged.events.size > 0 && acknowledged.visits.size > 0);
  assert.ok(events.every(({ sessionHash }) => sessionHash !== null));
  assert.equal(new Set(visits.map(({ sessionHash }) => sessionHash)).size, visitors);
  assert.deepEqual(shop.errors, []);
}

async function exported(token: string, dataset: string): Promise<Row[]> {
  const headers = { 'x-api-key': `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ dataset, format: 'ndjson' });
  const asked = await fetch(`${service.url}/v1/analytics/export`, { method: 'POST', headers, body });
  const { id } = await asked.json();
  const job = await eventually(async () => {
    const answer = await (await fetch(`${service.url}/v1/jobs/get-by-id?id=${id}`, { headers })).json();
    assert.equal(answer.status, 'completed');
    return answer;
  });
  const text = await (
    await fetch(new URL(new URL(job.result.url).pathname + new URL(job.result.url).search, service.url))
  ).text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
