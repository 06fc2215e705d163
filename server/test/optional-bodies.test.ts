/** Clients send an action without members as they like: without a body, with `{}`, or with an empty body of any type. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOptional } from '../src/shared/http/optional-body.ts';
import { furnish } from './furnished-account.ts';
import { testService } from './harness.ts';

const service = await testService();

const FORMS: [name: string, headers: Record<string, string>, payload?: string][] = [
  ['{}', { 'content-type': 'application/json' }, '{}'],
  ['no body', {}],
  ['no body, but a length', { 'content-length': '0' }],
  ['an empty body of JSON', { 'content-type': 'application/json', 'content-length': '0' }],
  ['an empty form', { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }],
  ['an empty text', { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '0' }],
  ['an empty body of an unknown type', { 'content-type': 'application/octet-stream', 'content-length': '0' }],
];

const ACTIONS = service.app.knownRoutes.filter(
  ({ method, url, schema, config }) =>
    method === 'POST' &&
    url.startsWith('/v1/') &&
    !config?.streams &&
    (schema?.body === undefined || isOptional(schema.body)),
);

test('an action is the same without a body, with {} and with an empty body of any type', async () => {
  assert.ok(ACTIONS.length > 20, `${ACTIONS.length} actions`);
  const account = await furnish(service, 'actor');
  for (const { url } of ACTIONS) {
    // Of something that does not exist, so that each of them meets the same: the body is checked before.
    const path = url.replaceAll(/:\w+/g, 'unknown');
    const outcomes = new Map<string, string[]>();
    for (const [name, headers, payload] of FORMS) {
      const { statusCode, body } = await service.app.inject({
        method: 'POST',
        url: path,
        headers: { 'x-api-key': `Bearer ${account.token}`, ...headers },
        ...(payload !== undefined && { payload }),
      });
      const outcome = statusCode === 200 ? '200' : JSON.parse(body).code;
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), name]);
    }
    assert.equal(outcomes.size, 1, `POST ${url}: ${JSON.stringify([...outcomes])}`);
  }
});

test('the API document says that these bodies may be omitted, and no others', async () => {
  const { paths } = (await service.app.inject('/openapi.json')).json();
  const optional = new Set(
    ACTIONS.filter(({ schema }) => schema?.body).map(({ url }) => url.replaceAll(/:(\w+)/g, '{$1}')),
  );
  for (const [path, { post }] of Object.entries<Record<string, { requestBody?: { required?: boolean } }>>(paths)) {
    if (!post?.requestBody || !path.startsWith('/v1/')) continue;
    assert.equal(post.requestBody.required ?? false, !optional.has(path), path);
  }
});
