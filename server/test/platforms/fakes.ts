// biome-ignore-all lint/suspicious/noExplicitAny: requests are read as they come
/**
 * The platforms' rules, from their documentation: forms, authentication, limits, windows, what is recognized as a repetition,
 * and how refusals look.
 */
import { countOnce, type FakePlatform, type Reply, type Rules, SHA256, timeFault } from './fake.ts';

const FOREVER = Number.POSITIVE_INFINITY;

const ok = (body: unknown): Reply => ({ status: 200, body });
const isHash = (value: unknown) => typeof value === 'string' && SHA256.test(value);
const bearer = (token: string) => `Bearer ${token}`;

/** The accepted credentials of every platform. */
export const TOKEN = 'fake-access-token';

function oauth(call: { body: any }, platform: FakePlatform): Reply {
  const { grant_type, refresh_token, assertion } = call.body;
  const isKnown = (grant_type === 'refresh_token' && refresh_token === 'fake-refresh-token') || assertion !== undefined;
  if (platform.refusesCredentials || !isKnown) return { status: 400, body: { error: 'invalid_grant' } };
  return ok({ access_token: TOKEN, expires_in: 3599, token_type: 'Bearer' });
}

/** Google Data Manager API: validates at once, processes later, tells counts by reason. */
export function googleRules(): Rules {
  const requests = new Map<string, { failed: number; total: number; reason: string }>();
  const rpcError = (status: number, name: string, violations: object[] = []): Reply => ({
    status,
    body: { error: { code: status, status: name, message: name, details: [{ fieldViolations: violations }] } },
  });
  return {
    isDelivery: ({ path }) => path.endsWith('/events:ingest'),
    throttled: rpcError(429, 'RESOURCE_EXHAUSTED'),
    respond(call, platform, now) {
      if (call.path === '/token') return oauth(call, platform);
      if (call.headers.authorization !== bearer(TOKEN) || platform.refusesCredentials) {
        return rpcError(401, 'UNAUTHENTICATED');
      }
      if (call.path === '/v1/requestStatus:retrieve') {
        const request = requests.get(call.query.get('requestId') ?? '');
        if (!request) return rpcError(404, 'NOT_FOUND');
        const { failed, total, reason } = request;
        const requestStatus = failed === 0 ? 'SUCCESS' : failed === total ? 'FAILED' : 'PARTIAL_SUCCESS';
        const errorInfo = failed > 0 ? { errorInfo: { errorCounts: [{ recordCount: String(failed), reason }] } } : {};
        return ok({ requestStatusPerDestination: [{ requestStatus, ...errorInfo }] });
      }
      if (call.path !== '/v1/events:ingest') return rpcError(404, 'NOT_FOUND');
      const { destinations, events, encoding, validateOnly } = call.body;
      if (events.length > 2000) return rpcError(400, 'INVALID_ARGUMENT');
      const [{ operatingAccount, productDestinationId }] = destinations;
      if (operatingAccount.accountType !== 'GOOGLE_ADS' || !/^\d+$/.test(productDestinationId) || encoding !== 'HEX') {
        return rpcError(400, 'INVALID_ARGUMENT');
      }
      const violations = events.flatMap((event: any, index: number) => {
        const users = event.userData?.userIdentifiers ?? [];
        const { gclid, gbraid, wbraid } = event.adIdentifiers ?? {};
        const field = `events.events[${index}]`;
        if (!gclid && !gbraid && !wbraid && users.length === 0) return [{ field, reason: 'NO_IDENTIFIERS_PROVIDED' }];
        if (users.some((user: any) => !isHash(user.emailAddress))) return [{ field, reason: 'INVALID_SHA256_FORMAT' }];
        const fault = timeFault(Date.parse(event.eventTimestamp), now, 90);
        return fault ? [{ field: `${field}.event_timestamp`, description: fault, reason: 'EVENT_TIME_INVALID' }] : [];
      });
      if (violations.length > 0) return rpcError(400, 'INVALID_ARGUMENT', violations);
      const requestId = `request-${requests.size}`;
      if (validateOnly) return ok({ requestId });
      const bad = events.filter((event: any) => platform.bad.has(event.transactionId));
      for (const event of events) {
        if (bad.includes(event)) continue;
        const value = event.conversionValue ?? null;
        const currency = event.currency ?? null;
        countOnce(platform, { id: event.transactionId, target: productDestinationId, value, currency }, now, FOREVER);
        const known = platform.index.get(`${productDestinationId} ${event.transactionId}`);
        if (known) Object.assign(known, { value, currency });
      }
      const reason = 'PROCESSING_ERROR_REASON_INVALID_GCLID';
      requests.set(requestId, { failed: bad.length, total: events.length, reason });
      return ok({ requestId });
    },
  };
}

