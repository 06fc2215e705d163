import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import type { ReportContext } from '../reports/context.ts';
import type { Effects } from './contract.ts';
import type { ChannelRule } from './rule.ts';

const QUARTER_MS = 900_000;
const DAYS_MS = 30 * DAY;

/** Which sessions of the last 30 days rules would take, and what becomes of the channels. */
export async function previewRules(context: ReportContext, rules: readonly ChannelRule[]): Promise<Effects> {
  const to = Math.ceil(context.clock() / QUARTER_MS) * QUARTER_MS;
  const period = { from: to - DAYS_MS, to };
  // Each rule is counted as a channel of its own, which no rule can be named.
  const nameOf = (i: number) => ` ${i}`;
  const numbered = rules.map((rule, i) => ({ ...rule, name: nameOf(i) }));
  const [taken, previous] = [
    await countChannels(context, period, numbered),
    await countChannels(context, period, context.channels),
  ];
  const sessionsOf = new Map<string | null, number>();
  const add = (channel: string | null, count: number) =>
    sessionsOf.set(channel, (sessionsOf.get(channel) ?? 0) + count);
  const ofRules = rules.map(({ name }, i) => ({ name, sessions: taken.get(nameOf(i)) ?? 0 }));
  for (const { name, sessions } of ofRules) add(name, sessions);
  for (const [channel, sessions] of taken) if (!channel?.startsWith(' ')) add(channel, sessions);
  for (const channel of previous.keys()) add(channel, 0);
  const channels = [...sessionsOf].map(([channel, sessions]) => ({
    ...{ channel, sessions },
    previous: previous.get(channel) ?? 0,
  }));
  channels.sort((a, b) => b.sessions - a.sessions || b.previous - a.previous);
  return { from: isoTime(period.from), to: isoTime(period.to), rules: ofRules, channels };
}

async function countChannels(
  { runner, accountId, settings, abandoned }: ReportContext,
  period: { from: number; to: number },
  channels: readonly ChannelRule[],
): Promise<Map<string | null, number>> {
  const { channel } = await runner.run(
    'breakdown',
    {
      ...{ accountId, channels, filters: {}, include: { bots: false, internal: false }, periods: [period] },
      ...{ by: ['channel'], order: 'sessions', limit: 1_000, exchange: { ...settings, rates: [] } },
    },
    abandoned,
  );
  return new Map(channel?.rows.map(({ value, sessions }) => [value, sessions]));
}
