import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from '../src/url.ts';

test('an array repeats its name, and no value of it is split at commas', () => {
  const url = (params: Record<string, unknown>) => decodeURIComponent(urlOf('/x', params));
  assert.equal(url({ 'filter[source]': ['google', 'bing'] }), '/x?filter[source]=google&filter[source]=bing');
  assert.equal(url({ filter: { source: ['google', 'bing'] } }), '/x?filter[source]=google&filter[source]=bing');
  assert.equal(url({ 'filter[campaign]': ['a,b'] }), '/x?filter[campaign]=a,b&filter[campaign]=a,b');
  assert.equal(url({ 'filter[campaign]': 'a,b' }), '/x?filter[campaign]=a,b');
  assert.equal(url({ sort: ['a:asc,b:desc'] }), '/x?sort=a:asc,b:desc');
  assert.equal(url({ filter: { price: { in: ['a,b', 'c'] } } }), '/x?filter[price][in]=a\\,b,c');
});
