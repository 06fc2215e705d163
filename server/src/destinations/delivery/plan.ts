import type { ValueFactor } from '../../analytics/index.ts';
import { publicId } from '../../shared/ids.ts';
import { DAY, HOUR, MINUTE } from '../../shared/units.ts';
import type { DeliveryStatus } from '../contract.ts';
import type { Sent } from '../history/queries.ts';
import type { DestinationRow } from '../manage/queries.ts';
import type { Action, OutgoingEvent, Platform } from '../platforms/platform.ts';
import type { Intent } from './intent.ts';
import type { QueuedRow } from './queries.ts';

/** What is sent takes some time to arrive: a platform's limit of age or repetition counts a little earlier. */
const MARGIN_MS = 10 * MINUTE;

/** What the visitor's browser sent along, decrypted. */
export interface Client {
  address: string;
  userAgent: string;
}

/** What is to be done with a queued conversion. */
export type Decision =
  /** Send the event. */
  | { type: 'send'; event: OutgoingEvent; intent: Intent }
  /** Ask the platform what became of a request. */
  | { type: 'poll'; requestId: string; intent: Intent }
  /** Nothing can be sent; null: nothing changed for the platform. */
  | { type: 'decided'; status: DeliveryStatus | null; reason: string | null; action: Action | 'none' }
  | { type: 'wait'; until: number };

const decided = (status: DeliveryStatus | null, reason: string | null, action: Action | 'none' = 'none'): Decision => ({
  type: 'decided',
  status,
  reason,
  action,
});

/** Decides what to do with a conversion, from its latest state and what the platform has of it. */
export function plan(
  row: QueuedRow,
  destination: DestinationRow,
  platform: Platform,
  client: Client | null,
  now: number,
  factorOf?: ValueFactor,
): Decision {
  const { intent, sent, version } = row;
  const isGone = version === null || row.is_erased === true;
  if (intent !== null) return repeat(row, intent, destination, platform, client, isGone, now);
  if (version === null) return decided(sent === null ? 'skipped' : null, 'erased');
  if (!row.is_replay && row.decided_version !== null && row.decided_version >= row.queued_version) {
    return decided(null, null);
  }
  if (row.status === 'uncertain' && !row.is_replay) return decided('uncertain', 'answer_lost');
  return sent === null
    ? planFirst(row, destination, platform, client, isGone, now, factorOf)
    : planChange(row, destination, platform, client, isGone, now);
}

/** Repeats what may have been sent, as long as the platform recognizes a repetition. */
function repeat(
  row: QueuedRow,
  intent: Intent,
  destination: DestinationRow,
  platform: Platform,
  client: Client | null,
  isGone: boolean,
  now: number,
): Decision {
  if (intent.requestId !== undefined) return { type: 'poll', requestId: intent.requestId, intent };
  if (isGone) return decided('uncertain', 'erased', intent.action);
  if (consentFault(row, destination) !== null) return decided('uncertain', 'consent_denied', intent.action);
  const isRecognized = now - intent.firstAt < platform.dedupeHours * HOUR - (platform.dedupeHours > 1 ? MARGIN_MS : 0);
  if (!isRecognized) return decided('uncertain', 'answer_lost', intent.action);
  return { type: 'send', intent, event: eventOf(row, intent, platform, client) };
}

function planFirst(
  row: QueuedRow,
  destination: DestinationRow,
  platform: Platform,
  client: Client | null,
  isErased: boolean,
  now: number,
  factorOf: ValueFactor | undefined,
): Decision {
  const occurredAt = row.created_on.getTime();
  const dueAt = Math.max(occurredAt, row.received_at.getTime() + delayOf(row, destination, platform));
  const rule = ruleOf(destination, row.event);
  const reason = reasonToSkip(row, destination, platform, rule, client, isErased, now);
  if (reason !== null) return decided('skipped', reason);
  if (rule === undefined) return decided('skipped', 'event_not_mapped');
  if (dueAt > now) return { type: 'wait', until: dueAt };
  const { value, currency, factor } = expectedAmount(amountOf(row, rule), row, rule, factorOf, now);
  // It was taken back before the platform had it.
  if (isZero(row.value) && (row.version ?? 1) > 1) return decided('skipped', 'value_zero');
  if (value !== null && Number(value) < 0) return decided('skipped', 'value_negative');
  if (value !== null && !mayUseValue(row, destination, rule)) return decided('skipped', 'value_untrusted');
  if (value !== null && currency === null && platform.needsCurrency) return decided('skipped', 'currency_missing');
  if (value === null && platform.needsValue?.(rule)) return decided('skipped', 'value_missing');
  const intent: Intent = {
    action: 'send',
    version: row.version ?? 1,
    wireId: row.event_id ?? publicId('cnv', row.conversion_id),
    target: rule.target,
    value,
    currency: value === null ? null : currency,
    ...(factor !== undefined && { factor }),
    occurredAt,
    adjustedAt: now,
    firstAt: now,
  };
  return { type: 'send', intent, event: eventOf(row, intent, platform, client) };
}

