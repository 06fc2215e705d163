/** Every route says what a role needs for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { needOf } from './route-needs.ts';

const service = await testService();

test('every route that keys and members use names the feature of roles that it belongs to', () => {
  const missing = service.app.knownRoutes.flatMap(({ method, url, config }) => {
    const { access = 'open' } = config ?? {};
    if (['open', 'page', 'user'].includes(access)) return [];
    return [method].flat().flatMap((each) => (needOf(each, url) === undefined ? `${each} ${url}` : []));
  });
  assert.deepEqual(missing, [], 'add them to route-needs.ts');
});
