import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assign } from '../src/assign.ts';
import { createExperiments } from '../src/experiments.ts';

const variants = ['old', 'new'].map((key) => ({ key, weight: 0.5 }));
const content = [{ collectionId: 'col_pages', entryId: 'ent_home' }];
const RUNNING = [
  { key: 'headline', variants, coverage: 1, content },
  { key: 'nobody', variants, coverage: 0, content },
  { key: 'elsewhere', variants, coverage: 1, content: [] },
];

/** A service that shows the variant that it is asked for. */
function fake(isDown = () => false) {
  const calls: { method: string; url: URL; body: string; agent: string | null }[] = [];
  const fetch = (async (input: string, init: RequestInit = {}) => {
    const url = new URL(input);
    const agent = new Headers(init.headers).get('user-agent');
    calls.push({ method: init.method ?? 'GET', url, body: String(init.body ?? ''), agent });
    if (url.pathname === '/v1/experiments/running') {
      return isDown() ? new Response('', { status: 503 }) : Response.json({ experiments: RUNNING });
    }
    if (url.pathname === '/v1/events') return Response.json({});
    const [experiment, variant] = (url.searchParams.get('variant') ?? '').split(':');
    return Response.json({ id: 'ent_home', values: {}, ...(experiment && { experiment, variant }) });
  }) as typeof globalThis.fetch;
  return {
    calls,
    experiments: createExperiments<{ pages: { title: string } }>({ url: 'https://hw.example/', key: 'hw_pk_x', fetch }),
  };
}

test('a visitor gets the entry of their variant by a URL that others share, and is exposed to it once', async () => {
  const { calls, experiments } = fake();
  const variant = assign(RUNNING[0] as (typeof RUNNING)[0], 'visitor-1');
  for (let i = 0; i < 2; i++) {
    const entry = await experiments.get('pages', 'home', { visitorId: 'visitor-1' });
    assert.deepEqual([entry?.experiment, entry?.variant], ['headline', variant]);
  }
  const paths = calls.map(({ url, method }) => `${method} ${url.pathname}${url.search}`);
  const read = `GET /v1/content/pages/home?variant=headline%3A${variant}`;
  assert.deepEqual(paths, ['GET /v1/experiments/running', read, 'POST /v1/events', read]);
  assert.deepEqual(JSON.parse(calls[2]?.body ?? ''), {
    api_key: 'hw_pk_x',
    event: 'experiment_exposure',
    properties: { experiment: 'headline', variant, visitorId: 'visitor-1' },
  });
  // By it, the service recognizes bots.
  await experiments.expose('elsewhere', 'old', { visitorId: 'visitor-2', userAgent: 'Googlebot/2.1' });
  assert.deepEqual([calls[2]?.agent, calls.at(-1)?.agent], [null, 'Googlebot/2.1']);
  const all = await experiments.variantsOf('visitor-1');
  assert.deepEqual(Object.keys(all), ['headline', 'elsewhere']);
});

test('while the experiments cannot be read, entries are those that are published, and nobody is exposed', async () => {
  const { calls, experiments } = fake(() => true);
  const entry = await experiments.get('pages', 'home', { visitorId: 'visitor-1', sessionHash: 'x' });
  assert.equal(entry?.variant, undefined);
  assert.deepEqual(
    calls.map(({ url }) => url.pathname + url.search),
    ['/v1/experiments/running', '/v1/content/pages/home'],
  );
});