/** Once a value has settled by default; platforms that accept conversions for a shorter time get it a day before they stop. */
const SETTLED_MS = 30 * DAY;

/** How long a conversion waits after its report, in milliseconds. */
function delayOf(row: QueuedRow, { send_after, value_sent }: DestinationRow, platform: Platform): number {
  if (value_sent !== 'settled' || send_after > 0) return send_after * 1000;
  const occurredAt = row.created_on.getTime();
  const countsFrom = platform.agesFromClick ? (row.started_at?.getTime() ?? occurredAt) : occurredAt;
  const latest = Math.min(countsFrom, occurredAt) + (platform.maxAgeDays - 1) * DAY;
  return Math.max(0, Math.min(SETTLED_MS, latest - row.received_at.getTime()));
}

/** A value, scaled to what sales of its source and age are worth in the end, on average. */
function expectedAmount(
  amount: Amount,
  row: QueuedRow,
  rule: Rule,
  factorOf: ValueFactor | undefined,
  now: number,
): Amount & { factor?: number } {
  if (!factorOf || amount.value === null || rule.value !== 'send') return amount;
  const factor = factorOf(row.source, (now - row.created_on.getTime()) / DAY);
  if (factor === undefined || factor === 1) return amount;
  const rounded = Math.round(factor * 1e6) / 1e6;
  return { ...amount, value: (Number(amount.value) * rounded).toFixed(2), factor: rounded };
}

/** What a changed value means for a platform that has the conversion. */
function planChange(
  row: QueuedRow,
  destination: DestinationRow,
  platform: Platform,
  client: Client | null,
  isErased: boolean,
  now: number,
): Decision {
  const { sent } = row;
  if (sent === null) throw new Error('a change follows what was sent');
  const rule = ruleOf(destination, row.event);
  const isTakenBack = (isZero(row.value) || row.is_withdrawn) && platform.adjustment === 'restate';
  const amount = changedAmount(row, sent, rule);
  const value = isTakenBack ? null : amount.value;
  const currency = value === null ? null : (amount.currency ?? sent.currency);
  const wasTakenBack = row.status === 'retracted';
  if (wasTakenBack && isTakenBack) return decided(null, null);
  const isSame =
    value !== null && sent.value !== null && Number(value) === Number(sent.value) && currency === sent.currency;
  if (!isTakenBack && !wasTakenBack && (isSame || value === null)) return decided(null, null);
  const refuse = (reason: string) => decided('not_adjustable', reason, isTakenBack ? 'retract' : 'adjust');
  if (platform.adjustment === 'none') return refuse('platform_cannot_adjust');
  if (wasTakenBack) return refuse('already_retracted');
  if (isErased) return refuse('erased');
  if (value !== null && !mayUseValue(row, destination, rule)) return refuse('value_untrusted');
  if (consentFault(row, destination) !== null) return refuse('consent_denied');
  const occurredAt = Date.parse(sent.occurredAt);
  if (isTooOld(row, occurredAt, platform, now)) return refuse('too_old');
  if (value !== null && Number(value) < 0) return refuse('value_negative');
  const intent: Intent = {
    action: isTakenBack ? 'retract' : 'adjust',
    version: row.version ?? 1,
    wireId: sent.wireId,
    target: sent.target,
    value,
    currency,
    occurredAt,
    adjustedAt: now,
    firstAt: now,
  };
  const event = eventOf(row, intent, platform, client);
  return hasIdentifier(event, platform) ? { type: 'send', intent, event } : refuse('no_identifier');
}

function changedAmount(row: QueuedRow, sent: Sent, rule: Rule | undefined): Amount {
  // The nearest to a retraction where a platform only overwrites values.
  if (row.is_withdrawn) return { value: '0', currency: sent.currency ?? row.currency ?? rule?.currency ?? null };
  return rule ? amountOf(row, rule) : { value: sent.value, currency: sent.currency };
}

type Rule = DestinationRow['mapping'][number];

function ruleOf({ mapping }: DestinationRow, event: string): Rule | undefined {
  return mapping.find((rule) => rule.event === event) ?? mapping.find((rule) => rule.event === '*');
}

