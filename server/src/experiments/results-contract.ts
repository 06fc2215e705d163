import { type Static, Type } from 'typebox';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';
import { AUDIENCE } from './contract.ts';

export const ResultsQuery = Type.Object(
  {
    segment: Type.Optional(
      Type.Enum([...AUDIENCE], {
        description: 'Also divides visitors by this, of the session of their first exposure',
      }),
    ),
    asKnownOn: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Responds as it would have at this time (RFC 3339, or a day: when it starts): by the exposures and reports that were known then',
      }),
    ),
  },
  STRICT,
);
export type ResultsQuery = Static<typeof ResultsQuery>;

const Arm = Type.Object(
  {
    variant: Type.String(),
    visitors: Type.Integer({ description: 'Persons whose first exposure was to it' }),
    settledVisitors: Type.Integer({ description: 'Those whose window and settling time are over' }),
    conversions: Type.Integer({ description: 'To date, without refunded ones; of the kind `events`, these events' }),
    revenue: Type.String({ description: 'To date, after refunds' }),
    settledRevenue: Type.String({ description: 'Of settled visitors, as it was known when they settled' }),
  },
  { title: 'ExperimentArm' },
);
export type ResultArm = Static<typeof Arm>;

const Ratio = (description: string) => orNull(Type.Number(), { description });
const COMPARISON = {
  variant: Type.String({ description: 'Compared with the first variant' }),
  metric: Type.String({ description: 'The event' }),
  kind: Type.String(),
  isGuardrail: Type.Boolean(),
  lift: Ratio('The relative difference per visitor: 0.1 is 10 % more. null: not known yet'),
  low: Ratio('The interval of 95 % over all looks'),
  high: Ratio('The interval of 95 % over all looks'),
};

const Lift = Type.Object(
  { variant: Type.String(), lift: Ratio('The relative difference'), low: Ratio(''), high: Ratio('') },
  { title: 'VariantLift' },
);

const SampleRatio = Type.Object(
  {
    expected: Type.Array(Type.Number(), { description: 'Visitors by the weights, in the order of the variants' }),
    observed: Type.Array(Type.Integer()),
    e: Type.Number({ description: 'The evidence against the weights' }),
    ok: Type.Boolean({ description: 'false: visitors are missing from a variant, so that no result can be trusted' }),
  },
  { title: 'SampleRatio' },
);

export const ExperimentResults = Type.Object(
  {
    asKnownOn: Time(),
    currency: orNull(Type.String()),
    arms: Type.Array(Arm),
    comparisons: Type.Array(
      Type.Object(
        { ...COMPARISON, decision: Type.Enum(['better', 'worse', 'undecided']) },
        { title: 'ExperimentComparison' },
      ),
      { description: 'By settled visitors' },
    ),
    sampleRatio: SampleRatio,
    toDate: Type.Object(
      {
        arms: Type.Array(Arm),
        comparisons: Type.Array(Type.Object(COMPARISON, { title: 'ComparisonToDate' })),
        sampleRatio: SampleRatio,
      },
      { description: 'By all visitors and the revenue to date, part of which may be refunded: never a decision' },
    ),
    looks: Type.Array(
      Type.Object({
        at: Time(),
        settledVisitors: Type.Integer(),
        intervals: Type.Array(Lift),
      }),
      { description: 'The metric over time, at the end of each day on which visitors settled' },
    ),
    segments: orNull(
      Type.Object({
        by: Type.String(),
        isExploration: Type.Literal(true),
        segments: Type.Array(
          Type.Object({
            value: Type.String(),
            arms: Type.Array(Arm),
            comparisons: Type.Array(Lift),
          }),
        ),
      }),
      {
        description:
          'The ten largest segments, if `segment` is sent. For exploration: in one of many segments something differs by chance. Never a decision',
      },
    ),
    holdout: orNull(
      Type.Object(
        {
          share: Type.Number(),
          since: Time(),
          arms: Type.Array(Arm, {
            description: 'The first variant, which the holdout sees, and the shipped one, since it was shipped',
          }),
          gain: orNull(Type.String(), {
            description:
              'The running sum: what the shipped variant brought more than the holdout, times its visitors, to date',
          }),
          lift: Ratio('Of settled visitors'),
          low: Ratio(''),
          high: Ratio(''),
        },
        { title: 'ExperimentHoldout' },
      ),
      { description: 'null without a holdout, or before another variant than the first is shipped' },
    ),
    pace: Type.Object(
      {
        visitorsPerDay: orNull(Type.Number()),
        visitorsNeeded: orNull(Type.Integer(), {
          description: 'Settled visitors; null: a decision is not foreseeable',
        }),
        decisionExpectedAt: orNull(Time()),
      },
      {
        title: 'ExperimentPace',
        description: 'When it would be decided if the difference and the visitors a day stayed as they are',
      },
    ),
    contaminated: Type.Integer({
      description: 'Visitors who saw more than one variant; the first one counts',
    }),
    summary: Type.String({ description: 'The result in a sentence' }),
    decidedAt: orNull(Time(), { description: 'When the metric was first decided' }),
  },
  { title: 'ExperimentResults' },
);
export type ExperimentResults = Static<typeof ExperimentResults>;

export const PowerQuery = Type.Object(
  {
    lift: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 10, description: '0.05: a difference of 5 %. By default several' }),
    ),
    power: Type.Optional(
      Type.Number({ minimum: 0.5, maximum: 0.99, default: 0.8, description: 'With which probability it is found' }),
    ),
  },
  STRICT,
);
export type PowerQuery = Static<typeof PowerQuery>;

export const ExperimentPower = Type.Object(
  {
    from: Time(),
    to: Time({ description: 'First visits from and to' }),
    visitors: Type.Integer({ description: 'Who would have taken part, of all who match the audience' }),
    visitorsPerDay: Type.Number(),
    mean: orNull(Type.Number(), { description: 'Of the metric per visitor within the window' }),
    standardDeviation: orNull(Type.Number()),
    power: Type.Number(),
    plans: Type.Array(
      Type.Object({
        lift: Type.Number(),
        visitors: orNull(Type.Integer(), {
          description: 'What to set as `plannedVisitors`; null: the history has no value',
        }),
        days: orNull(Type.Integer(), { description: 'Until so many have taken part and settled' }),
      }),
    ),
    summary: Type.String(),
  },
  { title: 'ExperimentPower' },
);
export type ExperimentPower = Static<typeof ExperimentPower>;
