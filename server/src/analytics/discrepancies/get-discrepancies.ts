import { readCurrency } from '../../shared/currency.ts';
import type { Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import { AdNames } from '../ad-costs/ad-names.ts';
import { type DatedRates, readDatedRates } from '../exchange-rates/dated-rates.ts';
import type { ReportContext } from '../reports/context.ts';
import { parseKnownOn } from '../reports/parse-query.ts';
import { parsePeriod, serializePeriod } from '../reports/periods.ts';
import type { ValueFactor } from '../return-on-ad-spend/value-factors.ts';
import type { Discrepancies, DiscrepanciesQuery } from './contract.ts';
import { type DiscrepancyRow, findDiscrepancies } from './source-queries.ts';

const UNITS = 10_000;

/** What no attempt changes: for good, or before a mapping or a value is changed, which queues what it concerns. */
const FINAL = new Set([
  ...[
    'too_old',
    'erased',
    'withdrawn',
    'consent_denied',
    'consent_missing',
    'platform_cannot_adjust',
    'already_retracted',
    'queued',
  ],
  ...['event_not_mapped', 'currency_missing', 'value_missing', 'no_identifier'],
  ...['before_start', 'event_filtered', 'source_filtered', 'value_below_minimum', 'value_untrusted', 'mapping'],
]);

interface Row extends Pick<DiscrepancyRow, 'destination_id' | 'name' | 'platform' | 'campaign'> {
  conversions: number;
  sentConversions: number;
  sent: number;
  revenue: number;
  /** null: too young to tell */
  expected: number | null;
  notSent: Map<string, number>;
  notAdjustable: number;
  adjusting: number;
  waiting: number;
  noConsent: number;
  sendable: number;
  isComplete: boolean;
}

/**
 * What destinations were sent of the conversions of a period, against what these are worth.
 * @param readFactors by how much the values of sales still change; undefined: nobody asks
 */
export async function getDiscrepancies(
  { db, clock, accountId, settings }: ReportContext,
  query: DiscrepanciesQuery,
  readFactors: ((knownOn: number) => Promise<ValueFactor>) | undefined,
): Promise<Discrepancies> {
  const { by = 'destination' } = query;
  const { timeZone } = settings;
  const faults: Fault[] = [];
  const knownOn = parseKnownOn(query.asKnownOn, timeZone, clock(), faults);
  const requested = query.currency === undefined ? undefined : readCurrency(query.currency);
  if (query.currency !== undefined && requested === undefined) {
    const detail = '`currency` must be an ISO 4217 code, such as EUR.';
    faults.push({ pointer: '?currency', code: 'currency_invalid', detail });
  }
  const period = parsePeriod({ from: query.from, to: query.to, timeZone }, '?', faults);
  const [names, found, rates, factorOf] = await Promise.all([
    AdNames.read(db, accountId, by === 'campaign' ? ['campaign'] : []),
    findDiscrepancies(db, {
      account_id: accountId,
      from: new Date(period.from),
      to: new Date(period.to),
      known_at: query.asKnownOn === undefined ? null : new Date(knownOn),
      now: new Date(clock()),
      time_zone: timeZone,
    }),
    readDatedRates(
      db,
      accountId,
      [Math.floor(period.from / DAY) - 1, Math.ceil(period.to / DAY) + 1],
      new Date(knownOn),
      settings,
    ),
    readFactors?.(knownOn),
  ]);
  const zoned = Temporal.Instant.fromEpochMilliseconds(knownOn).toZonedDateTimeISO(timeZone);
  const today = Date.parse(`${zoned.toPlainDate().toString()}T00:00:00Z`) / DAY;
  // In days that are over.
  const ageOf = (day: number) => today - 1 - day;
  const currency = requested ?? settings.currency ?? mostOf(found);
  const rows = new Map<string, Row>();
  const campaignOf = ({ source, campaign }: DiscrepancyRow) =>
    by === 'campaign' ? names.nameOf(source ?? '', 'campaign', campaign) : null;
  // In order, so that of names in several cases the same one is shown each time.
  const named = found.map((each) => ({ each, campaign: campaignOf(each) }));
  for (const { each, campaign } of named.sort((a, b) => ((a.campaign ?? '') < (b.campaign ?? '') ? -1 : 1))) {
    const id = JSON.stringify([each.destination_id, campaign?.toLowerCase() ?? null]);
    const row = rows.get(id) ?? newRow(each, campaign);
    rows.set(id, row);
    addTo(row, each, rates, currency, (source, day) => factorOf?.(source, ageOf(day)));
  }
  return {
    ...serializePeriod(period),
    by,
    currency,
    asKnownOn: isoTime(knownOn),
    rows: [...rows.values()]
      .sort((a, b) => Math.abs(b.revenue - b.sent) - Math.abs(a.revenue - a.sent) || (a.name < b.name ? -1 : 1))
      .map((row) => ({
        key: by === 'campaign' ? row.campaign : publicId('dst', row.destination_id),
        destinationId: publicId('dst', row.destination_id),
        ...{ name: row.name, platform: row.platform, campaign: row.campaign },
        ...{ conversions: row.conversions, sentConversions: row.sentConversions },
        ...{ sent: decimal(row.sent), revenue: decimal(row.revenue) },
        expectedRevenue: row.expected === null ? null : (row.expected / UNITS).toFixed(2),
        difference: decimal(row.revenue - row.sent),
        notSent: Object.fromEntries(
          [...row.notSent].filter(([, units]) => units !== 0).map(([reason, units]) => [reason, decimal(units)]),
        ),
        notAdjustable: decimal(row.notAdjustable),
        adjusting: decimal(row.adjusting),
        waiting: decimal(row.waiting),
        noConsent: decimal(row.noConsent),
        sendable: decimal(row.sendable),
        isComplete: row.isComplete,
      })),
  };
}

const newRow = ({ destination_id, name, platform }: DiscrepancyRow, campaign: string | null): Row => ({
  ...{
    destination_id,
    name,
    platform,
    campaign,
    conversions: 0,
    sentConversions: 0,
    sent: 0,
    revenue: 0,
    expected: 0,
    notSent: new Map(),
  },
  ...{ notAdjustable: 0, adjusting: 0, waiting: 0, noConsent: 0, sendable: 0, isComplete: true },
});

/** Each amount is rounded once, so that the parts add up to the difference exactly. */
function addTo(
  row: Row,
  each: DiscrepancyRow,
  rates: DatedRates,
  into: string | null,
  factorOf: (source: string | null, saleDay: number) => number | undefined,
): void {
  const convert = (units: number, currency: string | null) => {
    if (units === 0 || currency === into) return units;
    const rate = currency === null || into === null ? undefined : rates.rate(currency, into, each.sale_day);
    if (rate === undefined) row.isComplete = false;
    return rate === undefined ? 0 : Math.round(units * rate.rate);
  };
  const revenue = convert(each.units, each.currency);
  const sent = convert(each.sent_units, each.sent_currency);
  const difference = revenue - sent;
  row.conversions += each.conversions;
  row.sentConversions += each.sent_conversions;
  row.revenue += revenue;
  const factor = factorOf(each.source, each.sale_day);
  row.expected = row.expected === null || factor === undefined ? null : row.expected + revenue * factor;
  row.sent += sent;
  if (difference === 0) return;
  const { status, reason } = each;
  const isSent = each.sent_conversions > 0 || status === 'changed' || status === 'sent';
  const isWithheld = reason === 'consent_denied' || reason === 'consent_missing';
  if (each.waits && !isWithheld) row.waiting += difference;
  if (isWithheld) row.noConsent += difference;
  else if (each.is_queued && isSent) row.adjusting += difference;
  else if (status === 'not_adjustable') row.notAdjustable += difference;
  else {
    const name = each.is_queued ? 'queued' : isSent ? 'mapping' : (reason ?? status);
    row.notSent.set(name, (row.notSent.get(name) ?? 0) + difference);
  }
  if (!FINAL.has(each.is_queued ? 'queued' : isSent && status === 'changed' ? 'mapping' : (reason ?? status)))
    row.sendable += difference;
}

/** The currency of most conversions. */
function mostOf(rows: readonly DiscrepancyRow[]): string | null {
  const counts = new Map<string, number>();
  for (const { currency, conversions } of rows)
    if (currency !== null) counts.set(currency, (counts.get(currency) ?? 0) + conversions);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? null;
}

function decimal(units: number): string {
  const text = (units / UNITS).toFixed(4).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
