/** Requests whose response was lost, and which are sent again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnish } from './furnished-account.ts';
import { testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { pathOf, ROUTES } from './route-table.ts';

const service = await testService(LOCAL_FETCHES);
const routes = service.app.knownRoutes.flatMap(({ url, method, config, schema }) =>
  [method].flat().map((each) => ({ name: `${each} ${url}`, access: config?.access, schema })),
);
const takesKey = ({ schema }: (typeof routes)[number]) => 'x-idempotency-key' in (schema ?? {});

/** Routes without an Idempotency-Key, whose repetition does no harm. */
const HARMLESS = [
  // They change nothing, or nothing that lasts.
  /\/(query|aggregate|graphql|sql|funnel|dry-run|preview|presence|test|inspect|options|confirm|unlock|check-first-party)$/,
  // What is done is done, and a repetition says so.
  /\/(undo|undo\/:\w+|cancel|start|delete|leave|sign-out|end-others|revoke-leaked|move|check|moves|disable|reviews|apply|refresh|dismiss)$/,
  /\/view(\/end)?$/,
  // Who got no response is signed in, or has the password or email, by repeating it: see the tests of users.
  /\/(sign-in|first-run|accept|reset-password|password|email|forgotten-password|passkeys|two-factor|recovery-codes)$/,
  // A link replaces the previous one.
  /\/reset-link$/,
  // What arrives twice is shown twice.
  /^POST \/webhook-tests\//,
  // A plan changes nothing before somebody decides about it.
  /^POST \/v1\/plans\/[\w-]+$/,
  // An account or a file more, which is seen and deleted.
  /\/(accounts|imports|reconciliations)$/,
  // Protocols with ids of their own; a key whose token nobody has got.
  /^POST \/(mcp|oauth\/\w+|files\/tus|internal\/reports)|\/keys\/agents$/,
];

test('each route that creates takes an Idempotency-Key, or its repetition does no harm', () => {
  const posts = routes.filter(({ name }) => name.startsWith('POST ') && !/\/tus\//.test(name));
  const neither = posts.filter((route) => !takesKey(route) && !HARMLESS.some((pattern) => pattern.test(route.name)));
  assert.deepEqual(
    neither.map(({ name }) => name),
    [],
  );
});

let count = 0;
const newFurnished = () => furnish(service, `repeated-${++count}`);
let mine = await newFurnished();

for (const route of routes.filter((each) => takesKey(each) && each.name in ROUTES)) {
  test(`${route.name} with the key of an earlier request answers what that one did`, async () => {
    const send = () => {
      const good = ROUTES[route.name]?.good(mine) ?? {};
      const isPerson = route.access === 'member' || route.access === 'user';
      return service.call(pathOf(route.name, good), {
        ...(isPerson ? { by: mine.owner } : { as: mine }),
        body: route.access === 'ingest' ? { ...(good.body as object), api_key: mine.apiKey } : good.body,
        headers: { ...good.headers, 'idempotency-key': route.name },
      });
    };
    let first = await send();
    if (first.status !== 200) {
      // An earlier one took away what it needs.
      mine = await newFurnished();
      first = await send();
    }
    const second = await send();
    assert.equal(first.status, 200, JSON.stringify(first.body));
    if (second.body.code !== 'idempotency_response_erased') {
      assert.equal(second.status, 200, JSON.stringify(second.body));
      assert.deepEqual(withoutTimes(second.body), withoutTimes(first.body));
    }
  });
}

/** Without signatures of URLs, which expire. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/[?&](expires|signature)=[^"&]*/g, ''));
}