/** Meta: one bad event refuses the batch; an `event_id` is recognized for 48 hours. */
export const metaRules: Rules = {
  isDelivery: ({ path }) => path.endsWith('/events'),
  throttled: { status: 400, body: { error: { message: 'Request limit reached', code: 4, is_transient: true } } },
  respond(call, platform, now) {
    const error = (code: number, message: string) => ({ status: 400, body: { error: { message, code } } });
    const token = call.body.access_token ?? call.headers.authorization?.replace('Bearer ', '');
    if (token !== TOKEN || platform.refusesCredentials) return error(190, 'Error validating access token');
    if (!call.path.endsWith('/events')) return ok({ id: '1', name: 'Pixel' });
    const { data, test_event_code } = call.body;
    if (!Array.isArray(data) || data.length > 1000) return error(100, 'Too many events');
    for (const event of data) {
      const { em, fbc, client_user_agent } = event.user_data;
      if (!em && !fbc) return error(100, 'You need customer information');
      if (em?.some((value: unknown) => !isHash(value))) return error(100, 'em must be hashed');
      if (event.action_source === 'website' && !client_user_agent) return error(100, 'client_user_agent is required');
      if (event.custom_data.value !== undefined && !event.custom_data.currency)
        return error(100, 'currency is required');
      if (timeFault(event.event_time * 1000, now, 7) || platform.bad.has(event.event_id)) {
        return error(100, 'Invalid parameter');
      }
    }
    if (test_event_code === undefined) {
      for (const { event_id: id, event_name: target, custom_data } of data) {
        const { value = null, currency = null } = custom_data;
        countOnce(platform, { id, target, value, currency }, now, 48);
      }
    }
    return ok({ events_received: data.length, messages: [], fbtrace_id: 'A1' });
  },
};

/** Microsoft Advertising: errors by index; a conversion is its click id, goal and time, and so is an adjustment. */
export const microsoftRules: Rules = {
  isDelivery: ({ path }) => path.endsWith('/Apply'),
  respond(call, platform, now) {
    if (call.path === '/common/oauth2/v2.0/token') return oauth(call, platform);
    const { authorization, developertoken, customerid, customeraccountid } = call.headers;
    const isKnown = authorization === bearer(TOKEN) && developertoken && customerid && customeraccountid;
    if (!isKnown || platform.refusesCredentials) {
      return { status: 401, body: { Errors: [{ Code: 105, Message: 'Authentication failed' }] } };
    }
    const idOf = (item: any) => `${item.MicrosoftClickId} ${item.ConversionTime}`;
    const isTime = (text: unknown) => typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text);
    const { OfflineConversions, OfflineConversionAdjustments } = call.body;
    const items = OfflineConversions ?? OfflineConversionAdjustments;
    if (items.length > 1000) return { status: 400, body: { OperationErrors: [{ Code: 1, Message: 'Too many' }] } };
    const errors = items.flatMap((item: any, Index: number) => {
      const refuse = (Message: string) => [{ Index, ErrorCode: 'InvalidOfflineConversion', Message }];
      if (!item.MicrosoftClickId || !item.ConversionName) return refuse('The click id is missing');
      if (!isTime(item.ConversionTime)) return refuse('The time is invalid');
      if (timeFault(Date.parse(item.ConversionTime), now, 90)) return refuse('The conversion is too old');
      if (platform.bad.has(item.MicrosoftClickId)) return refuse('The click is unknown');
      const known = platform.index.get(`${item.ConversionName} ${idOf(item)}`);
      const { AdjustmentType: type } = item;
      if (type === undefined) {
        const { ConversionValue: value = null, ConversionCurrencyCode: currency = null } = item;
        countOnce(platform, { id: idOf(item), target: item.ConversionName, value, currency }, now, FOREVER);
        return [];
      }
      if (!known) return refuse('There is no such conversion');
      if (!isTime(item.AdjustmentTime) || item.AdjustmentTime <= item.ConversionTime) return refuse('AdjustmentTime');
      if (type === 'Retract') known.isRetracted = true;
      else if (type === 'Restate' && typeof item.AdjustmentValue === 'number') known.value = item.AdjustmentValue;
      else return refuse('AdjustmentType');
      return [];
    });
    return ok({ PartialErrors: errors });
  },
};

