import type { ChannelRule } from '@headwater/sdk';

/** Rules and conditions as they are edited: with keys, which survive sorting and removing. */
export interface EditedCondition {
  key: string;
  field: Field;
  operator: Operator;
  values: (string | null)[];
}

export interface EditedGroup {
  key: string;
  match: 'all' | 'any';
  conditions: EditedCondition[];
}

export type EditedItem = EditedCondition | EditedGroup;

export interface EditedRule {
  key: string;
  name: string;
  match: 'all' | 'any';
  conditions: EditedItem[];
}

type Condition = Extract<ChannelRule['conditions'][number], { field: string }>;
export type Field = Condition['field'];
export type Operator = Condition['operator'];

export const isGroup = (item: EditedItem): item is EditedGroup => 'match' in item;

let last = 0;
const newKey = () => `new ${Date.now().toString(36)} ${++last}`;

export const newCondition = (): EditedCondition => ({ key: newKey(), field: 'source', operator: 'is', values: [] });
export const newGroup = (match: 'all' | 'any'): EditedGroup => ({ key: newKey(), match, conditions: [newCondition()] });
export const newRule = (): EditedRule => ({ key: newKey(), name: '', match: 'all', conditions: [newCondition()] });

/** Keys tell rules by their position, so that a draft is known to be one of these. */
export const toEdited = (rules: readonly ChannelRule[]): EditedRule[] =>
  rules.map(({ name, match, conditions }, i) => ({
    ...{ key: `${i}`, name, match },
    conditions: conditions.map((item, n): EditedItem => {
      const key = `${i} ${n}`;
      if (!('conditions' in item)) return { key, ...item };
      const inner = item.conditions.map((each, m) => ({ key: `${key} ${m}`, ...each }));
      return { key, match: item.match, conditions: inner };
    }),
  }));

const toCondition = ({ field, operator, values }: EditedCondition): Condition => ({ field, operator, values });

export const toRules = (rules: readonly EditedRule[]): ChannelRule[] =>
  rules.map(({ name, match, conditions }) => ({
    name: name.trim(),
    match,
    conditions: conditions.map((item) =>
      isGroup(item) ? { match: item.match, conditions: item.conditions.map(toCondition) } : toCondition(item),
    ),
  }));
