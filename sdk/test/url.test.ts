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

test('where is sent as JSON', () => {
  const where = { or: [{ price: { gte: 10 } }, { title: { contains: 'ö' } }] };
  const query = new URLSearchParams(urlOf('/x', { where, sort: 'price:asc' }).split('?')[1]);
  assert.deepEqual(JSON.parse(query.get('where') ?? ''), where);
  assert.equal(urlOf('/x', { where: JSON.stringify(where) }), urlOf('/x', { where }));
});
