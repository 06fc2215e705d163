import type { Fault } from '../../shared/errors.ts';
import { sha256, withoutGmailTags } from './hash.ts';
import { form, serviceAccountToken } from './oauth.ts';
import type { Credentials, EventFault, OutgoingEvent, Platform, RequestContext, Verdict } from './platform.ts';
import { arrayAt, jsonOf, objectAt } from './read-status.ts';
import { API_VERSIONS } from './versions.ts';

const OAUTH = ['clientId', 'clientSecret', 'refreshToken'] as const;
const SERVICE_ACCOUNT = ['serviceAccountEmail', 'privateKey'] as const;

const SCOPE = 'https://www.googleapis.com/auth/datamanager';

export const google = {
  name: 'Google Ads',
  credentials: {
    customerId: {
      label: 'Customer ID',
      description: 'The Google Ads account that owns the conversion actions, without hyphens.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[0-9]{10}',
      example: '1234567890',
    },
    loginCustomerId: {
      label: 'Manager customer ID',
      description: 'The manager account through which you have access, if you use one, without hyphens.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '[0-9]{10}',
      example: '9876543210',
    },
    clientId: {
      label: 'OAuth client ID',
      description: 'Google Cloud console, APIs & Services, Credentials.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '\\S{1,200}',
      example: '123-abc.apps.googleusercontent.com',
    },
    clientSecret: {
      label: 'OAuth client secret',
      description: 'Beside the client ID.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,200}',
      example: 'GOCSPX-abc',
    },
    refreshToken: {
      label: 'OAuth refresh token',
      description: 'For the scope https://www.googleapis.com/auth/datamanager.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,1000}',
      example: '1//0abc',
    },
    serviceAccountEmail: {
      label: 'Service account email',
      description:
        'Instead of an OAuth client: `client_email` of the key file. Give it access to the Google Ads account.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '[^\\s@]+@[^\\s@]+',
      example: 'conversions@project.iam.gserviceaccount.com',
    },
    privateKey: {
      label: 'Service account private key',
      description: '`private_key` of the key file, PEM.',
      isSecret: true,
      isRequired: false,
      pattern: '-----BEGIN PRIVATE KEY-----[\\s\\S]{1,6000}-----END PRIVATE KEY-----\\s*',
      example: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----',
    },
  },
  checkCredentials(credentials: Credentials): Fault[] {
    const missing = (names: readonly string[]) => names.filter((name) => credentials[name] === undefined);
    const usesServiceAccount = SERVICE_ACCOUNT.some((name) => credentials[name] !== undefined);
    return missing(usesServiceAccount ? SERVICE_ACCOUNT : OAUTH).map((name) => ({
      pointer: `/credentials/${name}`,
      code: 'required',
      detail: `\`/credentials/${name}\` is required. Send an OAuth client with a refresh token, or a service account.`,
    }));
  },
  target: {
    label: 'Conversion action ID',
    description: 'Goals, Conversions, Summary: open the action; its ID is `ctId` in the URL.',
    pattern: '[0-9]{1,20}',
    example: '123456789',
  },
  clickIds: ['gclid', 'gbraid', 'wbraid'],
  uses: { email: true, client: true },
  maxAgeDays: 90,
  agesFromClick: true,
  adjustment: 'overwrite',
  validation: 'platform',
  needs: 'click id or email',
  needsCurrency: false,
  hosts: { api: 'https://datamanager.googleapis.com', auth: 'https://oauth2.googleapis.com' },
  version: API_VERSIONS.google.version,
  batch: 2000,
  requestsPerMinute: 300,
  requestsPerDay: 100_000,
  // A repeated `transactionId` overwrites the conversion.
  dedupeHours: Number.POSITIVE_INFINITY,
  normalizeEmail: withoutGmailTags,
  oauth: {
    request({ credentials, hosts, now }) {
      const url = `${hosts.auth}/token`;
      const { clientId = '', clientSecret = '', refreshToken = '', serviceAccountEmail, privateKey = '' } = credentials;
      if (serviceAccountEmail !== undefined)
        return serviceAccountToken(url, serviceAccountEmail, privateKey, SCOPE, now);
      return form(url, {
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
      });
    },
  },
  groupBy: ({ target }) => target,
  build(events, context) {
    const { credentials, hosts, version, validates } = context;
    const { customerId, loginCustomerId } = credentials;
    const account = (accountId: string | undefined) => ({ accountType: 'GOOGLE_ADS', accountId });
    const body = {
      destinations: [
        {
          operatingAccount: account(customerId),
          ...(loginCustomerId !== undefined && { loginAccount: account(loginCustomerId) }),
          productDestinationId: events[0]?.target,
        },
      ],
      events: events.map(eventOf),
      encoding: 'HEX',
      ...(validates && { validateOnly: true }),
    };
    return {
      method: 'POST',
      url: `${hosts.api}/${version}/events:ingest`,
      headers: headersOf(context),
      body: JSON.stringify(body),
    };
  },
  read(outcome, events, { validates }) {
    const body = jsonOf(outcome);
    if (outcome.error === null) {
      if (validates) return { type: 'accepted' };
      return typeof body?.requestId === 'string' ? { type: 'pending', requestId: body.requestId } : undefined;
    }
    return readError(body, outcome.response ?? '', events.length);
  },
  poll: {
    request: (requestId, context) => ({
      method: 'GET',
      url: `${context.hosts.api}/${context.version}/requestStatus:retrieve?requestId=${encodeURIComponent(requestId)}`,
      headers: headersOf(context),
      body: '',
    }),
    read(outcome, count) {
      const [status] = arrayAt(jsonOf(outcome), 'requestStatusPerDestination') as Record<string, unknown>[];
      const message = outcome.response ?? '';
      const reasons = arrayAt(objectAt(status, 'errorInfo'), 'errorCounts').map((each) =>
        String((each as { reason?: string }).reason ?? ''),
      );
      const reason = reasonOf(reasons[0]);
      if (status?.requestStatus === 'SUCCESS') return { type: 'accepted' };
      if (status?.requestStatus === 'PROCESSING') return { type: 'pending', requestId: '' };
      if (status?.requestStatus === 'PARTIAL_SUCCESS') return { type: 'partial', reason, message };
      if (status?.requestStatus !== 'FAILED') return undefined;
      if (reasons.every((each) => ACCESS_REASON.test(each)) && reasons.length > 0) return { type: 'access', message };
      if (reasons.length > 1 && count > 1) return { type: 'partial', reason, message };
      const isTemporary = TEMPORARY.has(reason);
      if (reason === 'duplicate_transaction_id') return { type: 'accepted' };
      const faults = Array.from({ length: count }, (_, index) => ({ index, reason, message, isTemporary }));
      return { type: 'accepted', faults };
    },
  },
} satisfies Platform;

