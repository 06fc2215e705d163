import { sha256 } from './hash.ts';
import { pixel, testEventCode } from './pixel.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { jsonOf } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

export const tiktok = {
  name: 'TikTok',
  credentials: {
    pixelId: {
      label: 'Pixel code',
      description: 'TikTok Ads Manager, Tools, Events: the code of the pixel.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9]{1,40}',
      example: 'C4A1B2C3D4E5F6G7H8I9',
    },
    accessToken: {
      label: 'Access token',
      description: 'Events Manager, pixel, Settings, Events API, Generate access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'abc123',
    },
    testEventCode,
  },
  ...pixel,
  clickIds: ['ttclid'],
  hosts: { api: 'https://business-api.tiktok.com' },
  version: API_VERSIONS.tiktok.version,
  build(events, { credentials, hosts, version, validates }) {
    const { pixelId, accessToken = '', testEventCode } = credentials;
    const body = {
      event_source: 'web',
      event_source_id: pixelId,
      ...(validates && { test_event_code: testEventCode }),
      data: events.map(eventOf),
    };
    return {
      method: 'POST',
      url: `${hosts.api}/open_api/${version}/event/track/`,
      headers: { 'access-token': accessToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
  },
  read(outcome) {
    const { code } = jsonOf(outcome) ?? {};
    if (typeof code !== 'number') return undefined;
    const message = outcome.response ?? '';
    if (code === 0 || code === 20_001) return { type: 'accepted', message };
    if (code === 40_100) return { type: 'throttled', message };
    if (code >= 40_101 && code <= 40_105) return { type: 'credentials', message };
    if (code >= 50_000) return { type: 'lost', message };
    // 40002 is about a parameter; others are about permissions (40001), the account, the pixel or the version of the API.
    if (code !== 40_000 && code !== 40_002) return { type: 'access', message };
    return { type: 'refused', reason: 'invalid_event', code: String(code), message };
  },
} satisfies Platform;

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency, url } = event;
  return {
    event: event.target,
    event_time: Math.floor(event.occurredAt / 1000),
    event_id: event.wireId,
    user: {
      ...(email !== null && { email: sha256(email) }),
      ...(clickId && { ttclid: clickId.value }),
      ...(address !== null && { ip: address }),
      ...(userAgent !== null && { user_agent: userAgent }),
    },
    ...(url !== null && { page: { url } }),
    properties: {
      ...(value !== null && { value: Number(value), currency }),
      order_id: event.wireId,
    },
  };
}
