import { sha256, withoutDotsAndTags } from './hash.ts';
import { form } from './oauth.ts';
import type { OutgoingEvent, Platform, RequestContext } from './platform.ts';
import { arrayAt, jsonOf } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

export const microsoft = {
  name: 'Microsoft Advertising',
  credentials: {
    clientId: {
      label: 'OAuth client ID',
      description: 'Azure portal, App registrations.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: '00000000-0000-0000-0000-000000000000',
    },
    clientSecret: {
      label: 'OAuth client secret',
      description: 'Only for a web application: Certificates & secrets.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,500}',
      example: 'abc',
    },
    refreshToken: {
      label: 'OAuth refresh token',
      description: 'For the scope https://ads.microsoft.com/msads.manage offline_access.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,5000}',
      example: '0.AbC…',
    },
    developerToken: {
      label: 'Developer token',
      description: 'Microsoft Advertising Developer Portal.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'ABC123',
    },
    customerId: {
      label: 'Customer ID',
      description: '`cid` in the URL of Microsoft Advertising.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '12345678',
    },
    accountId: {
      label: 'Account ID',
      description: '`aid` in the URL of Microsoft Advertising.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '87654321',
    },
  },
  target: {
    label: 'Goal name',
    description: 'Conversions, Conversion goals: the exact name of an offline conversion goal. It must be 2 hours old.',
    pattern: '\\S(.{0,98}\\S)?',
    example: 'Purchase',
  },
  clickIds: ['msclkid'],
  uses: { email: true, client: false },
  maxAgeDays: 90,
  adjustment: 'restate',
  validation: 'local',
  needs: 'click id',
  needsCurrency: false,
  hosts: { api: 'https://campaign.api.bingads.microsoft.com', auth: 'https://login.microsoftonline.com' },
  version: API_VERSIONS.microsoft.version,
  batch: 1000,
  requestsPerMinute: 300,
  // A repeated conversion is ignored, and a repeated adjustment changes nothing.
  dedupeHours: Number.POSITIVE_INFINITY,
  isKeyedByTime: true,
  normalizeEmail: withoutDotsAndTags,
  oauth: {
    request({ credentials: { clientId = '', clientSecret, refreshToken = '' }, hosts }) {
      return form(`${hosts.auth}/common/oauth2/v2.0/token`, {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        scope: 'https://ads.microsoft.com/msads.manage offline_access',
      });
    },
  },
  groupBy: ({ action }) => (action === 'send' ? 'send' : 'adjust'),
  build(events, context) {
    const isNew = events[0]?.action === 'send';
    const operation = isNew ? 'OfflineConversions' : 'OfflineConversionAdjustments';
    const items = events.map((event) => (isNew ? conversionOf(event) : adjustmentOf(event)));
    return {
      method: 'POST',
      url: `${context.hosts.api}/CampaignManagement/${context.version}/${operation}/Apply`,
      headers: headersOf(context),
      body: JSON.stringify({ [operation]: items }),
    };
  },
  read(outcome, events) {
    const body = jsonOf(outcome);
    if (outcome.error === null) {
      const faults = arrayAt(body, 'PartialErrors').flatMap((each) => {
        const { Index: index, ErrorCode: code, Message: message } = (each ?? {}) as Record<string, unknown>;
        if (typeof index !== 'number' || index < 0 || index >= events.length) return [];
        const text = `${code ?? ''} ${message ?? ''}`.trim();
        return [{ index, reason: 'refused', message: text, ...(code !== undefined && { code: String(code) }) }];
      });
      return { type: 'accepted', faults };
    }
    // A fault of the whole request: codes 105 and 109 are about the token, others up to 120 about permissions, the account and
    // the ids in the headers, 117 about the limit.
    const [first] = [...arrayAt(body, 'OperationErrors'), ...arrayAt(body, 'Errors')] as { Code?: number }[];
    const message = outcome.response ?? '';
    if (first?.Code === 117 || first?.Code === 207) return { type: 'throttled', message };
    if (first?.Code === 105 || first?.Code === 109) return { type: 'credentials', message };
    // 303: the version is no longer supported.
    if (first?.Code === 303) return { type: 'access', message };
    if (first?.Code !== undefined && first.Code >= 100 && first.Code <= 120) return { type: 'access', message };
    return undefined;
  },
} satisfies Platform;

function headersOf({ credentials, accessToken }: RequestContext): Record<string, string> {
  const { developerToken = '', customerId = '', accountId = '' } = credentials;
  return {
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    developertoken: developerToken,
    customerid: customerId,
    customeraccountid: accountId,
  };
}

/** UTC in whole seconds, which an adjustment repeats exactly. */
const timeOf = (ms: number) => `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;

const keyOf = ({ clickId, target, occurredAt }: OutgoingEvent) => ({
  ConversionName: target,
  ConversionTime: timeOf(occurredAt),
  MicrosoftClickId: clickId?.value,
});

function conversionOf(event: OutgoingEvent) {
  const { value, currency, email } = event;
  return {
    ...keyOf(event),
    ...(value !== null && { ConversionValue: Number(value) }),
    ...(value !== null && currency !== null && { ConversionCurrencyCode: currency }),
    ...(email !== null && { HashedEmailAddress: sha256(email) }),
  };
}

function adjustmentOf(event: OutgoingEvent) {
  const { action, value, currency } = event;
  return {
    ...keyOf(event),
    AdjustmentType: action === 'retract' ? 'Retract' : 'Restate',
    // Not before the conversion.
    AdjustmentTime: timeOf(Math.max(event.adjustedAt, event.occurredAt + 1000)),
    ...(action === 'adjust' && value !== null && { AdjustmentValue: Number(value) }),
    ...(action === 'adjust' && currency !== null && { AdjustmentCurrencyCode: currency }),
  };
}
