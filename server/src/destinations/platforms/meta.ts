import { sha256 } from './hash.ts';
import { pixel, testEventCode } from './pixel.ts';
import type { OutgoingEvent, Platform, Verdict } from './platform.ts';
import { jsonOf, objectAt } from './read-status.ts';
export const meta = {
  name: 'Meta',
  credentials: {
    pixelId: {
      label: 'Pixel (dataset) ID',
      description: 'Events Manager, Data sources, Settings.',
      isSecret: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '123456789012345',
    },
    accessToken: {
      label: 'Access token',
      description: 'Events Manager, Settings, Conversions API, Generate access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'EAAB…',
    },
    testEventCode,
  },
  ...pixel,
  clickIds: ['fbclid'],
  hosts: { api: 'https://graph.facebook.com' },
  version: 'v23.0',
  build(events, { credentials, hosts, version, validates }) {
    const { pixelId = '', accessToken, testEventCode } = credentials;
    const body = {
      data: events.map(eventOf),
      access_token: accessToken,
      ...(validates && { test_event_code: testEventCode }),
    };
    return {
      method: 'POST',
      url: `${hosts.api}/${version}/${pixelId}/events`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
  },
  read(outcome) {
    const error = objectAt(jsonOf(outcome), 'error');
    if (error === undefined) return undefined;
    const message = outcome.response ?? '';
    return verdictOf(Number(error.code), error.is_transient === true, message);
  },
  probe: ({ credentials: { pixelId, accessToken = '' }, hosts, version }) => ({
    method: 'GET',
    url: `${hosts.api}/${version}/${pixelId}?fields=id,name`,
    headers: { authorization: `Bearer ${accessToken}` },
    body: '',
  }),
} satisfies Platform;

/** Codes of the Graph API: limits of calls, access tokens and permissions; 1 and 2 are failures of the service. */
const THROTTLED = new Set([4, 17, 32, 341, 613, 80_004]);
const CREDENTIALS = new Set([3, 10, 102, 190, 200, 294]);

function verdictOf(code: number, isTransient: boolean, message: string): Verdict {
  if (THROTTLED.has(code)) return { type: 'throttled', message };
  if (CREDENTIALS.has(code)) return { type: 'credentials', message };
  if (isTransient || code === 1 || code === 2) return { type: 'lost', message };
  return { type: 'refused', reason: 'invalid_event', message };
}

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, clickedAt, value, currency, wireId } = event;
  return {
    event_name: event.target,
    event_time: Math.floor(event.occurredAt / 1000),
    event_id: wireId,
    // A website's events must have a user agent.
    action_source: userAgent === null ? 'system_generated' : 'website',
    ...(event.url !== null && { event_source_url: event.url }),
    user_data: {
      ...(email !== null && { em: [sha256(email)] }),
      ...(address !== null && userAgent !== null && { client_ip_address: address }),
      ...(userAgent !== null && { client_user_agent: userAgent }),
      ...(clickId && { fbc: `fb.1.${clickedAt ?? event.occurredAt}.${clickId.value}` }),
    },
    custom_data: {
      ...(value !== null && { value: Number(value), currency }),
      order_id: wireId,
    },
  };
}
