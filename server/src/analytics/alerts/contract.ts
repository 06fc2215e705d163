import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { ANALYTICS_LIMITS } from '../limits.ts';
import { WINDOWS } from './windows.ts';

const LIMITS = ANALYTICS_LIMITS.values;

export const FIGURES = [
  ...(['revenue', 'conversions', 'sessions', 'events', 'cost'] as const),
  ...(['destinationDifference', 'expectedRevenue', 'costWithoutClicks'] as const),
];
export type Figure = (typeof FIGURES)[number];
export const KINDS = ['threshold', 'change', 'expected', 'silence'] as const;
export type Kind = (typeof KINDS)[number];
export const PRESETS = ['salesDrop', 'scriptSilent', 'destinationBehind', 'costWithoutClicks'] as const;
export type Preset = (typeof PRESETS)[number];

const Channel = Type.Union([
  Type.Object({ type: Type.Literal('mail') }, { ...STRICT, title: 'AlertMail', description: 'To every owner' }),
  Type.Object(
    { type: Type.Literal('webhook') },
    {
      ...STRICT,
      title: 'AlertWebhook',
      description: 'To webhooks with the topics `alert.opened` and `alert.resolved`',
    },
  ),
  Type.Object(
    {
      type: Type.Literal('slack'),
      url: Type.String({
        maxLength: 2_048,
        description: 'An incoming webhook of Slack, or of a service that accepts `{"text"}`',
      }),
    },
    { ...STRICT, title: 'AlertSlack' },
  ),
]);
export type Channel = Static<typeof Channel>;

const members = {
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  figure: Type.Enum([...FIGURES], {
    title: 'AlertFigure',
    description:
      '`revenue` and `conversions` by the time of the sale, after refunds; `sessions` that started; `events` by arrival; `cost` by day. `destinationDifference`: how many percent of what a destination was meant to be told by now are missing there; the worst one. `expectedRevenue`: what clicks of the window are expected to earn. `costWithoutClicks`: cost of campaigns without a session',
  }),
  kind: Type.Enum([...KINDS], {
    title: 'AlertKind',
    description:
      '`threshold`: against `value`. `change`: by `percent` against the same window of the 8 weeks before. `expected`: likewise, against what was known at the same age then, so that sales that are reported late raise no alarm. `silence`: nothing for `minutes`',
  }),
  window: Type.Enum([...WINDOWS], { description: 'In the time zone of the account' }),
  direction: Type.Enum(['below', 'above']),
  value: orNull(Type.Number({ minimum: -1e15, maximum: 1e15 }), {
    description: 'Of `threshold`: in the currency of the account, or percent of `destinationDifference`',
  }),
  percent: orNull(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 }), {
    description:
      'Of `change` and `expected`. A difference must also be unlikely by the noise of these weeks: with few sales a day, it has to be larger',
  }),
  minutes: orNull(Type.Integer({ minimum: 5, maximum: 10_080 }), { description: 'Of `silence`' }),
  event: orNull(Type.String({ minLength: 1, maxLength: 255 }), { description: 'Of `events`: only this event' }),
  source: orNull(Type.String({ minLength: 1, maxLength: 255 }), {
    description: 'Of `revenue`, `conversions`, `sessions` and `cost`: only this source',
  }),
  channels: Type.Array(Channel, { maxItems: LIMITS.alertChannels }),
  isEnabled: Type.Boolean(),
};
const Definition = Type.Object(members);
export type AlertDefinition = Static<typeof Definition>;

const optional = Type.Partial(Definition).properties;

const AlertStatus = Type.Enum(['ok', 'alerting', 'tooYoung', 'failed', 'unknown'], {
  description:
    '`tooYoung`: fewer than three weeks are known. `failed`: the figure could not be read. `unknown`: not evaluated yet',
});

const Incident = Type.Object(
  {
    id: Type.String(),
    openedAt: Time(),
    resolvedAt: orNull(Time()),
    value: Type.Number({ description: 'When it was opened' }),
    expected: orNull(Type.Number({ description: 'What is usual' })),
    limit: orNull(Type.Number()),
    text: Type.String({ description: 'The notice' }),
  },
  { title: 'AlertIncident' },
);
export type Incident = Static<typeof Incident>;

export const Alert = Type.Object(
  {
    id: Type.String(),
    ...members,
    status: AlertStatus,
    current: orNull(Type.Number(), { description: 'The figure at the last evaluation; of `silence`, what arrived' }),
    expected: orNull(Type.Number(), { description: 'What is usual at this age' }),
    limit: orNull(Type.Number(), { description: 'Beyond it, the rule alerts' }),
    incident: orNull(Incident, { description: 'The open one' }),
    checkedAt: orNull(Time()),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Alert' },
);
export type Alert = Static<typeof Alert>;

const READ_ONLY = readOnly(
  ...(['id', 'status', 'current', 'expected', 'limit', 'incident', 'checkedAt', 'createdAt', 'updatedAt'] as const),
);

export const NewAlert = Type.Object(
  {
    ...READ_ONLY,
    preset: Type.Optional(
      Type.Enum([...PRESETS], {
        description:
          'What members that are not sent are set to. `salesDrop`: sales of yesterday 40 % under what is usual by now. `scriptSilent`: no visit for 30 minutes. `destinationBehind`: a destination was told 20 % less than was earned. `costWithoutClicks`',
      }),
    ),
    ...optional,
  },
  STRICT,
);
export type NewAlert = Static<typeof NewAlert>;
export const AlertChange = Type.Object({ ...READ_ONLY, ...optional }, STRICT);
export type AlertChange = Static<typeof AlertChange>;

export const AlertPath = Type.Object({ alertId: Type.String() });
export const AlertsQuery = Type.Object(pageQuery, STRICT);
export const AlertPage = Type.Object({ alerts: Type.Array(Alert), nextPageToken: NextPageToken });
export const IncidentPage = Type.Object({ incidents: Type.Array(Incident), nextPageToken: NextPageToken });
export const DeletedAlert = Type.Object({ success: Type.Boolean() });
