import { sha256 } from './hash.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { arrayAt, jsonOf, objectAt } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

export const pinterest = {
  name: 'Pinterest',
  credentials: {
    adAccountId: {
      label: 'Ad account ID',
      description: 'Ads Manager: the number in the URL.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '549755885175',
    },
    accessToken: {
      label: 'Access token',
      description: 'Ads Manager, Conversions, Conversion access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'pina_abc',
    },
  },
  target: {
    label: 'Event name',
    description:
      '`checkout`, `lead`, `signup`, `add_to_cart`, `page_visit`, `search`, `view_category`, `watch_video` or `custom`.',
    pattern: 'checkout|lead|signup|add_to_cart|page_visit|search|view_category|watch_video|custom',
    example: 'checkout',
  },
  clickIds: ['epik'],
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
  // Of its click id alone, Pinterest accepts nothing.
  needs: 'email or client',
  needsCurrency: false,
  hosts: { api: 'https://api.pinterest.com' },
  version: API_VERSIONS.pinterest.version,
  batch: 1000,
  requestsPerMinute: 5000,
  dedupeHours: 24,
  build(events, { credentials: { adAccountId, accessToken = '' }, hosts, version, validates }) {
    return {
      method: 'POST',
      url: `${hosts.api}/${version}/ad_accounts/${adAccountId}/events${validates ? '?test=true' : ''}`,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: events.map(eventOf) }),
    };
  },
  read(outcome, events) {
    const body = jsonOf(outcome);
    // A 422 has the same report under `details`.
    const report = outcome.status === 422 ? objectAt(body, 'details') : body;
    const results = arrayAt(report, 'events') as { status?: string; error_message?: string }[];
    if (results.length !== events.length) return undefined;
    const faults = results.flatMap(({ status, error_message }, index) =>
      status === 'failed' ? [{ index, reason: 'invalid_event', message: error_message ?? 'failed' }] : [],
    );
    return { type: 'accepted', faults };
  },
} satisfies Platform;

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency } = event;
  return {
    event_name: event.target,
    action_source: 'web',
    event_time: Math.floor(event.occurredAt / 1000),
    event_id: event.wireId,
    ...(event.url !== null && { event_source_url: event.url }),
    user_data: {
      ...(email !== null && { em: [sha256(email)] }),
      ...(address !== null && userAgent !== null && { client_ip_address: address, client_user_agent: userAgent }),
      ...(clickId && { click_id: clickId.value }),
    },
    custom_data: {
      ...(value !== null && { value, ...(currency !== null && { currency }) }),
      order_id: event.wireId,
    },
  };
}
