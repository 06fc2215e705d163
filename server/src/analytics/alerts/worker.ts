import type { Worker } from '../../shared/deps.ts';
import { newUuid } from '../../shared/ids.ts';
import { backgroundWork, runAs } from '../../shared/postgres/work.ts';
import { MINUTE } from '../../shared/units.ts';
import { workerLoop } from '../../shared/worker-loop.ts';
import type { ContextFor } from '../reports/context.ts';
import type { EntriesOfPaths } from '../return-on-ad-spend/keys.ts';
import { evaluate, nextState } from './evaluate.ts';
import { readSeries } from './figures.ts';
import { type AlertServices, mailOwners, type Notice, noticeSender, textOf, writeNotices } from './notices.ts';
import {
  type Checked,
  claimRules,
  findIncidents,
  insertIncident,
  lockRule,
  type RuleRow,
  resolveIncident,
  saveChecked,
} from './queries.ts';

const EVERY_MS = 15_000;
/** Accounts of which one rule each is evaluated in a run. */
const PER_RUN = 10;
/** Bounds what one rule may take, and how long another process waits to take over. */
const EVALUATION_MS = MINUTE;

/** How often rules are evaluated: silence of minutes often, a day that is over only as late reports arrive. */
const intervalOf = ({ definition: { kind, window } }: RuleRow) =>
  MINUTE * (kind === 'silence' ? 2 : window === 'lastHour' || window === 'today' ? 10 : 30);

interface AlertDeps {
  deps: AlertServices;
  contextFor: ContextFor;
  entriesOfPaths: EntriesOfPaths;
}

/** Evaluates what is due, one rule of each account at a time, and sends notices. */
export function alertsWorker(given: AlertDeps): Worker {
  const { log } = given.deps;
  const notices = noticeSender(given.deps);
  const evaluating = workerLoop({ name: 'evaluate alerts', log, everyMs: EVERY_MS, run: () => evaluateDue(given) });
  const sending = workerLoop({ name: 'send notices of alerts', log, everyMs: EVERY_MS, run: () => notices.run() });
  return {
    start() {
      evaluating.start();
      sending.start();
    },
    async stop() {
      notices.close();
      await Promise.all([evaluating.stop(), sending.stop()]);
    },
  };
}

/** @returns whether there may be more to do */
export async function evaluateDue(given: AlertDeps): Promise<boolean> {
  const { db, clock } = given.deps;
  const now = clock();
  const until = new Date(now + 2 * EVALUATION_MS);
  const claimed = await claimRules(db, { now: new Date(now), next_at: until, limit: PER_RUN });
  for (const row of claimed) await runAs(backgroundWork(row.account_id), () => evaluateRule(given, row));
  return claimed.length > 0;
}

async function evaluateRule({ deps, contextFor, entriesOfPaths }: AlertDeps, row: RuleRow): Promise<void> {
  const { db, clock, log } = deps;
  const { account_id, id } = row;
  const key = { account_id, id };
  const nextAt = () => new Date(clock() + intervalOf(row));
  try {
    const context = await contextFor(account_id, AbortSignal.timeout(EVALUATION_MS));
    const series = await readSeries(context, row.definition, entriesOfPaths);
    const observation = evaluate(row.definition, series);
    const { currency } = series;
    const notice = await db.transaction(async (tx): Promise<Notice | undefined> => {
      const [locked] = await lockRule(tx, key);
      // It was changed meanwhile, and is evaluated again.
      if (!locked || locked.updated_at.getTime() !== row.updated_at.getTime()) return undefined;
      const now = new Date(clock());
      const before = stateBefore(locked.checked, locked.incident_id);
      const { change, ...state } = nextState(before, observation, series.isRunning);
      const incidentId = change === 'opened' ? newUuid(now.getTime()) : locked.incident_id;
      const checked: Checked = {
        ...state,
        current: observation.value,
        expected: observation.expected,
        limit: observation.limit,
      };
      const open = change === 'resolved' ? null : incidentId;
      await saveChecked(tx, { ...key, checked: JSON.stringify(checked), incident_id: open, next_at: nextAt(), now });
      if (change === null || incidentId === null) return undefined;
      const text = textOf({ rule: row.definition, observation, currency });
      const [known] = change === 'opened' ? [] : await findIncidents(tx, { account_id, ids: [incidentId] });
      if (change === 'opened') {
        const { value, expected, limit: limit_value } = observation;
        await insertIncident(tx, { account_id, id: incidentId, rule_id: id, now, value, expected, limit_value, text });
      } else await resolveIncident(tx, { account_id, id: incidentId, now });
      const openedAt = known?.opened_at ?? now;
      const made = { ruleId: id, incidentId, change, rule: row.definition, observation, currency, openedAt };
      await writeNotices(tx, deps, account_id, made, text);
      return made;
    });
    if (notice) await mailOwners(deps, account_id, notice);
  } catch (error) {
    log.warn({ err: error, account: account_id }, 'an alert could not be evaluated');
    const { current = null, expected = null, limit = null, breaches = 0 } = row.checked ?? {};
    const checked: Checked = { status: 'failed', breaches, current, expected, limit };
    const now = new Date(clock());
    const state = { checked: JSON.stringify(checked), incident_id: row.incident_id, next_at: nextAt(), now };
    await saveChecked(db, { ...key, ...state });
  }
}

function stateBefore(checked: Checked | null, incidentId: string | null) {
  const status = incidentId !== null ? ('alerting' as const) : ('ok' as const);
  return { status, breaches: checked?.breaches ?? 0 };
}
