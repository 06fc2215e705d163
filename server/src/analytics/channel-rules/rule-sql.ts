import type { DynamicParameters } from '../../shared/postgres/statement.ts';
import { type ChannelRule, isGroup, isNegated, type RuleCondition } from './rule.ts';

type Format = DynamicParameters['add'];
type TextCondition = RuleCondition & { field: Exclude<RuleCondition['field'], 'platform'> };

/** The text column that a condition reads. */
export const columnOf = (field: TextCondition['field']) =>
  field === 'referrerHost' ? 'referrer' : field === 'landingPath' ? 'landing_page' : field;

/** The part of a lower-case text that a condition compares. Pages are host and path; that of a home page has no slash. */
function partOf(field: TextCondition['field'], text: string): string {
  if (field === 'referrerHost') return `split_part(${text}, '/', 1)`;
  return field === 'landingPath' ? `coalesce(substring(${text} from '/.*'), '/')` : text;
}

/** Ignores the case of ASCII letters, as filters do. */
export const lowerOf = (text: string) => `lower(${text} collate "C")`;

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&').replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function patternOf({ field, operator }: RuleCondition, value: string): string {
  // Pages are stored without a slash at the end.
  const isPath = field === 'landingPath' && (operator === 'is' || operator === 'isNot');
  const text = escaped(isPath ? value.replace(/(?<=.)\/+$/, '') : value);
  if (operator === 'contains' || operator === 'containsNot') return `%${text}%`;
  if (operator === 'startsWith') return `${text}%`;
  return operator === 'matches' ? text.replaceAll('*', '%') : text;
}

/** Whether a lower-case text that is not null is one that a condition names, before it is negated. */
export function namesText(condition: TextCondition, text: string, format: Format): string {
  const patterns = condition.values.flatMap((value) => (value === null ? [] : patternOf(condition, value)));
  return `${partOf(condition.field, text)} like any(${format('text[]', patterns)})`;
}

function conditionSql(accountId: string, condition: RuleCondition, format: Format): string {
  const isNone = (none: string) => (condition.values.includes(null) ? ` or ${none}` : '');
  const negation = isNegated(condition) ? 'not ' : '';
  if (condition.field !== 'platform') {
    const column = columnOf(condition.field);
    const named = namesText({ ...condition, field: condition.field }, lowerOf(column), format);
    return `${negation}(coalesce(${column} is not null and ${named}, false)${isNone(`${column} is null`)})`;
  }
  const platforms = condition.values.filter((value) => value !== null);
  const keys = `select key from analytics_lists where account_id = ${format('uuid', accountId)} and list && ${format('text[]', platforms)}`;
  return `${negation}(platform_list in (${keys})${isNone('platform_list = 0')})`;
}

/**
 * The channel of a row of conversions or leads: that of the first rule that holds, otherwise its default channel group. A row without
 * a session has none.
 */
export function channelSql(accountId: string, rules: readonly ChannelRule[] = [], format: Format): string {
  if (rules.length === 0) return 'channel';
  const all = (match: ChannelRule['match'], conditions: string[]) =>
    conditions.join(match === 'all' ? ' and ' : ' or ');
  const cases = rules.map(({ name, match, conditions }) => {
    const sql = conditions.map((item) =>
      isGroup(item)
        ? `(${all(
            item.match,
            item.conditions.map((each) => conditionSql(accountId, each, format)),
          )})`
        : conditionSql(accountId, item, format),
    );
    return `when ${all(match, sql)} then ${format('text', name)}`;
  });
  return `case when channel is null then null ${cases.join(' ')} else channel end`;
}
