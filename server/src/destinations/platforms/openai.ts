import { sha256, withoutQuery } from './hash.ts';
import { pixel } from './pixel.ts';
import type { OutgoingEvent, Platform } from './platform.ts';
import { API_VERSIONS } from './versions.ts';

/** The kind of data that each standard event has. */
const KINDS: Record<string, string> = {
  ...{ order_created: 'contents', checkout_started: 'contents', items_added: 'contents', contents_viewed: 'contents' },
  page_viewed: 'contents',
  ...{ lead_created: 'customer_action', registration_completed: 'customer_action' },
  appointment_scheduled: 'customer_action',
  ...{ subscription_created: 'plan_enrollment', trial_started: 'plan_enrollment' },
};

/** It needs no code to validate with. */
const { validatesWith: _, ...common } = pixel;

export const openai = {
  name: 'OpenAI Ads',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Ads Manager, Conversions.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9_-]{1,100}',
      example: '134534001',
    },
    apiKey: {
      label: 'Conversions API key',
      description: 'Ads Manager, Conversions: a key of the Conversions API, not of the Ads API.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,500}',
      example: 'sk-…',
    },
  },
  ...common,
  target: {
    label: 'Event name',
    description: 'A standard event such as `order_created` or `lead_created`, or the name of a custom event.',
    pattern: '\\S(.{0,62}\\S)?',
    example: 'order_created',
  },
  clickIds: ['oppref'],
  hosts: { api: 'https://bzr.openai.com' },
  version: API_VERSIONS.openai.version,
  build(events, { credentials: { pixelId = '', apiKey = '' }, hosts, version, validates }) {
    return {
      method: 'POST',
      url: `${hosts.api}/${version}/events?pid=${encodeURIComponent(pixelId)}`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ validate_only: validates, events: events.map(eventOf) }),
    };
  },
  // One event that is refused refuses the request.
  read: () => undefined,
} satisfies Platform;

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, value, currency, target, consent } = event;
  const type = KINDS[target];
  return {
    id: event.wireId,
    type: type === undefined ? 'custom' : target,
    ...(type === undefined && { custom_event_name: target }),
    timestamp_ms: event.occurredAt,
    ...(clickId && { oppref: clickId.value }),
    // A website's events must have a URL.
    action_source: event.url === null ? 'other' : 'web',
    ...(event.url !== null && { source_url: withoutQuery(event.url) }),
    user: {
      ...(email !== null && { email_sha256: sha256(email) }),
      ...(address !== null && { ip_address: address }),
      ...(userAgent !== null && { user_agent: userAgent }),
    },
    ...(consent.adPersonalization === 'denied' && { opt_out: true }),
    data: {
      type: type ?? 'custom',
      ...(value !== null && currency !== null && { amount: inLowestUnit(value, currency), currency }),
    },
  };
}

/** 129.90 EUR is 12990, and 100 JPY is 100. */
function inLowestUnit(value: string, currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return Math.round(Number(value) * 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
