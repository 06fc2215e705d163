import { sha256 } from './hash.ts';
import { signOAuth1 } from './oauth.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { API_VERSIONS } from './versions.ts';

export const x = {
  name: 'X',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Ads Manager, Events Manager.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9]{1,20}',
      example: 'o8z6j',
    },
    consumerKey: {
      label: 'API key',
      description: 'X developer portal, Keys and tokens.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'abc',
    },
    consumerSecret: {
      label: 'API key secret',
      description: 'Beside the API key.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'abc',
    },
    accessToken: {
      label: 'Access token',
      description: 'X developer portal, Keys and tokens, of a user of the ad account.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: '123-abc',
    },
    accessTokenSecret: {
      label: 'Access token secret',
      description: 'Beside the access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'abc',
    },
  },
  target: {
    label: 'Event ID',
    description: 'Events Manager: the ID of the event, `tw-…`.',
    pattern: 'tw-[a-z0-9]+-[a-z0-9]+',
    example: 'tw-o8z6j-o8z21',
  },
  clickIds: ['twclid'],
  uses: { email: true, client: true },
  maxAgeDays: 90,
  adjustment: 'none',
  validation: 'local',
  needs: 'click id or email',
  needsCurrency: true,
  hosts: { api: 'https://ads-api.x.com' },
  version: API_VERSIONS.x.version,
  batch: 500,
  // 60,000 requests in 15 minutes.
  requestsPerMinute: 4000,
  dedupeHours: 24,
  build(events, { credentials, hosts, version, now }) {
    const url = `${hosts.api}/${version}/measurement/conversions/${credentials.pixelId}`;
    return {
      method: 'POST',
      url,
      headers: { authorization: signOAuth1('POST', url, credentials, now), 'content-type': 'application/json' },
      body: JSON.stringify({ conversions: events.map(eventOf) }),
    };
  },
  read: () => undefined,
} satisfies Platform;

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency } = event;
  return {
    conversion_time: new Date(event.occurredAt).toISOString(),
    event_id: event.target,
    identifiers: [
      ...(clickId ? [{ twclid: clickId.value }] : []),
      ...(email === null ? [] : [{ hashed_email: sha256(email) }]),
      // They match only together with another one, which every event has.
      ...(address === null || userAgent === null ? [] : [{ ip_address: address, user_agent: userAgent }]),
    ],
    conversion_id: event.wireId,
    ...(value !== null && { value, price_currency: currency }),
  };
}
