import { sha256, withoutQuery } from './hash.ts';
import { pixel, testEventCode } from './pixel.ts';
import type { OutgoingEvent, Platform, Verdict } from './platform.ts';
import { jsonOf, objectAt } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

export const meta = {
  name: 'Meta',
  credentials: {
    pixelId: {
      label: 'Pixel (dataset) ID',
      description: 'Events Manager, Data sources, Settings.',
      isSecret: false,
      decidesHost: false,
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
    limitedDataUse: {
      label: 'Limited data use',
      description:
        '`always`, or `denied`: for visitors who denied personalization of ads. Meta then decides by their region (US states).',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: 'always|denied',
      example: 'denied',
    },
  },
  ...pixel,
  clickIds: ['fbclid'],
  needsValue: ({ target }) => target === 'Purchase',
  hosts: { api: 'https://graph.facebook.com' },
  version: API_VERSIONS.meta.version,
  build(events, { credentials, hosts, version, validates }) {
    const { pixelId = '', accessToken, testEventCode, limitedDataUse } = credentials;
    const isLimited = ({ consent }: OutgoingEvent) =>
      limitedDataUse === 'always' || (limitedDataUse === 'denied' && consent.adPersonalization === 'denied');
    const body = {
      data: events.map((event) => ({ ...eventOf(event), ...(isLimited(event) && LIMITED_DATA_USE) })),
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
    return verdictOf(Number(error.code), Number(error.error_subcode), error.is_transient === true, message);
  },
  probe: ({ credentials: { pixelId, accessToken = '' }, hosts, version }) => ({
    method: 'GET',
    url: `${hosts.api}/${version}/${pixelId}?fields=id,name`,
    headers: { authorization: `Bearer ${accessToken}` },
    body: '',
  }),
} satisfies Platform;

/**
 * Codes of the Graph API (Error Handling, Marketing API Error Codes): limits of calls; access tokens; and what no event is at
 * fault for: capabilities (3) and permissions (10, 200 to 299, 294), a deprecated method (12) or version (2635), an unknown path
 * (2500), an unknown object (803), an account that is restricted for its contents (368).
 */
const THROTTLED = new Set([4, 17, 32, 341, 613]);
/** Limits by use case of a business, such as 80000 of reports: 80000 to 80014. */
const isOfUseCase = (code: number) => code >= 80_000 && code <= 80_014;
const CREDENTIALS = new Set([102, 190]);
const ACCESS = new Set([3, 10, 12, 294, 368, 803, 2500, 2635]);
/** Of code 100, "invalid parameter": the object does not exist or cannot be loaded for missing permissions. */
const NO_SUCH_OBJECT = 33;

function verdictOf(code: number, subcode: number, isTransient: boolean, message: string): Verdict {
  if (THROTTLED.has(code) || isOfUseCase(code)) return { type: 'throttled', message };
  if (CREDENTIALS.has(code)) return { type: 'credentials', message };
  const isPermission = code >= 200 && code <= 299;
  if (ACCESS.has(code) || isPermission || (code === 100 && subcode === NO_SUCH_OBJECT)) {
    return { type: 'access', message };
  }
  // 1 and 2 are failures of the service.
  if (isTransient || code === 1 || code === 2) return { type: 'lost', message };
  return { type: 'refused', reason: 'invalid_event', code: `${code}/${subcode || 0}`, message };
}

/** With the country and state 0, Meta finds out the region. */
const LIMITED_DATA_USE = {
  data_processing_options: ['LDU'],
  data_processing_options_country: 0,
  data_processing_options_state: 0,
};

function eventOf(event: OutgoingEvent) {
  const { email, address, userAgent, clickId, clickedAt, value, currency, wireId } = event;
  return {
    event_name: event.target,
    event_time: Math.floor(event.occurredAt / 1000),
    event_id: wireId,
    // A website's events must have a user agent.
    action_source: userAgent === null ? 'system_generated' : 'website',
    ...(event.url !== null && { event_source_url: withoutQuery(event.url) }),
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
