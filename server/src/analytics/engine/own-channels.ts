import { type ChannelRule, conditionsOf, isGroup, isNegated, type RuleCondition } from '../channel-rules/rule.ts';
import { columnOf, namesText } from '../channel-rules/rule-sql.ts';
import { PLATFORMS } from '../dimensions.ts';
import type { ReportNames } from './names.ts';
import type { Column, Part } from './segment.ts';

/** A condition on the id of a text, or on the bits of platforms. */
interface IdCondition {
  column: (Column & Part) | 'platforms';
  ids: ReadonlySet<number>;
  bits: number;
  passesNone: boolean;
  passesMatch: boolean;
}

interface IdGroup<Item> {
  isAll: boolean;
  items: Item[];
}

/** The rules of an account with the ids of one report, as a message to other threads. */
export interface OwnChannels {
  rules: (IdGroup<IdCondition | IdGroup<IdCondition>> & { channel: number })[];
  /** What they read besides the channel. */
  parts: Part[];
}

/** Reads which texts the conditions name. All of them are compared in one scan. */
export async function readOwnChannels(names: ReportNames, rules: readonly ChannelRule[]): Promise<OwnChannels> {
  const idOf = await names.idsOf([...new Set(rules.map(({ name }) => name))]);
  const texts = rules.flatMap(conditionsOf).filter(isText);
  const ids = await names.idsNamed(texts.map((condition) => (text, format) => namesText(condition, text, format)));
  const idsOf = new Map<RuleCondition, ReadonlySet<number>>(
    texts.map((condition, i) => [condition, ids[i] ?? new Set()]),
  );
  const toIds = (condition: RuleCondition): IdCondition => {
    const { values } = condition;
    const passesMatch = !isNegated(condition);
    return {
      column: isText(condition) ? columnOf(condition.field) : 'platforms',
      ids: idsOf.get(condition) ?? new Set(),
      bits: PLATFORMS.reduce((bits, name, i) => (values.includes(name) ? bits | (1 << i) : bits), 0),
      passesNone: values.includes(null) === passesMatch,
      passesMatch,
    };
  };
  return {
    rules: rules.map(({ name, match, conditions }) => ({
      channel: idOf(name),
      isAll: match === 'all',
      items: conditions.map((item) =>
        isGroup(item) ? { isAll: item.match === 'all', items: item.conditions.map(toIds) } : toIds(item),
      ),
    })),
    parts: [...new Set(texts.map(({ field }) => columnOf(field)))],
  };
}

/** What it reads of a segment. */
interface SegmentColumnsView {
  readonly sessions: number;
  column(name: Column): Int32Array;
}

type TextCondition = RuleCondition & { field: Exclude<RuleCondition['field'], 'platform'> };
const isText = (condition: RuleCondition): condition is TextCondition => condition.field !== 'platform';

/** Replaces the default channels of the sessions of a segment by those of the first rule that holds. */
export function assignChannels({ rules }: OwnChannels, view: SegmentColumnsView, channels: Int32Array): void {
  const tests = rules.map(({ channel, ...group }) => ({ channel, holds: testOf(group, view) }));
  for (let i = 0; i < view.sessions; i++) {
    // A deleted session has none.
    if (channels[i] === 0) continue;
    const first = tests.find(({ holds }) => holds(i));
    if (first) channels[i] = first.channel;
  }
}

type Test = (i: number) => boolean;

function testOf(item: IdCondition | IdGroup<IdCondition | IdGroup<IdCondition>>, view: SegmentColumnsView): Test {
  if ('items' in item) {
    const tests = item.items.map((each) => testOf(each, view));
    return item.isAll ? (i) => tests.every((test) => test(i)) : (i) => tests.some((test) => test(i));
  }
  const { ids, bits, passesNone, passesMatch } = item;
  const column = view.column(item.column);
  const matches = item.column === 'platforms' ? (id: number) => (id & bits) !== 0 : (id: number) => ids.has(id);
  return (i) => {
    const id = column[i] ?? 0;
    return id === 0 ? passesNone : matches(id) === passesMatch;
  };
}
