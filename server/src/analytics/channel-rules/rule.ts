import type { Fault } from '../../shared/errors.ts';
import { PLATFORMS } from '../dimensions.ts';
import { LIMITS } from '../limits.ts';

/** What a condition looks at. `referrerHost` and `landingPath` are the parts of these pages. */
export const RULE_FIELDS = [
  ...(['source', 'medium', 'campaign', 'term', 'content', 'referrerHost', 'landingPath', 'platform'] as const),
];
type RuleField = (typeof RULE_FIELDS)[number];
export const RULE_OPERATORS = ['is', 'isNot', 'contains', 'containsNot', 'startsWith', 'matches'] as const;
type RuleOperator = (typeof RULE_OPERATORS)[number];

/** Holds if the value is (not) one of these, in any case; null: no value. `matches`: `*` stands for any text. */
export interface RuleCondition {
  field: RuleField;
  operator: RuleOperator;
  values: (string | null)[];
}

/** Conditions of which all or any have to hold. */
interface RuleGroup<Item = RuleCondition> {
  match: 'all' | 'any';
  conditions: Item[];
}

/** The sessions of a channel. */
export interface ChannelRule extends RuleGroup<RuleCondition | RuleGroup> {
  name: string;
}

export const isGroup = (item: RuleCondition | RuleGroup): item is RuleGroup => 'conditions' in item;

export const conditionsOf = (rule: ChannelRule): RuleCondition[] =>
  rule.conditions.flatMap((item) => (isGroup(item) ? item.conditions : item));

export const isNegated = ({ operator }: RuleCondition) => operator === 'isNot' || operator === 'containsNot';
const isWhole = ({ operator }: RuleCondition) => operator === 'is' || operator === 'isNot';

/** What its schema does not say of a rule. @param pointer of the rule */
export function faultsOf(rule: ChannelRule, pointer: string): Fault[] {
  const faults: Fault[] = [];
  const { length } = conditionsOf(rule);
  if (length > LIMITS.channelConditions) {
    const detail = `A rule has at most ${LIMITS.channelConditions} conditions; this one has ${length}.`;
    faults.push({ pointer: `${pointer}/conditions`, code: 'too_many_conditions', detail });
  }
  const check = (condition: RuleCondition, at: string) => {
    const isPlatform = condition.field === 'platform';
    if (isPlatform && !isWhole(condition)) {
      const detail = 'A click ID has no text. Use `is` or `isNot`.';
      faults.push({ pointer: `${at}/operator`, code: 'operator_invalid', detail });
    }
    condition.values.forEach((value, i) => {
      if (value === null && !isWhole(condition)) {
        const detail = 'No value is compared by `is` or `isNot`.';
        faults.push({ pointer: `${at}/values/${i}`, code: 'value_invalid', detail });
      } else if (isPlatform && value !== null && !PLATFORMS.includes(value)) {
        const detail = `A platform is the parameter of its click ID: ${PLATFORMS.join(', ')}.`;
        faults.push({ pointer: `${at}/values/${i}`, code: 'value_invalid', detail });
      }
    });
  };
  rule.conditions.forEach((item, i) => {
    const at = `${pointer}/conditions/${i}`;
    if (!isGroup(item)) check(item, at);
    else item.conditions.forEach((each, n) => void check(each, `${at}/conditions/${n}`));
  });
  return faults;
}
