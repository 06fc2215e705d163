import { sha256, withoutDotsAndTags } from './hash.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { API_VERSIONS } from './versions.ts';

export const reddit = {
  name: 'Reddit',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Events Manager: the ID of the pixel.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9_]{1,64}',
      example: 't2_abc123',
    },
    accessToken: {
      label: 'Access token',
      description: 'Events Manager, Conversions API, Generate access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'eyJ…',
    },
    testId: {
      label: 'Test ID',
      description: 'Events Manager, Test events. Used by tests and in mode `validate`.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '\\S{1,100}',
      example: 't2_abc123',
    },
  },
  target: {
    label: 'Event name',
    description: 'A standard event such as `PURCHASE`, `LEAD` or `SIGN_UP`, or the name of a custom event.',
    pattern: '\\S(.{0,62}\\S)?',
    example: 'PURCHASE',
  },
  clickIds: ['rdt_cid'],
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
  validatesWith: 'testId',
  needs: 'click id or email',
  needsCurrency: true,
  hosts: { api: 'https://ads-api.reddit.com' },
  version: API_VERSIONS.reddit.version,
  batch: 1000,
  requestsPerMinute: 5000,
  dedupeHours: 24,
  normalizeEmail: withoutDotsAndTags,
  build(events, { credentials: { pixelId, accessToken = '', testId }, hosts, version, validates }) {
    return {
      method: 'POST',
      url: `${hosts.api}/api/${version}/pixels/${pixelId}/conversion_events`,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { events: events.map(eventOf), ...(validates && { test_id: testId }) } }),
    };
  },
  read: () => undefined,
} satisfies Platform;

const STANDARD = new Set([
  'PAGE_VISIT',
  'VIEW_CONTENT',
  'SEARCH',
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'PURCHASE',
  'LEAD',
  'SIGN_UP',
]);

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency, target } = event;
  return {
    event_at: event.occurredAt,
    action_source: 'WEBSITE',
    type: STANDARD.has(target) ? { tracking_type: target } : { tracking_type: 'CUSTOM', custom_event_name: target },
    ...(clickId && { click_id: clickId.value }),
    ...(event.url !== null && { event_source_url: event.url }),
    user: {
      ...(email !== null && { email: sha256(email) }),
      ...(address !== null && { ip_address: sha256(address) }),
      ...(userAgent !== null && { user_agent: userAgent }),
    },
    metadata: {
      conversion_id: event.wireId,
      ...(value !== null && { value: Number(value), currency }),
    },
  };
}
