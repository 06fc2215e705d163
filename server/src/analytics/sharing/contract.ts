import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { BREAKDOWN, FILTERS, PERIOD_OF_REQUEST } from '../contract.ts';
import { BodyFilters, FUNNEL } from '../reports/contract.ts';
import { COMPARISONS, INTERVALS } from '../reports/periods.ts';
import { PRESETS, type Preset } from './preset-periods.ts';

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const Password = Type.String({ minLength: 8, maxLength: 128 });
const Comparison = Type.Enum([...COMPARISONS], { default: 'previous' });

const Period = Type.Union([
  Type.Object(
    {
      preset: Type.Enum(Object.keys(PRESETS) as Preset[], {
        description: 'Relative to the current day of the time zone of the account',
      }),
    },
    { ...STRICT, title: 'PresetPeriod' },
  ),
  Type.Object(PERIOD_OF_REQUEST, { ...STRICT, title: 'ReportPeriod' }),
]);

const FunnelDefinition = Type.Object(FUNNEL, { ...STRICT, title: 'FunnelDefinition' });

const REPORT = {
  period: Period,
  compare: Type.Optional(Comparison),
  filters: Type.Optional(BodyFilters),
  funnel: Type.Optional(
    orNull(FunnelDefinition, { description: 'The report is this funnel; without one it is the overview' }),
  ),
};

/** What a link shares, as stored. */
const StoredReport = Type.Object(REPORT);
export type StoredReport = Static<typeof StoredReport>;

const INTERACTIVE = { description: 'Whether readers can choose another period and add filters' };

const ANNOTATIONS = { description: 'Whether readers see the annotations of the account, without their authors' };

const LINK = {
  name: Name,
  isInteractive: Type.Boolean(INTERACTIVE),
  hasAnnotations: Type.Boolean(ANNOTATIONS),
};

export const SharedLink = Type.Object(
  {
    id: Type.String(),
    ...LINK,
    ...REPORT,
    url: Type.String({ description: 'Opens the report, without signing in' }),
    embedUrl: Type.String({ description: 'The same, for an `<iframe>` on any site' }),
    hasPassword: Type.Boolean(),
    createdAt: Time(),
    lastReadAt: orNull(Time(), { description: 'To the hour' }),
  },
  { title: 'SharedLink' },
);
export type SharedLink = Static<typeof SharedLink>;

export const SharedLinks = Type.Object({ links: Type.Array(SharedLink) });

export const NewSharedLink = Type.Object(
  {
    name: Name,
    isInteractive: Type.Optional(Type.Boolean({ ...INTERACTIVE, default: false })),
    hasAnnotations: Type.Optional(Type.Boolean({ ...ANNOTATIONS, default: false })),
    password: Type.Optional(orNull(Password, { description: 'What readers must enter first; null: nothing' })),
    ...REPORT,
  },
  STRICT,
);
export type NewSharedLink = Static<typeof NewSharedLink>;

export const SharedLinkChange = Type.Object(
  {
    name: Type.Optional(Name),
    isInteractive: Type.Optional(LINK.isInteractive),
    hasAnnotations: Type.Optional(LINK.hasAnnotations),
    password: Type.Optional(orNull(Password, { description: 'null removes it. Readers must enter the new one' })),
    ...readOnly(
      ...(['id', 'period', 'compare', 'filters', 'funnel', 'url', 'embedUrl'] as const),
      ...(['hasPassword', 'createdAt', 'lastReadAt'] as const),
    ),
  },
  STRICT,
);
export type SharedLinkChange = Static<typeof SharedLinkChange>;

export const SharedLinkPath = Type.Object({ linkId: Type.String() });
export const Deleted = Type.Object({ success: Type.Boolean() });

export const SharedReport = Type.Object(
  {
    name: Type.String(),
    account: Type.String({ description: 'The name of the account' }),
    isInteractive: Type.Boolean(),
    hasAnnotations: Type.Boolean(),
    ...PERIOD_OF_REQUEST,
    timeZone: Type.String(),
    compare: Comparison,
    filters: BodyFilters,
    funnel: orNull(FunnelDefinition),
  },
  { title: 'SharedReport' },
);
export type SharedReport = Static<typeof SharedReport>;

export const Unlock = Type.Object({ password: Type.String({ maxLength: 1_000 }) }, STRICT);
export const Unlocked = Type.Object({
  access: Type.String({ description: 'Valid for twelve hours, and until the password is changed' }),
});

const CHOSEN_PERIOD = {
  from: Type.Optional(PERIOD_OF_REQUEST.from),
  to: Type.Optional(PERIOD_OF_REQUEST.to),
};
const CHOSEN = { ...CHOSEN_PERIOD, ...FILTERS };

/** Without a period, that of the link. Only readers of interactive links may send one, or filters. */
export const SharedOverviewQuery = Type.Object(
  {
    ...CHOSEN,
    compare: Type.Optional(Type.Enum([...COMPARISONS])),
    interval: Type.Optional(Type.Enum([...INTERVALS], { default: 'day' })),
  },
  STRICT,
);
export type SharedOverviewQuery = Static<typeof SharedOverviewQuery>;

export const SharedBreakdownQuery = Type.Object({ ...CHOSEN, ...BREAKDOWN }, STRICT);
export type SharedBreakdownQuery = Static<typeof SharedBreakdownQuery>;

export const SharedFunnelQuery = Type.Object(CHOSEN, STRICT);
export type SharedFunnelQuery = Static<typeof SharedFunnelQuery>;

export const SharedAnnotationsQuery = Type.Object(CHOSEN_PERIOD, STRICT);
export type SharedAnnotationsQuery = Static<typeof SharedAnnotationsQuery>;
