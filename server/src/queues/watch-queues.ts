import { type AlertText, alertOperators, alertOwners } from '../mail/index.ts';
import type { Deps, Worker } from '../shared/deps.ts';
import { FIRST_ID, publicId } from '../shared/ids.ts';
import type { Translate } from '../shared/languages.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Overdue, Queue } from '../shared/queue.ts';
import { isoTime } from '../shared/time.ts';
import { MINUTE } from '../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../shared/worker-loop.ts';
import { storeAlarms } from './queries.ts';

/** How long something may wait after it was due. */
export const PATIENCE_MS = 15 * MINUTE;
const CHECK_MS = MINUTE;

/** The queues of all databases of this process, and for how long the oldest of each has waited. */
export class QueueStatus {
  readonly #clock: () => number;
  readonly #labels = new Map<string, string>();
  /** By watch and queue. */
  readonly #oldest = new Map<object, Map<string, number>>();

  constructor(metrics: Metrics, clock: () => number) {
    this.#clock = clock;
    const help =
      'For how long the oldest of a queue has waited past its due time, if longer than 15 minutes; otherwise 0';
    metrics.gaugeBy('headwater_queue_overdue_seconds', help, 'queue', async () => this.#seconds());
  }

  add({ name, label }: Queue): void {
    this.#labels.set(name, label);
  }

  labelOf(queue: string): string {
    return this.#labels.get(queue) ?? queue;
  }

  set(watch: object, oldest: Map<string, number>): void {
    this.#oldest.set(watch, oldest);
  }

  delete(watch: object): void {
    this.#oldest.delete(watch);
  }

  /** Seconds by queue, of those that are overdue. */
  overdue(): Record<string, number> {
    return Object.fromEntries([...this.#seconds()].filter(([, seconds]) => seconds > 0));
  }

  #seconds(): Map<string, number> {
    const seconds = new Map([...this.#labels.keys()].map((name) => [name, 0]));
    for (const oldest of this.#oldest.values()) {
      for (const [name, since] of oldest) {
        seconds.set(name, Math.max(seconds.get(name) ?? 0, Math.round((this.#clock() - since) / 1000)));
      }
    }
    return seconds;
  }
}

/**
 * Looks each minute for what has waited too long in queues of one database. What is found is in the metrics and in `/health`,
 * stored for the dashboard, and mailed once: to the owners of the account, or to the operators.
 */
export class QueueWatch implements Worker {
  readonly queues: readonly Queue[];
  readonly #deps: Deps;
  readonly #status: QueueStatus;
  readonly #loop: WorkerLoop;

  constructor(deps: Deps, status: QueueStatus, queues: readonly Queue[]) {
    this.#deps = deps;
    this.#status = status;
    this.queues = queues;
    for (const queue of queues) status.add(queue);
    this.#loop = workerLoop({
      name: 'watch queues',
      log: deps.log,
      everyMs: CHECK_MS,
      runAtStart: true,
      run: () => this.check(),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#status.delete(this);
  }

  async check(): Promise<void> {
    const { clock, db, log } = this.#deps;
    const before = new Date(clock() - PATIENCE_MS);
    const checked: string[] = [];
    const found: (Overdue & { queue: string })[] = [];
    for (const { name, findOverdue } of this.queues) {
      try {
        for (const each of await findOverdue(before)) found.push({ ...each, queue: name });
        checked.push(name);
      } catch (error) {
        log.warn({ err: error, queue: name }, 'a queue could not be checked');
      }
    }
    const oldest = Map.groupBy(found, ({ queue }) => queue);
    this.#status.set(
      this,
      new Map([...oldest].map(([queue, all]) => [queue, Math.min(...all.map(({ since }) => since.getTime()))])),
    );
    const now = new Date(clock());
    const raised = await storeAlarms(db, { queues: checked, alarms: alarmsOf(found), now });
    for (const [accountId, alarms] of Map.groupBy(raised, (row) => row.account_id)) {
      await alert(this.#deps, this.#status, accountId, alarms);
    }
  }
}

/** Parts of one name are one alarm. */
function alarmsOf(found: readonly (Overdue & { queue: string })[]) {
  const alarms = found.map(({ accountId, queue, subject, since }) => ({
    account_id: accountId ?? FIRST_ID,
    queue,
    subject: subject.slice(0, 500),
    since: isoTime(since),
  }));
  const byKey = Map.groupBy(alarms, ({ account_id, queue, subject }) => `${account_id} ${queue} ${subject}`);
  return [...byKey.values()].flatMap((same) => same.sort((a, b) => (a.since < b.since ? -1 : 1)).slice(0, 1));
}

async function alert(
  deps: Deps,
  status: QueueStatus,
  accountId: string,
  alarms: readonly { queue: string; subject: string; since: Date }[],
): Promise<void> {
  const ofInstallation = accountId === FIRST_ID;
  const account = ofInstallation ? undefined : publicId('acc', accountId);
  deps.log.warn({ account, queues: alarms.map(({ queue }) => queue) }, 'something has waited for more than 15 minutes');
  const url = `${deps.publicUrl()}${account === undefined ? '' : `/${account}/overview`}`;
  const text: AlertText = (t) => {
    const nameOf = (queue = '') => labelsIn(t)[status.labelOf(queue)] ?? status.labelOf(queue);
    const name = nameOf(alarms[0]?.queue);
    const lines = alarms.map(({ queue, subject, since }) => {
      const minutes = Math.round((deps.clock() - since.getTime()) / MINUTE);
      return `- ${nameOf(queue)}${subject && ` (${subject})`}: ${t('due {minutes} minutes ago', { minutes })}`;
    });
    return {
      subject:
        alarms.length > 1
          ? t('{name} and others wait for too long', { name })
          : t('{name} wait for too long', { name }),
      text:
        `${t('These should have been done more than 15 minutes ago, and still wait:')}\n\n${lines.join('\n')}\n\n` +
        `${t('The dashboard shows them as long as they wait:')}\n${url}\n`,
    };
  };
  if (ofInstallation) await alertOperators(deps, text);
  else await alertOwners(deps, accountId, text);
}

/** The queues in the language of a mail, by their labels. */
const labelsIn = (t: Translate): Record<string, string> => ({
  Alerts: t('Alerts'),
  'Changes for webhooks and ad platforms': t('Changes for webhooks and ad platforms'),
  'Conversions for ad platforms': t('Conversions for ad platforms'),
  'Conversions with many reports': t('Conversions with many reports'),
  'Costs of ad platforms': t('Costs of ad platforms'),
  Imports: t('Imports'),
  Jobs: t('Jobs'),
  Mails: t('Mails'),
  'Scheduled releases': t('Scheduled releases'),
  'Unmatched conversions': t('Unmatched conversions'),
  'Visits and events that are not in reports yet': t('Visits and events that are not in reports yet'),
  'Webhook deliveries': t('Webhook deliveries'),
});
