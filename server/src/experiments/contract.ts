import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { LIMITS } from './limits.ts';

const KEY = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';
const Key = (description: string) => Type.String({ pattern: KEY, description });
const Duration = (description: string) => Type.String({ pattern: '^[0-9]{1,4}[dh]$', description });
const EventName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'An event or conversion that was recorded',
});

/** What sessions are filtered by. */
export const AUDIENCE = ['source', 'medium', 'campaign', 'device', 'browser', 'os', 'country', 'region'] as const;
export type AudienceName = (typeof AUDIENCE)[number];

const Metric = Type.Object(
  {
    event: EventName,
    kind: Type.Enum(['revenue', 'conversions', 'events'], {
      description: 'The revenue or the number of conversions with this event, or the number of these events',
    }),
    currency: Type.Optional(
      orNull(Type.String({ maxLength: 8 }), {
        description: 'ISO 4217: what revenue is converted to; by default the currency of the account',
      }),
    ),
    cap: Type.Optional(
      orNull(Type.Number({ exclusiveMinimum: 0 }), {
        description:
          'What the value of a visitor is capped at: an amount from 1, or, below 1, a quantile of the values above 0 of all variants together',
      }),
    ),
  },
  { ...STRICT, title: 'ExperimentMetric' },
);
export type Metric = Static<typeof Metric>;

const Variant = Type.Object(
  {
    key: Key('Its name in pages and reports'),
    weight: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Its share; the weights sum to 1' }),
    values: Type.Optional(
      orNull(Type.Object({}, { additionalProperties: true }), {
        description:
          'The values that it replaces: by the ID of the entry in `content`, and then of the field; with one entry, by the ID of the field alone. ' +
          'They are checked as a change of the entry is',
      }),
    ),
  },
  { ...STRICT, title: 'ExperimentVariant' },
);
export type Variant = Static<typeof Variant>;

const Values = Type.Optional(Type.Array(Type.String({ maxLength: 512 }), { minItems: 1, maxItems: 100 }));

const Audience = Type.Object(
  {
    filters: Type.Object(
      Object.fromEntries(AUDIENCE.map((name) => [name, Values])) as Record<AudienceName, typeof Values>,
      { ...STRICT, description: 'Values of the session of the first exposure; any of them counts' },
    ),
  },
  { ...STRICT, title: 'ExperimentAudience' },
);

const Content = Type.Object(
  { collectionId: Type.String(), entryId: Type.String() },
  { ...STRICT, title: 'ExperimentEntry' },
);

const DEFINITION = {
  key: Key('Seeds the assignment of visitors; unique in the account'),
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  hypothesis: Type.Optional(orNull(Type.String({ maxLength: 2_000 }))),
  variants: Type.Array(Variant, {
    minItems: 2,
    maxItems: LIMITS.variants,
    description: 'The first is what the others are compared with',
  }),
  metric: Metric,
  guardrails: Type.Optional(
    Type.Array(Metric, { maxItems: LIMITS.guardrails, description: 'What must not get worse' }),
  ),
  audience: Type.Optional(orNull(Audience)),
  window: Type.Optional(Type.String({ ...Duration('How long after the first exposure sales count'), default: '14d' })),
  settleAfter: Type.Optional(
    Type.String({
      ...Duration('How long after the window reports of these sales are waited for before the visitor decides'),
      default: '30d',
    }),
  ),
  coverage: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, default: 1, description: 'The share of visitors that take part' }),
  ),
  holdout: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 0.5,
      default: 0,
      description:
        'The share of visitors who take no part and who see the first variant also after another one was shipped, so that results go on telling what it earns',
    }),
  ),
  namespace: Type.Optional(
    orNull(Key('Experiments of one namespace share no visitor: one leaves out those of the ones that started earlier')),
  ),
  content: Type.Optional(Type.Array(Content, { maxItems: 20, description: 'Entries that variants change' })),
  plannedVisitors: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), {
      description: 'The number of settled visitors of the plan, at which intervals are narrowest',
    }),
  ),
};

const READ_ONLY = readOnly(
  ...[
    'id',
    'status',
    'shippedVariant',
    'releaseId',
    'preceding',
    'createdAt',
    'updatedAt',
    'startedAt',
    'stoppedAt',
    'shippedAt',
  ],
);