type Amount = Pick<Intent, 'value' | 'currency'>;

function amountOf(row: QueuedRow, rule: Rule): Amount {
  if (rule.value === 'omit') return { value: null, currency: null };
  if (rule.value === 'fixed') return { value: rule.amount, currency: rule.currency ?? row.currency };
  return { value: row.value, currency: row.currency ?? rule.currency };
}

/** Whether a value may be sent: anyone can record events with the publishable key. */
const mayUseValue = (row: QueuedRow, destination: DestinationRow, rule: Rule | undefined) =>
  row.is_trusted !== false || row.is_withdrawn || destination.trusts_public_values || rule?.value === 'fixed';

const isZero = (value: string | null) => value !== null && Number(value) === 0;

/** Why a conversion is not sent at all; null if it is. */
function reasonToSkip(
  row: QueuedRow,
  destination: DestinationRow,
  platform: Platform,
  rule: Rule | undefined,
  client: Client | null,
  isErased: boolean,
  now: number,
): string | null {
  const { events, sources, minimumValue } = destination.filter;
  const occurredAt = row.created_on.getTime();
  if (isErased) return 'erased';
  if (row.is_withdrawn) return 'withdrawn';
  if (occurredAt < destination.start_at.getTime()) return 'before_start';
  if (rule === undefined) return 'event_not_mapped';
  if (events !== null && !events.includes(row.event)) return 'event_filtered';
  if (sources !== null && !sources.includes(row.source ?? '')) return 'source_filtered';
  if (minimumValue !== null && !(Number(row.value ?? Number.NaN) >= Number(minimumValue))) return 'value_below_minimum';
  const consent = consentFault(row, destination);
  if (consent !== null) return consent;
  if (isTooOld(row, occurredAt, platform, now)) return 'too_old';
  const identified = { clickId: clickIdOf(row, platform), email: row.email, userAgent: client?.userAgent ?? null };
  return hasIdentifier(identified, platform) ? null : 'no_identifier';
}

function isTooOld(row: QueuedRow, occurredAt: number, platform: Platform, now: number): boolean {
  const clickedAt = platform.agesFromClick ? row.started_at?.getTime() : undefined;
  return now - Math.min(occurredAt, clickedAt ?? occurredAt) > platform.maxAgeDays * DAY - MARGIN_MS;
}

function consentFault(row: QueuedRow, { consent }: DestinationRow): string | null {
  if (consent === 'ignore') return null;
  if (row.ad_user_data === 'denied' || row.ad_storage === 'denied') return 'consent_denied';
  return consent === 'required' && row.ad_user_data !== 'granted' ? 'consent_missing' : null;
}

function hasIdentifier(
  { clickId, email, userAgent }: Pick<OutgoingEvent, 'clickId' | 'email' | 'userAgent'>,
  { needs, uses }: Platform,
): boolean {
  const hasEmail = email !== null && uses.email;
  if (needs === 'click id') return clickId !== null;
  if (needs === 'email') return hasEmail;
  if (needs === 'click id or email') return clickId !== null || hasEmail;
  if (needs === 'client with click id or email') return userAgent !== null && (clickId !== null || hasEmail);
  if (needs === 'email or client') return hasEmail || userAgent !== null;
  return true;
}

function clickIdOf({ click_ids: clickIds }: QueuedRow, platform: Platform): OutgoingEvent['clickId'] {
  // A platform without click ids of its own gets the visitor's first one.
  const names =
    platform.clickIds.length > 0 ? platform.clickIds : (Object.keys(clickIds ?? {}) as (keyof typeof clickIds)[]);
  for (const name of names) {
    const value = clickIds?.[name];
    if (value !== undefined) return { name, value };
  }
  return null;
}

function eventOf(row: QueuedRow, intent: Intent, platform: Platform, client: Client | null): OutgoingEvent {
  const { action, version, wireId, target, value, currency, occurredAt, adjustedAt } = intent;
  const email = row.email !== null && platform.uses.email ? row.email : null;
  return {
    conversionId: row.conversion_id,
    ...{ action, version, wireId, target, value, currency, occurredAt, adjustedAt },
    event: row.event,
    clickId: clickIdOf(row, platform),
    clickedAt: row.started_at?.getTime() ?? null,
    email: email === null ? null : (platform.normalizeEmail?.(email) ?? email),
    address: client && platform.uses.client ? client.address : null,
    userAgent: client && platform.uses.client ? client.userAgent : null,
    url: row.landing_url,
    country: row.country,
    consent: { adStorage: row.ad_storage, adUserData: row.ad_user_data, adPersonalization: row.ad_personalization },
  };
}
