import { sha256 } from './hash.ts';
import { form } from './oauth.ts';
import type { EventFault, OutgoingEvent, Platform, Verdict } from './platform.ts';
import { jsonOf } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

export const linkedin = {
  name: 'LinkedIn',
  credentials: {
    accessToken: {
      label: 'Access token',
      description: 'A member token with the scope rw_conversions.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'AQX…',
    },
    clientId: {
      label: 'OAuth client ID',
      description: 'With a refresh token, the access token is renewed when it expires.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '\\S{1,200}',
      example: '86abc',
    },
    clientSecret: {
      label: 'OAuth client secret',
      description: 'Beside the client ID.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,500}',
      example: 'abc',
    },
    refreshToken: {
      label: 'OAuth refresh token',
      description: 'Returned along with the access token.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,2000}',
      example: 'AQX…',
    },
  },
  target: {
    label: 'Conversion rule ID',
    description:
      'Campaign Manager, Measurement, Conversion tracking: the number of a conversion whose source is the Conversions API.',
    pattern: '[0-9]{1,20}',
    example: '1234567',
  },
  clickIds: ['li_fat_id'],
  uses: { email: true, client: false },
  maxAgeDays: 90,
  adjustment: 'none',
  validation: 'local',
  needs: 'click id or email',
  needsCurrency: true,
  hosts: { api: 'https://api.linkedin.com', auth: 'https://www.linkedin.com' },
  version: API_VERSIONS.linkedin.version,
  batch: 5000,
  requestsPerMinute: 600,
  requestsPerDay: 300_000,
  // LinkedIn does not say for how long it recognizes an `eventId`; a day is on the safe side.
  dedupeHours: 24,
  oauth: {
    request({ credentials: { clientId, clientSecret, refreshToken }, hosts }) {
      if (!clientId || !clientSecret || !refreshToken) return undefined;
      return form(`${hosts.auth}/oauth/v2/accessToken`, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      });
    },
  },
  build(events, { credentials, hosts, version, accessToken }) {
    return {
      method: 'POST',
      url: `${hosts.api}/rest/conversionEvents`,
      headers: {
        authorization: `Bearer ${accessToken || credentials.accessToken}`,
        'content-type': 'application/json',
        'linkedin-version': version,
        'x-restli-protocol-version': '2.0.0',
        'x-restli-method': 'BATCH_CREATE',
      },
      body: JSON.stringify({ elements: events.map(eventOf) }),
    };
  },
  read(outcome, events): Verdict | undefined {
    const body = jsonOf(outcome);
    if (outcome.status === 422 || outcome.status === 400) {
      const faults = faultsOf(outcome.response ?? '', events.length);
      return faults.length > 0 ? { type: 'culprits', faults } : undefined;
    }
    if (!Array.isArray(body?.elements)) return undefined;
    // Each element has a status of its own.
    const faults = (body.elements as { status?: number; error?: unknown }[]).flatMap((element, index) =>
      Number(element?.status ?? 201) >= 400
        ? [
            {
              index,
              reason: 'invalid_event',
              message: JSON.stringify(element.error ?? element),
              code: String(element.status),
            },
          ]
        : [],
    );
    return { type: 'accepted', faults };
  },
  checkCredentials(credentials) {
    const names = ['clientId', 'clientSecret', 'refreshToken'];
    const missing = names.filter((name) => credentials[name] === undefined);
    if (missing.length === names.length) return [];
    return missing.map((name) => ({
      pointer: `/credentials/${name}`,
      code: 'required',
      detail: `\`/credentials/${name}\` is required to renew the access token.`,
    }));
  },
} satisfies Platform;

/** A refusal names the events at fault by their index, as in `/elements/12/user` or `elements[12]`. */
function faultsOf(response: string, count: number): EventFault[] {
  const indexes = new Set([...response.matchAll(/elements[/[\\]*(\d{1,4})\b/g)].map(([, index]) => Number(index)));
  return [...indexes]
    .filter((index) => index < count)
    .map((index) => ({ index, reason: 'invalid_event', message: response }));
}

function eventOf(event: OutgoingEvent) {
  const { email, clickId, value, currency } = event;
  return {
    conversion: `urn:lla:llaPartnerConversion:${event.target}`,
    conversionHappenedAt: event.occurredAt,
    ...(value !== null && { conversionValue: { currencyCode: currency, amount: value } }),
    user: {
      userIds: [
        ...(email === null ? [] : [{ idType: 'SHA256_EMAIL', idValue: sha256(email) }]),
        ...(clickId ? [{ idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: clickId.value }] : []),
      ],
    },
    eventId: event.wireId,
  };
}
