import { sha256 } from './hash.ts';
import { form } from './oauth.ts';
import type { OutgoingEvent, Platform, RequestContext } from './platform.ts';
import { arrayAt, jsonOf } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

const MAX_AGE_DAYS = 7;
const PURCHASE = 'OFF_AMAZON_PURCHASES';
const MAX_USER_AGENT = 512;

export const amazon = {
  name: 'Amazon Ads',
  credentials: {
    clientId: {
      label: 'Client ID',
      description: 'developer.amazon.com, Login with Amazon: the security profile with access to the Amazon Ads API.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9._-]{1,200}',
      example: 'amzn1.application-oa2-client.abc123',
    },
    clientSecret: {
      label: 'Client secret',
      description: 'Of the same security profile.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,500}',
      example: 'amzn1.oa2-cs.v1.abc123',
    },
    refreshToken: {
      label: 'Refresh token',
      description: 'Of a user who may edit the advertiser in Events Manager.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,5000}',
      example: 'Atzr|abc123',
    },
    region: {
      label: 'Region',
      description: 'Of the advertiser: `NA`, `EU` or `FE`.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: 'NA|EU|FE',
      example: 'NA',
    },
    advertiserId: {
      label: 'Advertiser ID',
      description: 'Amazon Ads, Account access and settings: the ID of the advertiser, not that of the entity.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Za-z0-9._-]{1,100}',
      example: '577230000000000000',
    },
    countryCode: {
      label: 'Country',
      description: 'Where visitors are whose country is not known, as two letters. Amazon takes no event without one.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[A-Z]{2}',
      example: 'US',
    },
    dataSetName: {
      label: 'Dataset',
      description: 'The dataset of Events Manager that events are added to; by default `Default_Events`.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '[A-Za-z][A-Za-z0-9_-]{4,99}',
      example: 'shop_sales',
    },
  },
  target: {
    label: 'Conversion type',
    description:
      '`OFF_AMAZON_PURCHASES`, `LEAD`, `SIGN_UP`, `SUBSCRIBE`, `ADD_TO_SHOPPING_CART`, `APPLICATION`, `CHECKOUT`, `CONTACT`, `PAGE_VIEW`, `SEARCH` or `OTHER`.',
    pattern:
      'OFF_AMAZON_PURCHASES|LEAD|SIGN_UP|SUBSCRIBE|ADD_TO_SHOPPING_CART|APPLICATION|CHECKOUT|CONTACT|PAGE_VIEW|SEARCH|OTHER',
    example: PURCHASE,
  },
  // It finds the ad by the person.
  clickIds: [],
  uses: { email: true, client: true },
  maxAgeDays: MAX_AGE_DAYS,
  adjustment: 'overwrite',
  validation: 'local',
  needs: 'email',
  needsCurrency: false,
  hosts: {
    NA: 'https://advertising-api.amazon.com',
    EU: 'https://advertising-api-eu.amazon.com',
    FE: 'https://advertising-api-fe.amazon.com',
    tokenNA: 'https://api.amazon.com',
    tokenEU: 'https://api.amazon.co.uk',
    tokenFE: 'https://api.amazon.co.jp',
  },
  version: API_VERSIONS.amazon.version,
  batch: 500,
  requestsPerMinute: 300,
  // Of events with one ID, it keeps the latest.
  dedupeHours: MAX_AGE_DAYS * 24,
  normalizeEmail: (email) => email.replace(/[^a-z0-9.@+-]/g, ''),
  oauth: {
    request({ credentials, hosts }) {
      const { region, clientId = '', clientSecret = '', refreshToken = '' } = credentials;
      return form(`${hosts[`token${region}`] ?? hosts.tokenNA}/auth/o2/token`, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      });
    },
  },
  build(events, context) {
    const { credentials, version } = context;
    const { clientId = '', advertiserId = '' } = credentials;
    return {
      method: 'POST',
      url: `${hostOf(context)}/adsApi/${version}/create/events`,
      headers: {
        authorization: `Bearer ${context.accessToken}`,
        'amazon-ads-clientid': clientId,
        'amazon-ads-accountid': advertiserId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ events: events.map((event) => eventOf(event, credentials)) }),
    };
  },
  read(outcome, events) {
    const body = jsonOf(outcome);
    if (outcome.status !== 207 || body === undefined) return undefined;
    const faults = arrayAt(body, 'error').flatMap((each) => {
      const { index } = (each ?? {}) as { index?: unknown };
      if (typeof index !== 'number' || index < 0 || index >= events.length) return [];
      const [first] = arrayAt(each, 'errors') as { code?: string; message?: string; fieldLocation?: string }[];
      const message = [first?.message ?? 'refused', first?.fieldLocation].filter(Boolean).join(' ');
      return [{ index, reason: 'refused', message, ...(first?.code !== undefined && { code: first.code }) }];
    });
    return { type: 'accepted', faults };
  },
  probe(context) {
    const { clientId = '' } = context.credentials;
    const headers = { authorization: `Bearer ${context.accessToken}`, 'amazon-advertising-api-clientid': clientId };
    return { method: 'GET', url: `${hostOf(context)}/v2/profiles`, headers, body: '' };
  },
} satisfies Platform;

const hostOf = ({ credentials, hosts }: RequestContext) => hosts[credentials.region ?? ''] ?? hosts.NA;

function eventOf(event: OutgoingEvent, { countryCode, dataSetName }: RequestContext['credentials']) {
  const { email, userAgent, value, currency, target } = event;
  const consent = consentOf(event);
  return {
    eventDescription: {
      name: event.event,
      conversionType: target,
      eventSource: 'WEBSITE',
      eventIngestionMethod: 'SERVER_TO_SERVER',
      ...(dataSetName !== undefined && { dataSetName }),
    },
    eventId: event.wireId,
    eventTime: new Date(event.occurredAt).toISOString(),
    countryCode: event.country ?? countryCode,
    matchKeys: email === null ? [] : [{ type: 'EMAIL', values: [sha256(email)] }],
    ...(userAgent !== null && { deviceInfo: { userAgent: userAgent.slice(0, MAX_USER_AGENT) } }),
    ...(consent !== undefined && { consent }),
    ...(event.consent.adPersonalization === 'denied' && { dataProcessingOptions: { options: 'LIMITED_DATA_USE' } }),
    // Two decimals at most.
    ...(value !== null && { value: Number(Number(value).toFixed(2)) }),
    ...(value !== null && currency !== null && target === PURCHASE && { currencyCode: currency }),
  };
}

const CHOICES = { granted: 'GRANTED', denied: 'DENIED' } as const;

/** One signal: what the visitor chose, or else the address, by which Amazon finds out whether a choice is needed. */
function consentOf({ address, consent: { adStorage, adUserData } }: OutgoingEvent) {
  if (adUserData !== null) {
    const storage = adStorage === null ? {} : { amznAdStorage: CHOICES[adStorage] };
    return { amazonConsent: { amznUserData: CHOICES[adUserData], ...storage } };
  }
  return address === null ? undefined : { geo: { ipAddress: address } };
}
