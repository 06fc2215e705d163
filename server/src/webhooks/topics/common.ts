import { Type } from 'typebox';

export const sequence = Type.Integer({
  minimum: 1,
  description:
    'Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer.',
});

export const exampleEmail = 'ada@shop.example';
export const exampleTime = '2026-11-20T08:00:00.000Z';
export const exampleSession = {
  id: 5009581675630269,
  hash: 'k3Jv9QmZx0RtYb7LwPcA2d',
  shortHash: '7q2m0v9fk3ra',
  visitorId: 'h2Xw8KcN5vTzQ1bR4mLyPs',
  startedAt: '2026-11-20T07:41:12.480Z',
  lastSeenAt: '2026-11-20T07:58:03.019Z',
  landingUrl: 'https://shop.example/?utm_source=google&utm_campaign=summer&gclid=EAIaIQ',
  referrer: 'https://www.google.com/',
  source: 'google',
  medium: 'cpc',
  campaign: 'summer',
  term: null,
  content: null,
  utmId: null,
  clickIds: { gclid: 'EAIaIQ' },
  device: 'mobile',
  browser: 'Chrome',
  os: 'Android',
  country: 'DE',
  region: 'Bavaria, DE',
  isBot: false,
  isInternal: false,
};
export const exampleLead = {
  id: 'led_01kaf9m8t0f3r9w2c7x5q1v6bn',
  email: exampleEmail,
  firstSeenAt: '2026-11-20T07:58:03.019Z',
  lastSeenAt: exampleTime,
  firstSession: exampleSession,
  latestSession: exampleSession,
};
