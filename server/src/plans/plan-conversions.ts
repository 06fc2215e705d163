import { addDecimals } from '../shared/decimal.ts';
import { invalid } from '../shared/errors.ts';
import { isoTime } from '../shared/time.ts';
import type { PlanChange, Preview } from './contract.ts';
import { type CallRoute, type Draft, digest, type PlanKind } from './kind.ts';

type Report = Record<string, unknown>;

interface DryRun {
  _id?: string;
  status: 'reported' | 'unmatched' | 'failed';
  effect: 'create' | 'restate' | 'wait' | 'none';
  error?: string;
  reason?: string;
  /** The item of the same request that this one restates. */
  restatesItem?: number;
}
interface Conversion {
  eventId: string | null;
  event: string;
  value: string | null;
  currency: string | null;
  createdOn: string;
  updatedAt: string;
}
interface Found {
  result: DryRun;
  conversion: Conversion | null;
}

async function look(call: CallRoute, reports: readonly Report[]): Promise<Found[]> {
  const results = await call<DryRun[]>('POST /v1/analytics/report-conversion/dry-run', reports);
  return Promise.all(
    results.map(async (result) => ({
      result,
      conversion: result._id === undefined ? null : await call<Conversion>(`GET /v1/conversions/${result._id}`),
    })),
  );
}

/** Which conversions there are, and when they last changed. */
const stateOf = (found: readonly Found[]) =>
  digest(found.map(({ result, conversion }) => [result.effect, result._id ?? null, conversion?.updatedAt ?? null]));

/** Plans reports of conversions, or of other values of those that exist. */
export async function planConversions(call: CallRoute, reports: Report[]): Promise<Draft<Report[]>> {
  const found = await look(call, reports);
  const faults = found.flatMap(({ result: { status, error = 'invalid', reason = 'The report is invalid.' } }, i) =>
    status === 'failed' ? [{ pointer: `/reports/${i}`, code: error, detail: reason }] : [],
  );
  if (faults.length > 0) throw invalid(faults);
  const steps = stepsOf(found, reports);
  const waiting = found.filter(({ result }) => result.effect === 'wait').length;
  const restated = found.filter(({ result }) => result.effect === 'restate').length;
  const warnings: string[] = [];
  if (waiting > 0) warnings.push(`No session is known for ${waiting} of the reports: they wait for one for 30 days.`);
  if (restated > 0) warnings.push('Destinations are sent the new values of conversions that they received.');
  return {
    request: reports,
    preview: {
      summary: `${reports.length - restated - waiting} new conversions, ${restated} with another value, ${waiting} without a session`,
      rows: reports.length,
      changes: steps.map((step, i) => changeOf(step, reports[i] ?? {})),
      money: moneyOf(steps),
      warnings,
    },
    state: stateOf(found),
  };
}

const text = (value: unknown) => (value === undefined || value === null ? null : String(value));

const FIELDS = ['event', 'value', 'currency', 'createdOn'] as const;
type State = Readonly<Record<(typeof FIELDS)[number], string | null>>;
interface Step extends Found {
  before: State | null;
  after: State;
}

/** What each report finds, which may be what an earlier one leaves, and what it leaves. */
function stepsOf(found: readonly Found[], reports: readonly Report[]): Step[] {
  const steps: Step[] = [];
  for (const [i, { result, conversion }] of found.entries()) {
    const earlier = result.restatesItem === undefined ? undefined : steps[result.restatesItem]?.after;
    const before = earlier ?? conversion;
    const of = (field: keyof State) => text(reports[i]?.[field]) ?? before?.[field] ?? null;
    const after = { event: of('event'), value: of('value'), currency: of('currency'), createdOn: of('createdOn') };
    steps.push({ result, conversion, before, after });
  }
  return steps;
}

const changeOf = ({ result, before, after }: Step, report: Report): PlanChange => ({
  action: result.effect,
  type: 'conversion',
  id: result._id ?? null,
  label: text(report.eventId) ?? 'conversion',
  fields: FIELDS.map((field) => ({ field, before: before?.[field] ?? null, after: after[field] })).filter(
    (each) => each.before !== each.after,
  ),
});

function moneyOf(steps: readonly Step[]): Preview['money'] {
  const sums = new Map<string | null, { before: string; after: string }>();
  const add = (name: 'before' | 'after', { currency, value }: State) => {
    const sum = sums.get(currency) ?? { before: '0', after: '0' };
    sums.set(currency, { ...sum, [name]: addDecimals(sum[name], value ?? '0') ?? sum[name] });
  };
  const replaced = new Set(steps.map(({ result }) => result.restatesItem));
  steps.forEach(({ result, before, after }, i) => {
    if (before !== null && result.restatesItem === undefined) add('before', before);
    if (result.effect !== 'wait' && !replaced.has(i)) add('after', after);
  });
  return [...sums].map(([currency, sum]) => ({ currency, ...sum }));
}

const importOf = async (call: CallRoute, key: string): Promise<string> => {
  const route = 'POST /v1/conversions/imports';
  return (await call<{ id: string }>(route, { name: `Plan ${key}` }, { 'idempotency-key': key })).id;
};

/** Reports are an import, which can be undone as one. */
export const conversionsKind: PlanKind<Report[], { importId: string }> = {
  readState: async (call, reports) => stateOf(await look(call, reports)),
  async findResult(call, _reports, key) {
    const importId = await importOf(call, key);
    const { reported, unmatched } = await call<{ reported: number; unmatched: number }>(
      `GET /v1/conversions/imports/${importId}`,
    );
    return reported + unmatched > 0 ? { importId } : undefined;
  },
  async apply(call, reports, key, now) {
    const id = await importOf(call, key);
    // What is planned is learned when it is applied, not when the sale was.
    const knownAt = isoTime(now);
    const sent = reports.map((report) => ({ knownAt, ...report }));
    await call(`POST /v1/conversions/imports/${id}/reports`, sent);
    return { importId: id };
  },
  async undo(call, _reports, { importId }) {
    await call(`POST /v1/conversions/imports/${importId}/undo`);
  },
};