/** Reasons after which Google accepts the event later. */
const TEMPORARY = new Set(['too_recent_click', 'internal_error']);

/** `PROCESSING_ERROR_REASON_INVALID_GCLID` as `invalid_gclid`. */
function reasonOf(reason = ''): string {
  return reason.replace(/^PROCESSING_ERROR_(REASON_)?/, '').toLowerCase() || 'refused';
}

/**
 * Status codes, and reasons of a request or of its processing (`ErrorReason` and `ProcessingErrorReason` of the Data Manager
 * API), that are about the account, the conversion action or an API that is not enabled.
 */
const ACCESS = new Set(['PERMISSION_DENIED', 'NOT_FOUND', 'UNIMPLEMENTED', 'FAILED_PRECONDITION']);
const ACCESS_REASON =
  /DESTINATION|TERMS_NOT_SIGNED|NOT_ENABLED|NOT_ALLOWLISTED|LINKED_ACCOUNT|LOGIN_ACCOUNT|PRODUCT_ACCOUNT|CONVERSION_ACTION(?!_NOT_PERMITTED)|DATA_PARTNER/i;

/** Reads `google.rpc.Status`, whose details name the fields at fault. */
function readError(body: unknown, message: string, count: number): Verdict | undefined {
  const error = objectAt(body, 'error');
  const status = error?.status;
  if (status === 'RESOURCE_EXHAUSTED') return { type: 'throttled', message };
  if (status === 'UNAUTHENTICATED') return { type: 'credentials', message };
  if (typeof status === 'string' && ACCESS.has(status)) return { type: 'access', message };
  if (status !== 'INVALID_ARGUMENT') return undefined;
  let isOfDestination = false;
  const faults = new Map<number, EventFault>();
  for (const detail of arrayAt(error, 'details')) {
    for (const violation of arrayAt(detail, 'fieldViolations')) {
      const { field = '', description = '', reason } = violation as Record<string, string | undefined>;
      if (field.startsWith('destinations') || ACCESS_REASON.test(reason ?? '')) isOfDestination = true;
      const index = Number(/^events(?:\.events)?\[(\d{1,4})\]/.exec(field)?.[1] ?? Number.NaN);
      if (!(index < count) || faults.has(index)) continue;
      faults.set(index, {
        index,
        reason: reason?.toLowerCase() ?? 'invalid_event',
        message: `${field}: ${description}`,
      });
    }
  }
  if (isOfDestination) return { type: 'access', message };
  if (faults.size > 0) return { type: 'culprits', faults: [...faults.values()] };
  return { type: 'refused', reason: 'invalid_event', message };
}

function headersOf({ accessToken }: RequestContext): Record<string, string> {
  return { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
}

const CHOICES = { granted: 'CONSENT_GRANTED', denied: 'CONSENT_DENIED' } as const;

function eventOf(event: OutgoingEvent) {
  const { value, currency, clickId, email, userAgent } = event;
  const { adUserData, adPersonalization } = event.consent;
  // Google does not take the IP addresses of Europeans, so none is sent.
  return {
    transactionId: event.wireId,
    eventTimestamp: new Date(event.occurredAt).toISOString(),
    ...(event.action !== 'send' && { lastUpdatedTimestamp: new Date(event.adjustedAt).toISOString() }),
    eventSource: 'WEB',
    ...(value !== null && { conversionValue: Number(value) }),
    ...(value !== null && currency !== null && { currency }),
    ...((clickId || userAgent !== null) && {
      adIdentifiers: {
        ...(clickId && { [clickId.name]: clickId.value }),
        ...(userAgent !== null && { landingPageDeviceInfo: { userAgent } }),
      },
    }),
    ...(email !== null && { userData: { userIdentifiers: [{ emailAddress: sha256(email) }] } }),
    ...((adUserData || adPersonalization) && {
      consent: {
        ...(adUserData && { adUserData: CHOICES[adUserData] }),
        ...(adPersonalization && { adPersonalization: CHOICES[adPersonalization] }),
      },
    }),
  };
}
