import { type Attack, fill, get, many, post, requests, type Target } from './attack.ts';
import { hostileTexts } from './texts.ts';

const withKey = ({ account }: Target, body: object) => ({ api_key: account.apiKey, ...body });

export const TRACKING: Attack[] = [
  requests('visits: hostile URLs', (target) =>
    hostileTexts(8_000).flatMap((text) =>
      [
        `https://shop.example/?${text}`,
        `https://${text}/`,
        `https://shop.example/${text}`,
        `https://shop.example/?gclid=${text}`,
      ].map((url) =>
        post('/v1/visits', withKey(target, { url: url.slice(0, 8_000), referrer: url.slice(-8_000), title: text })),
      ),
    ),
  ),
  requests('visits: thousands of click ids', (target) =>
    ['gclid', 'fbclid', 'utm_source', 'a'].map((name) =>
      post('/v1/visits', withKey(target, { url: `https://shop.example/?${fill(`${name}=x&`, 8_000)}` })),
    ),
  ),
  requests('events: hostile texts in every place', (target) =>
    hostileTexts(20_000).map((text) =>
      post(
        '/v1/events',
        withKey(target, {
          event: text.slice(0, 255),
          id: text.slice(0, 64),
          sentAt: text,
          properties: { email: text, value: text, url: text.slice(0, 100) },
        }),
      ),
    ),
  ),
  requests('events: properties at every limit', (target) => [
    post(
      '/v1/events',
      withKey(target, { event: 'x', properties: Object.fromEntries(many(255, (i) => [`p${i}`, fill('a', 100)])) }),
    ),
    post(
      '/v1/events',
      withKey(target, { event: 'x', properties: Object.fromEntries(many(254, (i) => [`__proto_${i}`, [[[[i]]]]])) }),
    ),
    post('/v1/events', withKey(target, { event: 'x', properties: { a: fill('\u0001', 5_000) } })),
    post(
      '/v1/events',
      withKey(target, {
        event: 'x',
        properties: { constructor: { prototype: { a: 1 } }, toString: 'x', hasOwnProperty: 1 },
      }),
    ),
  ]),
  requests('batches of many small items', (target) => [
    post('/v1/batch', withKey(target, { items: many(300_000, () => 0) })),
    post('/v1/batch', withKey(target, { items: many(300_000, () => ({})) })),
    post('/v1/batch', withKey(target, { items: many(20_000, () => ({ event: { event: 'x' } })) })),
    post(
      '/v1/batch',
      withKey(target, {
        items: many(100, () => ({ visit: { url: `https://shop.example/?${fill('utm_source=x&', 7_000)}` } })),
      }),
    ),
  ]),
  requests('conversions: hostile texts in every place', (target) =>
    hostileTexts(4_000).map((text) =>
      post(
        '/v1/analytics/report-conversion',
        { gclid: text, value: text, createdOn: text, currency: text, event: text, eventId: text, extra: { text } },
        target.token,
      ),
    ),
  ),
  requests('conversions: batches of many small items', (target) => [
    post(
      '/v1/analytics/report-conversion',
      many(1_000, (i) => ({ gclid: `g${i}`, hash: 'x', value: '', currency: 'x', event: 1, eventId: {} })),
      target.token,
    ),
    post('/v1/analytics/report-conversion', `[${fill('{},', 4_000_000)}{}]`, target.token),
    post('/v1/analytics/report-conversion', `[${fill('0,', 4_000_000)}0]`, target.token),
    post(
      '/v1/analytics/report-conversion',
      many(1_000, () => ({ gclid: 'x', value: '1', extra: { a: fill('a', 3_900) } })),
      target.token,
    ),
    post(
      '/v1/analytics/report-conversion/dry-run',
      many(1_000, (i) => ({ gclid: `g${i}`, eventId: 'same', value: i })),
      target.token,
    ),
  ]),
  requests('conversions: a form with many values', (target) =>
    [many(400_000, (i) => `gclid=${i}`), many(200_000, (i) => `a${i}=${i}`)].map((parts) =>
      post('/v1/analytics/report-conversion', parts.join('&').slice(0, 4_000_000), {
        ...target.token,
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ),
  ),
  requests('postbacks: many parameters', (target) =>
    [
      'gclid=x&',
      'a=&',
      'gclid=%7Bx%7D&',
      'gclid[]=x&',
      'gclid[a]=x&',
      '&',
      'value=1&',
      '%00=&',
      '__proto__=x&',
      'a=%ff&',
    ].map((part) => get(`/v1/analytics/report-conversion?${fill(part, 14_000)}`, target.token)),
  ),
  requests('lists: hostile queries', (target) =>
    hostileTexts(1_400).flatMap((text) => {
      const value = encodeURIComponent(text.toWellFormed()).slice(0, 12_000).replace(/%.?$/, '');
      return [
        ...['q', 'pageToken', 'from', 'identifier', 'currency', 'sessionId', 'platform'].map(
          (name) => `/v1/sessions?${name}=${value}`,
        ),
        `/v1/leads?q=${value}`,
        `/v1/conversions?q=${value}&pageToken=${value.slice(0, 1_000)}`,
        `/v1/conversions/unmatched?q=${value}`,
        `/v1/files?name=${value}`,
        `/v1/audit?from=${value}`,
        `/v1/jobs/get-by-id?id=${value}`,
        `/v1/analytics/timeline?leadId=${value}`,
        `/v1/analytics/overview?from=${value}&to=${value.slice(0, 100)}&timeZone=${value.slice(0, 100)}`,
      ].map((path) => get(path, target.token));
    }),
  ),
  requests('funnels and filters', (target) => {
    const period = { from: '2026-01-01', to: '2026-02-01' };
    const bodies = [
      { ...period, steps: many(10, () => ({ page: fill('*', 500) })) },
      { ...period, steps: many(10, () => ({ page: fill('/*a', 500) })) },
      { ...period, steps: many(300_000, () => 0) },
      { ...period, steps: many(50_000, () => ({ event: 'x' })) },
      { ...period, steps: [{ event: 'x' }], filters: Object.fromEntries(many(50_000, (i) => [`f${i}`, ['x']])) },
      { ...period, steps: [{ event: 'x' }], filters: { source: many(100_000, (i) => `${i}`) } },
      { ...period, steps: [{ event: fill('a') }] },
    ];
    return [
      ...bodies.map((body) => post('/v1/analytics/funnel', body, target.token)),
      ...['filter[source]=x&', 'filter[source][]=x&', 'by=source&', 'filter[__proto__]=x&'].map((part) =>
        get(`/v1/analytics/breakdown?from=2026-01-01&to=2026-02-01&by=source&${fill(part, 12_000)}`, target.token),
      ),
    ];
  }),
  requests('exports: long lists of fields', (target) =>
    [many(100_000, () => 'eventId'), many(50_000, (i) => `f${i}`), many(100, () => fill('a', 9_000))].map((fields) =>
      post('/v1/analytics/export', { dataset: 'events', format: 'csv', fields }, target.token),
    ),
  ),
  requests('settings: many addresses and origins', (target) =>
    [
      { excludedAddresses: many(60_000, () => '192.0.2.0/24') },
      { excludedAddresses: many(10_000, (i) => `2001:db8::${(i % 65_536).toString(16)}/128`) },
      { excludedAddresses: [fill('1.', 500_000), fill(':', 500_000)] },
      { allowedOrigins: many(60_000, () => 'https://a.example') },
      { allowedOrigins: [`https://${fill('a.', 500_000)}`, `https://${fill('*', 500_000)}`] },
    ].map((body) => ({ ...post('/v1/tracking/settings', body, target.token), method: 'PATCH' })),
  ),
  requests('erasures and webhooks: hostile texts', (target) =>
    hostileTexts(100_000).flatMap((text) => [
      post('/v1/leads/erase', { email: text }, target.token),
      post('/v1/webhooks', { url: `https://${text}`, description: text, events: [text] }, target.token),
      post(
        '/auth/sign-in',
        { email: text, password: text },
        { origin: 'http://headwater.test', 'sec-fetch-site': 'same-origin' },
      ),
    ]),
  ),
];