/** TikTok: the status of everything is in the body's `code`. */
export const tiktokRules: Rules = {
  isDelivery: () => true,
  throttled: ok({ code: 40_100, message: 'Too many requests' }),
  respond(call, platform, now) {
    if (call.headers['access-token'] !== TOKEN || platform.refusesCredentials) {
      return ok({ code: 40_105, message: 'Access token is incorrect or has been revoked' });
    }
    const { event_source, event_source_id, data, test_event_code } = call.body;
    if (
      call.path !== '/open_api/v1.3/event/track/' ||
      event_source !== 'web' ||
      !event_source_id ||
      data.length > 1000
    ) {
      return ok({ code: 40_002, message: 'Invalid parameter' });
    }
    for (const event of data) {
      const { ttclid, email } = event.user;
      const isIdentified = ttclid || isHash(email);
      if (!isIdentified || timeFault(event.event_time * 1000, now, 7) || platform.bad.has(event.event_id)) {
        return ok({ code: 40_002, message: 'Invalid event' });
      }
    }
    if (test_event_code === undefined) {
      for (const { event_id: id, event: target, properties } of data) {
        countOnce(
          platform,
          { id, target, value: properties.value ?? null, currency: properties.currency ?? null },
          now,
          48,
        );
      }
    }
    return ok({ code: 0, message: 'OK', request_id: '1', data: {} });
  },
};

/** LinkedIn: one bad event refuses the batch, and the refusal names its index. */
export const linkedinRules: Rules = {
  isDelivery: ({ path }) => path === '/rest/conversionEvents',
  respond(call, platform, now) {
    if (call.path === '/oauth/v2/accessToken') return oauth(call, platform);
    if (call.headers.authorization !== bearer(TOKEN) || platform.refusesCredentials) {
      return { status: 401, body: { status: 401, code: 'INVALID_ACCESS_TOKEN', message: 'Invalid access token' } };
    }
    const { 'linkedin-version': version = '', 'x-restli-method': method } = call.headers;
    const { elements } = call.body;
    if (!/^20\d{4}$/.test(String(version)) || method !== 'BATCH_CREATE' || elements.length > 5000) {
      return { status: 400, body: { message: 'Invalid request' } };
    }
    const faults = elements.flatMap((event: any, index: number) => {
      const isBad = platform.bad.has(event.eventId) || event.user.userIds.length === 0;
      const isValued = event.conversionValue === undefined || typeof event.conversionValue.amount === 'string';
      const fault = timeFault(event.conversionHappenedAt, now, 90);
      return isBad || fault || !isValued ? [`ERROR :: /elements/${index}/user :: invalid`] : [];
    });
    if (faults.length > 0) return { status: 422, body: { message: faults.join('\n'), status: 422 } };
    for (const { eventId: id, conversion: target, conversionValue } of elements) {
      const { amount, currencyCode: currency = null } = conversionValue ?? {};
      countOnce(platform, { id, target, value: amount === undefined ? null : Number(amount), currency }, now, 24 * 90);
    }
    return ok({ elements: elements.map(() => ({ status: 201 })) });
  },
};

/** Pinterest: a result for each event; 422 if some failed. */
export const pinterestRules: Rules = {
  isDelivery: () => true,
  throttled: { status: 429, body: { code: 8, message: 'This request exceeded a rate limit.' } },
  respond(call, platform, now) {
    if (call.headers.authorization !== bearer(TOKEN) || platform.refusesCredentials) {
      return { status: 401, body: { code: 2, message: 'Authentication failed.' } };
    }
    const { data } = call.body;
    if (!/^\/v5\/ad_accounts\/\d+\/events$/.test(call.path) || data.length < 1 || data.length > 1000) {
      return { status: 400, body: { code: 4196, message: 'The request was invalid.' } };
    }
    const events = data.map((event: any) => {
      const { em, client_ip_address, client_user_agent } = event.user_data;
      const isIdentified = em?.every(isHash) || (client_ip_address && client_user_agent);
      const isTyped =
        typeof event.event_time === 'number' && ['string', 'undefined'].includes(typeof event.custom_data.value);
      const isBad = platform.bad.has(event.event_id) || timeFault(event.event_time * 1000, now, 7);
      if (!isIdentified || !isTyped || isBad) return { status: 'failed', error_message: 'The event is invalid' };
      if (call.query.get('test') !== 'true') {
        const { value, currency = null } = event.custom_data;
        const amount = value === undefined ? null : Number(value);
        countOnce(platform, { id: event.event_id, target: event.event_name, value: amount, currency }, now, 24);
      }
      return { status: 'processed' };
    });
    const processed = events.filter(({ status }: any) => status === 'processed').length;
    const report = { events, num_events_received: data.length, num_events_processed: processed };
    if (processed === data.length) return ok(report);
    return { status: 422, body: { code: 1, message: 'Not all events were successfully processed.', details: report } };
  },
};

