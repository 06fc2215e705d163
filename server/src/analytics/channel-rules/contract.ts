import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';
import { RULE_FIELDS, RULE_OPERATORS } from './rule.ts';

const Match = Type.Enum(['all', 'any'], { description: 'Whether all or any of the conditions have to hold' });

const Condition = Type.Object(
  {
    field: Type.Enum([...RULE_FIELDS], {
      description:
        '`term` and `content` are those of the UTM parameters, `referrerHost` and `landingPath` parts of the first page and its referrer, and `platform` the parameter of a click ID, such as `gclid`',
    }),
    operator: Type.Enum([...RULE_OPERATORS], {
      description:
        'All ignore the case of letters. `matches`: `*` stands for any text. `isNot` and `containsNot` also hold without a value',
    }),
    values: Type.Array(orNull(Type.String({ minLength: 1, maxLength: 512 })), {
      minItems: 1,
      maxItems: LIMITS.channelValues,
      description: 'Any of these; null: no value, with `is` and `isNot`',
    }),
  },
  { ...STRICT, title: 'ChannelCondition' },
);

const Group = Type.Object(
  { match: Match, conditions: Type.Array(Condition, { minItems: 1 }) },
  { ...STRICT, title: 'ChannelConditionGroup' },
);

const Rule = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^\\S(.*\\S)?$',
      description: 'The channel. Several rules may have the same, which may also be that of a default channel group',
    }),
    match: Match,
    conditions: Type.Array(Type.Union([Condition, Group]), { minItems: 1 }),
  },
  { ...STRICT, title: 'ChannelRule' },
);

const Version = Type.Integer({ minimum: 0, description: 'Grows with each change' });

const Effects = Type.Object(
  {
    from: Time(),
    to: Time(),
    rules: Type.Array(Type.Object({ name: Type.String(), sessions: Type.Integer() }), {
      description: 'How many sessions each rule takes',
    }),
    channels: Type.Array(
      Type.Object({
        channel: orNull(Type.String()),
        sessions: Type.Integer(),
        previous: Type.Integer({ description: 'By the current rules' }),
      }),
      { description: 'All sessions by channel' },
    ),
  },
  { title: 'ChannelRuleEffects' },
);
export type Effects = Static<typeof Effects>;

export const ChannelRules = Type.Object(
  {
    rules: Type.Array(Rule),
    version: Version,
    effects: Type.Optional(Effects),
  },
  { title: 'ChannelRules' },
);
export type ChannelRules = Static<typeof ChannelRules>;

/** Body of `PUT /v1/analytics/channel-rules`. */
export const ChannelRulesBody = Type.Object(
  {
    rules: Type.Array(Rule, { maxItems: LIMITS.channelRules }),
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The version that was read. If it is not the current one: `version_conflict`',
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Changes nothing and returns the effects on the sessions of the last 30 days' }),
    ),
    ...readOnly('effects'),
  },
  STRICT,
);
export type ChannelRulesBody = Static<typeof ChannelRulesBody>;
