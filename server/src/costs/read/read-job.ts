import {
  AdNames,
  type CostsOrigin,
  countReadDays,
  countReplacedCosts,
  LEVELS,
  type Level,
  nameOf,
  type ReadCost,
  storeAdNames,
  storeReadCosts,
} from '../../analytics/index.ts';
import { JobError, type JobHandler, type JobResult, type JobRun } from '../../jobs/index.ts';
import { readCurrency } from '../../shared/currency.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseId } from '../../shared/ids.ts';
import { SecretUnreadable } from '../../shared/secrets/vault.ts';
import { HOUR } from '../../shared/units.ts';
import { type Api, type Cost, type Days, PlatformFault } from '../connectors/connector.ts';
import { connectorOf } from '../connectors/registry.ts';
import { LIMITS } from '../limits.ts';
import { type CostSourceRow, findSource, keepPending, recordRead } from '../manage/queries.ts';
import type { SourceCredentials } from '../manage/source-credentials.ts';
import type { CostClient } from './client.ts';
import type { SourceHealth } from './health.ts';

export const READ_JOB = 'read_costs';

export interface ReadParams {
  costSourceId: string;
  /** The first day, YYYY-MM-DD. */
  from?: string;
  dryRun?: boolean;
}

/** The days that are read each time: platforms correct them for weeks. It is also the most that is read at once. */
const DAYS = 30;
/** Campaigns of a result. */
const SHOWN = 100;
/** The share of reading, rather than storing, of the progress. */
const READING = 0.7;

/**
 * Runs the jobs of type `read_costs`. One that is interrupted starts again; a report that the platform was making is not requested again.
 */
export function readHandler(
  deps: Deps,
  client: CostClient,
  credentials: SourceCredentials,
  health: SourceHealth,
): JobHandler {
  const { db, clock } = deps;
  return {
    async run(job) {
      const { costSourceId, from, dryRun = false } = job.params as ReadParams;
      const key = { account_id: job.accountId, id: parseId('cst', costSourceId) ?? '' };
      const [source] = await findSource(db, key);
      if (!source) throw new JobError('source_deleted', 'The cost source was deleted.');
      try {
        return await readSource(source, from, dryRun, job);
      } catch (error) {
        const fault =
          error instanceof SecretUnreadable
            ? new PlatformFault('credentials', 'The credentials cannot be decrypted. Enter them again.')
            : error;
        if (!(fault instanceof PlatformFault) || job.signal.aborted) throw error;
        // A report takes seconds to minutes: the job waits for it, without its slot.
        const isLast = job.attempt >= MAX_ATTEMPTS;
        if (fault.type === 'notReady' && !isLast) {
          throw new JobError('report_not_ready', 'The platform is still making the report.', { mayPass: true });
        }
        if (!dryRun) await health.failed(source, fault);
        const detail = fault.type === 'notReady' ? 'The report took too long. It is read later.' : fault.message;
        throw new JobError(CODES[fault.type], detail || 'The platform did not answer.');
      }
    },
  };

  async function readSource(source: CostSourceRow, from: string | undefined, dryRun: boolean, job: JobRun) {
    const { account_id, id } = source;
    const api = client.api(source, await credentials.open(source), {
      pending: null,
      keep: async () => {},
      keepRefreshToken: (token) => credentials.keepRefreshToken(source, token),
    });
    const connector = connectorOf(source.platform);
    const account = await connector.account(api);
    const today = todayIn(account.timeZone, clock());
    const windows = windowsUntil(today, connector.daysAtOnce, from ?? startAfter(source, today));
    const costs: Cost[] = [];
    for (const [i, days] of windows.entries()) {
      job.signal.throwIfAborted();
      costs.push(...(await connector.read(remembering(api, source, days, dryRun), days, account)));
      job.report((READING * (i + 1)) / windows.length);
    }
    const period = { from: windows[0]?.from ?? today, to: today };
    const known = await AdNames.read(db, account_id, LEVELS);
    const rows = readable(costs, period, (level, value) => known.nameOf(source.source, level, value));
    const origin: CostsOrigin = { accountId: account_id, costSourceId: id, source: source.source };
    if (rows.length === 0 && (await countReadDays(db, origin, period)) > 1) {
      // LinkedIn answers so to members who may not read reports.
      throw new PlatformFault(
        'access',
        'The platform reports no costs of days that had some. Check that the credentials may still read reports.',
      );
    }
    const currency = rows[0]?.currency ?? account.currency;
    const summary = { ...period, currency, timeZone: account.timeZone, ...summarize(rows) };
    const stored = await store(origin, rows, period, { dryRun, readAt: source.last_read_at?.getTime() }, job);
    if (dryRun) await keepPending(db, { account_id, id, pending: null });
    else {
      await recordRead(db, {
        ...{ account_id, id, currency, time_zone: account.timeZone },
        ...{ now: new Date(clock()), next: new Date(clock() + HOUR) },
      });
    }
    return { ...summary, ...stored } satisfies JobResult;
  }

  async function store(
    origin: CostsOrigin,
    rows: readonly ReadCost[],
    period: Days,
    { dryRun, readAt }: { dryRun: boolean; readAt: number | undefined },
    job: JobRun,
  ) {
    const byDay = Map.groupBy(rows, ({ day }) => day);
    const days = daysOf(period);
    let [written, removed, replaced] = [0, 0, 0];
    if (!dryRun) await db.transaction((tx) => storeAdNames(tx, origin, rows, readAt, clock()));
    for (const [i, day] of days.entries()) {
      job.signal.throwIfAborted();
      const costs = byDay.get(day) ?? [];
      if (dryRun) replaced += costs.length === 0 ? 0 : await countReplacedCosts(db, origin, day, costs);
      else {
        const counts = await db.transaction((tx) => storeReadCosts(tx, origin, day, costs, clock()));
        [written, removed, replaced] = [written + counts.written, removed + counts.removed, replaced + counts.replaced];
      }
      job.report(READING + ((1 - READING) * (i + 1)) / days.length);
    }
    return { written, removed, replaced, dryRun };
  }

  /** A report that is being made is remembered with the days it is about. */
  function remembering(api: Api, { account_id, id, pending }: CostSourceRow, days: Days, dryRun: boolean): Api {
    const of = `${days.from} ${days.to} ${dryRun}`;
    let state = pending?.of === of ? pending : null;
    return {
      credentials: api.credentials,
      json: api.json,
      download: api.download,
      get pending() {
        return state;
      },
      async keep(given) {
        state = given;
        await keepPending(db, { account_id, id, pending: JSON.stringify({ ...given, of }) });
      },
    };
  }
}