/** Snapchat: one bad event refuses the batch. */
export const snapchatRules: Rules = {
  isDelivery: () => true,
  respond(call, platform, now) {
    if (call.query.get('access_token') !== TOKEN || platform.refusesCredentials) {
      return { status: 401, body: { status: 'INVALID', reason: 'The access token is invalid' } };
    }
    const { data } = call.body;
    const isValidation = call.path.endsWith('/events/validate');
    if (!/^\/v3\/[\w-]+\/events(\/validate)?$/.test(call.path) || data.length > 2000) {
      return { status: 400, body: { status: 'INVALID', reason: 'Invalid request' } };
    }
    for (const event of data) {
      const { em, sc_click_id } = event.user_data;
      const isIdentified = sc_click_id || em?.every(isHash);
      const isBad = platform.bad.has(event.event_id) || timeFault(event.event_time * 1000, now, 37);
      if (!isIdentified || isBad) return { status: 400, body: { status: 'INVALID', reason: 'Invalid event' } };
    }
    if (!isValidation) {
      for (const { event_id: id, event_name: target, custom_data } of data) {
        const { value, currency = null } = custom_data;
        countOnce(platform, { id, target, value: value === undefined ? null : Number(value), currency }, now, 48);
      }
    }
    return ok({ status: 'VALID' });
  },
};

/** Reddit: one bad event refuses the batch. */
export const redditRules: Rules = {
  isDelivery: () => true,
  respond(call, platform, now) {
    if (call.headers.authorization !== bearer(TOKEN) || platform.refusesCredentials) {
      return { status: 401, body: { message: 'Unauthorized' } };
    }
    const { events, test_id } = call.body.data ?? {};
    if (!/^\/api\/v3\/pixels\/\w+\/conversion_events$/.test(call.path) || !events || events.length > 1000) {
      return { status: 400, body: { message: 'Invalid request' } };
    }
    for (const event of events) {
      const isIdentified = event.click_id || isHash(event.user.email);
      const isTyped = event.action_source === 'WEBSITE' && typeof event.type.tracking_type === 'string';
      const isBad = platform.bad.has(event.metadata.conversion_id) || timeFault(event.event_at, now, 7);
      if (!isIdentified || !isTyped || isBad) return { status: 400, body: { message: 'Invalid event' } };
    }
    if (test_id === undefined) {
      for (const { metadata, type } of events) {
        const target = type.custom_event_name ?? type.tracking_type;
        const { conversion_id: id, value = null, currency = null } = metadata;
        countOnce(platform, { id, target, value, currency }, now, 24);
      }
    }
    return ok({ data: { message: `Successfully processed ${events.length} conversion events.` } });
  },
};

/** X: up to 500 events, signed by OAuth 1.0a. */
export const xRules: Rules = {
  isDelivery: () => true,
  respond(call, platform, now) {
    const isSigned = /^OAuth .*oauth_signature="[^"]+"/.test(call.headers.authorization ?? '');
    if (!isSigned || platform.refusesCredentials) {
      return { status: 401, body: { errors: [{ code: 'UNAUTHORIZED_ACCESS', message: 'Unauthorized' }] } };
    }
    const { conversions } = call.body;
    const invalid = (message: string) => ({ status: 400, body: { errors: [{ code: 'INVALID_PARAMETER', message }] } });
    if (!/^\/12\/measurement\/conversions\/\w+$/.test(call.path) || conversions.length > 500) return invalid('Request');
    for (const event of conversions) {
      const isIdentified = event.identifiers.some((each: any) => each.twclid || isHash(each.hashed_email));
      const isBad = platform.bad.has(event.conversion_id) || timeFault(Date.parse(event.conversion_time), now, 90);
      if (!isIdentified || isBad || !/^tw-\w+-\w+$/.test(event.event_id)) return invalid('Event');
    }
    for (const { conversion_id: id, event_id: target, value, price_currency: currency = null } of conversions) {
      countOnce(platform, { id, target, value: value === undefined ? null : Number(value), currency }, now, 24 * 90);
    }
    return ok({ data: { conversions_processed: conversions.length } });
  },
};