/** Body of `POST /v1/experiments`. */
export const NewExperiment = Type.Object({ ...DEFINITION, ...READ_ONLY }, STRICT);
export type NewExperiment = Static<typeof NewExperiment>;

export const ExperimentChange = Type.Partial(NewExperiment, STRICT);
export type ExperimentChange = Static<typeof ExperimentChange>;

/** What a visitor is assigned by. */
const Assigned = Type.Object(
  {
    key: Type.String(),
    variants: Type.Array(Type.Object({ key: Type.String(), weight: Type.Number() })),
    coverage: Type.Number(),
    holdout: Type.Optional(Type.Number()),
  },
  { title: 'AssignedExperiment' },
);
export type Assigned = Static<typeof Assigned>;

const NullTime = orNull(Time());
const AnyValues = orNull(Type.Object({}, { additionalProperties: true }));

export const Experiment = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    name: Type.String(),
    hypothesis: orNull(Type.String()),
    status: Type.Enum(['draft', 'running', 'stopped', 'shipped']),
    variants: Type.Array(Type.Object({ key: Type.String(), weight: Type.Number(), values: AnyValues })),
    metric: Metric,
    guardrails: Type.Array(Metric),
    audience: orNull(Audience),
    window: Type.String(),
    settleAfter: Type.String(),
    coverage: Type.Number(),
    holdout: Type.Number(),
    namespace: orNull(Type.String()),
    content: Type.Array(Content),
    plannedVisitors: orNull(Type.Integer()),
    preceding: Type.Array(Assigned, {
      description:
        'Whose visitors it leaves out: the experiments of the namespace that started earlier, and holdouts of the namespace or of its entries',
    }),
    shippedVariant: orNull(Type.String()),
    releaseId: orNull(Type.String(), { description: 'The release of the values of the shipped variant' }),
    createdAt: Time(),
    updatedAt: Time(),
    startedAt: NullTime,
    stoppedAt: NullTime,
    shippedAt: NullTime,
  },
  { title: 'Experiment' },
);
export type Experiment = Static<typeof Experiment>;

/** What is stored: every member, with its default. */
export type Definition = Omit<
  Experiment,
  | 'id'
  | 'status'
  | 'preceding'
  | 'shippedVariant'
  | 'releaseId'
  | 'createdAt'
  | 'updatedAt'
  | 'startedAt'
  | 'stoppedAt'
  | 'shippedAt'
>;

export const ExperimentPath = Type.Object({ experimentId: Type.String() });
export const ExperimentsQuery = Type.Object(
  { ...pageQuery, status: Type.Optional(Type.Enum(['draft', 'running', 'stopped', 'shipped'])) },
  STRICT,
);
export const ExperimentPage = Type.Object({ experiments: Type.Array(Experiment), nextPageToken: NextPageToken });

export const EmptyBody = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'Empty',
});
export const ShipBody = Type.Object(
  {
    variant: Type.String({ description: 'The key of the variant that everybody gets from now on' }),
    publish: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the release with its values is published at once. false: it is open, and you publish it later',
      }),
    ),
  },
  STRICT,
);

/** What pages and servers assign visitors by, without what nobody else should know. */
export const RunningExperiments = Type.Object(
  {
    experiments: Type.Array(
      Type.Object(
        {
          ...Assigned.properties,
          holdout: Type.Number(),
          preceding: Type.Array(Assigned),
          shippedVariant: orNull(Type.String()),
          content: Type.Array(Content),
        },
        { title: 'RunningExperiment' },
      ),
    ),
  },
  { title: 'RunningExperiments' },
);
export type RunningExperiments = Static<typeof RunningExperiments>;
export const KeyQuery = Type.Object(
  {
    key: Type.Optional(Type.String({ description: 'A publishable key, unless it is sent in the header `x-api-key`' })),
  },
  STRICT,
);

export const AssignmentQuery = Type.Object({ visitorId: Type.String({ minLength: 1, maxLength: 255 }) }, STRICT);
export const Assignment = Type.Object(
  {
    bucket: Type.Integer({ description: '0 to 9,999' }),
    variant: orNull(Type.String(), { description: 'null: the visitor does not take part' }),
  },
  { title: 'ExperimentAssignment' },
);
export type Assignment = Static<typeof Assignment>;