/** Of starts of a job that may pass: afterwards, what it waits for is looked at later. */
const MAX_ATTEMPTS = 15;
const CODES = {
  throttled: 'platform_throttled',
  unavailable: 'platform_unavailable',
  credentials: 'credentials_refused',
  access: 'access_refused',
  notReady: 'report_not_ready',
} as const;

function todayIn(timeZone: string, now: number): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  } catch {
    return new Date(now).toISOString().slice(0, 10);
  }
}

const dayBefore = (day: string, days: number) => Temporal.PlainDate.from(day).subtract({ days }).toString();

/** The first day to read of a source that was not read for a while: what it was last read with is read again, too. */
function startAfter({ last_read_at, time_zone }: CostSourceRow, today: string): string | undefined {
  if (last_read_at === null) return undefined;
  const then = todayIn(time_zone ?? 'UTC', last_read_at.getTime());
  if (then >= dayBefore(today, 1)) return undefined;
  return [dayBefore(then, DAYS - 1), dayBefore(today, LIMITS.days - 1)].toSorted().at(-1);
}

/** The days until today in parts that platforms report at once, the oldest first. */
function windowsUntil(today: string, size = DAYS, from = dayBefore(today, DAYS - 1)): Days[] {
  const windows: Days[] = [];
  for (let to = today; to >= from && to >= dayBefore(today, 400); to = dayBefore(to, size)) {
    const start = dayBefore(to, size - 1);
    const isFirst = start < from;
    windows.unshift({ from: isFirst ? from : start, to });
  }
  return windows;
}

function daysOf({ from, to }: Days): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayBefore(day, -1)) days.push(day);
  return days;
}

/** What was read, as it is stored: rows of one key are added up, names are cut, and rows without cost, clicks or impressions left out. */
function readable(
  costs: readonly Cost[],
  { from, to }: Days,
  nameKnown: (level: Level, id: string) => string,
): ReadCost[] {
  const rows = new Map<string, ReadCost>();
  /** The latest name of an ID counts for all of its days. */
  const names = new Map<string, string>();
  for (const cost of [...costs].sort((a, b) => (a.day < b.day ? -1 : 1))) {
    for (const level of LEVELS) {
      const id = cost[`${level}_id`];
      if (id !== '') names.set(`${level} ${id}`, nameOf(cost[level] || nameKnown(level, id), id));
    }
  }
  for (const cost of costs) {
    const currency = readCurrency(cost.currency);
    const amount = Number(cost.cost);
    if (currency === undefined)
      throw new PlatformFault('unavailable', 'The platform reports costs without a currency that is known.');
    if (Number.isNaN(amount)) throw new PlatformFault('unavailable', 'The platform reports a cost that is no number.');
    if (amount < 0 || cost.campaign_id === '' || cost.day < from || cost.day > to) continue;
    const clicks = Number(cost.clicks) || 0;
    const impressions = Number(cost.impressions) || 0;
    if (amount + clicks + impressions === 0) continue;
    const name = (level: Level) => names.get(`${level} ${cost[`${level}_id`]}`) ?? '';
    const key = `${cost.day} ${currency} ${cost.campaign_id} ${cost.ad_group_id} ${cost.ad_id}`;
    const known = rows.get(key);
    rows.set(key, {
      ...cost,
      currency,
      ...{ campaign: name('campaign'), ad_group: name('ad_group'), ad: name('ad') },
      cost: known === undefined ? cost.cost : (Number(known.cost) + amount).toFixed(6),
      clicks: clicks + Number(known?.clicks ?? 0),
      impressions: impressions + Number(known?.impressions ?? 0),
    });
  }
  return [...rows.values()];
}

function summarize(rows: readonly ReadCost[]) {
  const sum = (of: readonly ReadCost[]) => ({
    cost: of.reduce((total, { cost }) => total + Number(cost), 0).toFixed(2),
    clicks: of.reduce((total, { clicks }) => total + Number(clicks), 0),
    impressions: of.reduce((total, { impressions }) => total + Number(impressions), 0),
  });
  const byCampaign = [...Map.groupBy(rows, ({ campaign_id }) => campaign_id)].map(([campaignId, own]) => ({
    campaignId,
    campaign: own[0]?.campaign ?? '',
    ...sum(own),
  }));
  const campaigns = byCampaign.sort((a, b) => Number(b.cost) - Number(a.cost)).slice(0, SHOWN);
  return { rows: rows.length, ...sum(rows), campaignCount: byCampaign.length, campaigns };
}