/** Taboola: no authentication, and every action counts. */
export const taboolaRules: Rules = {
  isDelivery: () => true,
  respond(call, platform, now) {
    const { actions } = call.body;
    if (!/^\/\d+\/log\/3\/bulk-s2s-action$/.test(call.path) || actions.length > 1000) return { status: 400, body: {} };
    if (actions.some((action: any) => !action['click-id'] || !action.name)) return { status: 400, body: {} };
    for (const action of actions) {
      const value = action.revenue === undefined ? null : Number(action.revenue);
      const counted = { id: action.orderid, target: action.name, value, currency: action.currency ?? null };
      platform.ledger.push({ ...counted, receivedAt: now, isRetracted: false });
    }
    return ok({});
  },
};

/** Outbrain: one conversion in each URL, and every one counts. */
export const outbrainRules: Rules = {
  isDelivery: () => true,
  respond({ path, query }, platform, now) {
    if (path !== '/unifiedPixel' || !query.get('ob_click_id') || !query.get('name')) return { status: 400, body: {} };
    const value = query.get('orderValue');
    platform.ledger.push({
      id: query.get('orderId') ?? '',
      target: query.get('name') ?? '',
      value: value === null ? null : Number(value),
      currency: query.get('currency'),
      receivedAt: now,
      isRetracted: false,
    });
    return ok({});
  },
};

/** AppLovin: one bad event refuses the batch, and each has an IP address and a user agent. */
export const applovinRules: Rules = {
  isDelivery: () => true,
  respond(call, platform, now) {
    if (call.headers.authorization !== TOKEN || platform.refusesCredentials) return { status: 401, body: {} };
    const { events } = call.body;
    const invalid = { status: 400, body: { error: 'There is an error with your request.' } };
    if (call.path !== '/v1/event' || !call.query.get('pixel_id') || events.length > 100) return invalid;
    for (const { event_time, dedupe_id, user_data, data, name } of events) {
      const { aleid, alart, email, client_ip_address, client_user_agent, esi } = user_data;
      if (!client_ip_address || !client_user_agent || esi !== 'web' || !(aleid ?? alart ?? email)) return invalid;
      if (name !== 'generate_lead' || typeof data.value !== 'number' || !data.currency) return invalid;
      if (timeFault(event_time, now, 7) || platform.bad.has(dedupe_id)) return invalid;
    }
    for (const { dedupe_id: id, name: target, data } of events) {
      countOnce(platform, { id, target, value: data.value, currency: data.currency }, now, 24);
    }
    return ok({});
  },
};

/** OpenAI Ads: one bad event refuses the batch; amounts are in the lowest unit of the currency. */
export const openaiRules: Rules = {
  isDelivery: () => true,
  respond(call, platform, now) {
    if (call.headers.authorization !== bearer(TOKEN) || platform.refusesCredentials) {
      return { status: 401, body: { error: { message: 'Invalid API key' } } };
    }
    const { events, validate_only } = call.body;
    const invalid = (message: string) => ({ status: 400, body: { error: { message } } });
    if (call.path !== '/v1/events' || !call.query.get('pid') || events.length > 1000) return invalid('Invalid request');
    for (const { id, timestamp_ms, action_source, source_url, data, user } of events) {
      if (timeFault(timestamp_ms, now, 7) || platform.bad.has(id)) return invalid('Invalid event');
      if (action_source === 'web' && !/^https:\/\/[^?]+$/.test(source_url)) return invalid('source_url is required');
      if (user.email_sha256 !== undefined && !isHash(user.email_sha256)) return invalid('email_sha256 must be a hash');
      if (data.amount !== undefined && !(Number.isInteger(data.amount) && data.currency)) return invalid('amount');
      if (data.type !== 'contents') return invalid('data.type must be that of the event');
    }
    for (const { id, type: target, data } of validate_only ? [] : events) {
      const value = data.amount === undefined ? null : data.amount / 100;
      countOnce(platform, { id, target, value, currency: data.currency ?? null }, now, 48);
    }
    return ok({});
  },
};

