import { sha256 } from './hash.ts';
import { pixel } from './pixel.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { API_VERSIONS } from './versions.ts';

/** Without `purchase`, which must have the items of the order: conversions have none. */
const EVENTS = ['generate_lead', 'subscribe', 'sign_up', 'login', 'page_view'];
const WITH_VALUE = new Set(['generate_lead', 'subscribe']);

const { validatesWith: _, ...common } = pixel;

export const applovin = {
  name: 'AppLovin',
  credentials: {
    pixelId: {
      label: 'Axon event key',
      description: 'Axon dashboard, Account, General, Keys.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9-]{1,64}',
      example: '00000000-0000-0000-0000-000000000000',
    },
    apiKey: {
      label: 'Conversion API key',
      description: 'Beside the event key.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,500}',
      example: 'abc123',
    },
  },
  ...common,
  target: {
    label: 'Event name',
    description: `One of ${EVENTS.map((name) => `\`${name}\``).join(', ')}. Purchases need the items of the order, which conversions do not have.`,
    pattern: EVENTS.join('|'),
    example: 'generate_lead',
  },
  clickIds: ['aleid', 'alart'],
  validation: 'local',
  needs: 'client with click id or email',
  needsValue: ({ target }) => target === 'generate_lead',
  hosts: { api: 'https://b.applovin.com' },
  version: API_VERSIONS.applovin.version,
  batch: 100,
  dedupeHours: 24,
  build(events, { credentials: { pixelId = '', apiKey = '' }, hosts, version }) {
    return {
      method: 'POST',
      url: `${hosts.api}/${version}/event?pixel_id=${encodeURIComponent(pixelId)}`,
      headers: { authorization: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ events: events.map(eventOf) }),
    };
  },
  // One event that is refused refuses the request.
  read: () => undefined,
} satisfies Platform;

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency, target } = event;
  return {
    name: target,
    event_time: event.occurredAt,
    event_source_url: event.url ?? '',
    dedupe_id: event.wireId,
    data: WITH_VALUE.has(target) && value !== null ? { currency, value: Number(value) } : null,
    user_data: {
      ...(clickId && { [clickId.name]: clickId.value }),
      ...(email !== null && { email: sha256(email) }),
      ...{ client_ip_address: address, client_user_agent: userAgent, esi: 'web' },
    },
  };
}
