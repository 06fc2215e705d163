import { alertOwners } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import { type Translate, translatorOf } from '../../shared/languages.ts';
import { connectPolicy } from '../../shared/outbound/connect-policy.ts';
import { parseRetryAfter, retryDelay } from '../../shared/outbound/retry-schedule.ts';
import { Sender } from '../../shared/outbound/sender.ts';
import { writeOutbox } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';
import type { AlertDefinition } from './contract.ts';
import type { Observation } from './evaluate.ts';
import { claimNotices, deferNotice, deleteNotice, insertNotices, type NoticeRow } from './queries.ts';
import { PRESET } from './rule.ts';

/** What alerts need of the service. */
export type AlertServices = Pick<Deps, 'db' | 'control' | 'clock' | 'log' | 'config' | 'secret' | 'publicUrl'>;

export interface Notice {
  ruleId: string;
  incidentId: string;
  change: 'opened' | 'resolved';
  rule: AlertDefinition;
  observation: Observation;
  currency: string | null;
  openedAt: Date;
}

const figuresIn = (t: Translate): Record<AlertDefinition['figure'], string> => ({
  revenue: t('Revenue'),
  conversions: t('Conversions'),
  sessions: t('Sessions'),
  events: t('Events'),
  cost: t('Cost'),
  destinationDifference: t('Told less than earned'),
  expectedRevenue: t('Expected revenue'),
  costWithoutClicks: t('Cost without sessions'),
});
const windowsIn = (t: Translate, figure: string): Record<AlertDefinition['window'], string> => ({
  lastHour: t('{figure} in the last hour', { figure }),
  today: t('{figure} of today', { figure }),
  yesterday: t('{figure} of yesterday', { figure }),
  last7Days: t('{figure} of the last 7 days', { figure }),
});
const MONEY: readonly AlertDefinition['figure'][] = ['revenue', 'cost', 'expectedRevenue', 'costWithoutClicks'];

/** One sentence: what is the case, and what is usual. In English for programs and chats. */
export function textOf(
  { rule, observation, currency }: Pick<Notice, 'rule' | 'observation' | 'currency'>,
  t: Translate = translatorOf('en'),
  language = 'en-US',
): string {
  const { figure, kind, window, minutes, source, event } = rule;
  const number = (value: number) => {
    const isMoney = MONEY.includes(figure) && currency !== null;
    const digits = { minimumFractionDigits: isMoney ? 2 : 0, maximumFractionDigits: 2 };
    if (figure === 'destinationDifference') {
      return (value / 100).toLocaleString(language, { ...digits, style: 'percent' });
    }
    const text = value.toLocaleString(language, digits);
    return isMoney ? `${text} ${currency}` : text;
  };
  const name = figuresIn(t)[figure];
  const narrowed = event ? `${name} (${event})` : source ? t('{figure} from {source}', { figure: name, source }) : name;
  const what =
    kind === 'silence'
      ? t('{figure} in the last {minutes} minutes', { figure: narrowed, minutes: String(minutes) })
      : windowsIn(t, narrowed)[window];
  const { value, expected, limit } = observation;
  const usual =
    expected !== null
      ? kind === 'expected'
        ? ` ${t('Usual by now is {expected}.', { expected: number(expected) })}`
        : ` ${t('Usual is {expected}.', { expected: number(expected) })}`
      : limit !== null
        ? ` ${t('The limit is {limit}.', { limit: number(limit) })}`
        : '';
  return `${what}: ${number(value)}.${usual}`;
}

/** Writes the notices of a change, in the transaction that records it; mails are queued afterwards by `mailOwners`. */
export async function writeNotices(
  tx: Tx,
  deps: AlertServices,
  accountId: string,
  notice: Notice,
  text: string,
): Promise<void> {
  const { change, rule, observation, incidentId, ruleId, openedAt } = notice;
  const now = deps.clock();
  if (rule.channels.some(({ type }) => type === 'webhook')) {
    const data = {
      id: publicId('inc', incidentId),
      alertId: publicId('alr', ruleId),
      name: rule.name,
      figure: rule.figure,
      status: change,
      value: observation.value,
      expected: observation.expected,
      limit: observation.limit,
      text,
      openedAt: isoTime(openedAt),
      resolvedAt: change === 'resolved' ? isoTime(now) : null,
    };
    const item = { resourceId: incidentId, sequence: change === 'opened' ? 1 : 2, data };
    await writeOutbox(tx, accountId, `alert.${change}`, [item], now);
  }
  const body = JSON.stringify({ text: `${titleOf(notice)}: ${text} ${linkTo(deps, accountId)}` });
  const notices = rule.channels.flatMap((channel) =>
    channel.type === 'slack' ? [{ id: newUuid(now), url: channel.url, body }] : [],
  );
  if (notices.length > 0) await insertNotices(tx, { account_id: accountId, notices, now: new Date(now) });
}

export async function mailOwners(deps: AlertServices, accountId: string, notice: Notice): Promise<void> {
  if (!notice.rule.channels.some(({ type }) => type === 'mail')) return;
  await alertOwners(deps, accountId, (t, language) => ({
    subject: titleOf(notice, t),
    text: `${textOf(notice, t, language === 'en' ? 'en-US' : language)}\n\n${linkTo(deps, accountId)}`,
  }));
}

/** Names that nobody chose. */
const presetsIn = (t: Translate) =>
  new Map([
    [PRESET.salesDrop.name, t('Sales of yesterday are under what is usual by now')],
    [PRESET.scriptSilent.name, t('The script is silent')],
    [PRESET.destinationBehind.name, t('An ad platform was told less than was earned')],
    [PRESET.costWithoutClicks.name, t('Ads cost money and bring no sessions')],
  ]);

export function titleOf({ change, rule }: Pick<Notice, 'change' | 'rule'>, t: Translate = translatorOf('en')): string {
  const name = presetsIn(t).get(rule.name) ?? rule.name;
  return change === 'opened' ? name : t('Resolved: {name}', { name });
}
const linkTo = ({ publicUrl }: AlertServices, accountId: string) =>
  `${publicUrl()}/alerts?account=${publicId('acc', accountId)}`;

const LEASE_MS = MINUTE;
const PER_RUN = 20;
const MAX_ATTEMPTS = 12;

/** Sends what is due to chats: only to public addresses, without following redirects, and again later after a failure. */
export function noticeSender(deps: AlertServices) {
  const { db, clock, log, config } = deps;
  const sender = new Sender({ mayConnect: connectPolicy(config.webhookAllowCidrs) });
  const send = async ({ account_id, id, url, body, attempts }: NoticeRow) => {
    const { error, retryAfter } = await sender.send(new URL(url), { 'content-type': 'application/json' }, body);
    if (error === null) return deleteNotice(db, { account_id, id });
    const delay = retryDelay(attempts, parseRetryAfter(retryAfter, clock()), Math.random());
    if (delay === undefined || attempts >= MAX_ATTEMPTS) {
      log.warn({ account: account_id, error }, 'a notice of an alert could not be sent and is given up');
      return deleteNotice(db, { account_id, id });
    }
    return deferNotice(db, { account_id, id, due_at: new Date(clock() + delay) });
  };
  return {
    close: () => sender.close(),
    /** @returns whether there may be more */
    async run(): Promise<boolean> {
      const now = clock();
      const due = await claimNotices(db, { now: new Date(now), until: new Date(now + LEASE_MS), limit: PER_RUN });
      await Promise.all(due.map(send));
      return due.length === PER_RUN;
    },
  };
}