const AMAZON_CURRENCIES = new Set('AED AUD BRL CAD CNY DKK EUR GBP INR JPY MXN NOK NZD SAR SEK SGD TRY USD'.split(' '));

/** Amazon Ads API: errors by index; of events with one id, the latest is kept. */
export const amazonRules: Rules = {
  isDelivery: ({ path }) => path.endsWith('/create/events'),
  respond(call, platform, now) {
    if (call.path === '/auth/o2/token') {
      const { client_id, client_secret } = call.body;
      return client_id && client_secret ? oauth(call, platform) : { status: 401, body: { error: 'invalid_client' } };
    }
    const { authorization } = call.headers;
    if (authorization !== bearer(TOKEN) || platform.refusesCredentials) {
      return { status: 401, body: { code: 'UNAUTHORIZED', message: 'Not authorized to access this resource' } };
    }
    if (call.path === '/v2/profiles') return ok([{ profileId: 1 }]);
    const { events } = call.body;
    const isKnown = call.headers['amazon-ads-clientid'] && call.headers['amazon-ads-accountid'];
    if (call.path !== '/adsApi/v1/create/events' || !isKnown || events.length < 1 || events.length > 500) {
      return { status: 400, body: { code: 'BAD_REQUEST', message: 'The request is invalid' } };
    }
    const error: object[] = [];
    const success: object[] = [];
    for (const [index, event] of events.entries()) {
      const fault = amazonFault(event, platform, now);
      if (fault !== undefined) {
        error.push({
          index,
          errors: [{ code: 'INVALID_ARGUMENT', message: fault, fieldLocation: `$.events[${index}]` }],
        });
        continue;
      }
      success.push({ index, event });
      const { eventId: id, value = null, currencyCode: currency = null, eventDescription } = event;
      const target = eventDescription.conversionType;
      countOnce(platform, { id, target, value, currency }, now, FOREVER);
      Object.assign(platform.index.get(`${target} ${id}`) ?? {}, { value, currency });
    }
    return { status: 207, body: { success, error } };
  },
};

function amazonFault(event: any, platform: FakePlatform, now: number): string | undefined {
  const { eventDescription, countryCode, matchKeys, consent, eventTime, value, currencyCode } = event;
  const { name, conversionType, eventSource, eventIngestionMethod } = eventDescription ?? {};
  if (!name || !conversionType || eventSource !== 'WEBSITE' || eventIngestionMethod !== 'SERVER_TO_SERVER') {
    return 'eventDescription is invalid';
  }
  if (!/^[A-Z]{2}$/.test(countryCode)) return 'countryCode is required';
  const isMatched = (key: any) => key.type === 'EMAIL' && key.values.length === 1 && isHash(key.values[0]);
  if (!(matchKeys?.length > 0) || !matchKeys.every(isMatched)) return 'matchKeys must have a hash';
  if (consent && Object.keys(consent).length !== 1) return 'one signal of consent';
  if (consent?.amazonConsent && !consent.amazonConsent.amznUserData) return 'amznUserData is required';
  if (value !== undefined && !(value >= 0 && Number(value.toFixed(2)) === value))
    return 'value has two decimals at most';
  if (currencyCode !== undefined && !AMAZON_CURRENCIES.has(currencyCode)) return 'currencyCode is unknown';
  if (platform.bad.has(event.eventId)) return 'eventId is invalid';
  return timeFault(Date.parse(eventTime), now, 7);
}

export const RULES = {
  google: googleRules,
  meta: () => metaRules,
  microsoft: () => microsoftRules,
  tiktok: () => tiktokRules,
  linkedin: () => linkedinRules,
  pinterest: () => pinterestRules,
  snapchat: () => snapchatRules,
  reddit: () => redditRules,
  x: () => xRules,
  taboola: () => taboolaRules,
  outbrain: () => outbrainRules,
  openai: () => openaiRules,
  applovin: () => applovinRules,
  amazon: () => amazonRules,
} satisfies Record<string, () => Rules>;

export type FakeName = keyof typeof RULES;
