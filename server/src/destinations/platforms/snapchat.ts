import { sha256 } from './hash.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { jsonOf } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

export const snapchat = {
  name: 'Snapchat',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Ads Manager, Events Manager.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9-]{1,64}',
      example: '00000000-0000-0000-0000-000000000000',
    },
    accessToken: {
      label: 'Access token',
      description: 'Business settings, Conversions API tokens.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'eyJ…',
    },
  },
  target: {
    label: 'Event name',
    description: 'A standard event such as `PURCHASE` or `SIGN_UP`, or `CUSTOM_EVENT_1` to `CUSTOM_EVENT_5`.',
    pattern: '[A-Z][A-Z0-9_]{1,49}',
    example: 'PURCHASE',
  },
  clickIds: ['sclid'],
  uses: { email: true, client: true },
  maxAgeDays: 37,
  adjustment: 'none',
  validation: 'platform',
  needs: 'click id or email',
  needsCurrency: true,
  hosts: { api: 'https://tr.snapchat.com' },
  version: API_VERSIONS.snapchat.version,
  batch: 2000,
  requestsPerMinute: 600,
  dedupeHours: 48,
  build(events, { credentials: { pixelId, accessToken = '' }, hosts, version, validates }) {
    const token = encodeURIComponent(accessToken);
    return {
      method: 'POST',
      url: `${hosts.api}/${version}/${pixelId}/events${validates ? '/validate' : ''}?access_token=${token}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: events.map(eventOf) }),
    };
  },
  read(outcome) {
    const { status } = jsonOf(outcome) ?? {};
    const isRefused = outcome.error === null && (status === 'INVALID' || status === 'FAILED' || status === 'ERROR');
    return isRefused ? { type: 'refused', reason: 'invalid_event', message: outcome.response ?? '' } : undefined;
  },
} satisfies Platform;

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency } = event;
  return {
    event_name: event.target,
    event_time: Math.floor(event.occurredAt / 1000),
    event_id: event.wireId,
    action_source: 'WEB',
    ...(event.url !== null && { event_source_url: event.url }),
    user_data: {
      ...(email !== null && { em: [sha256(email)] }),
      ...(address !== null && { client_ip_address: address }),
      ...(userAgent !== null && { client_user_agent: userAgent }),
      ...(clickId && { sc_click_id: clickId.value }),
    },
    custom_data: {
      ...(value !== null && { value, currency }),
      order_id: event.wireId,
    },
  };
}
