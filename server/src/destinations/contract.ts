import { type Static, Type } from 'typebox';
import { CLICK_ID_NAMES } from '../shared/click-ids.ts';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';
import { LIMITS } from './limits.ts';
import { NEEDS } from './platforms/platform.ts';
import { PLATFORM_IDS, PLATFORMS } from './platforms/registry.ts';

const credentialNames = PLATFORM_IDS.map((id) => {
  const names = Object.entries(PLATFORMS[id].credentials).map(([name, { isRequired }]) =>
    isRequired ? `\`${name}\`` : `\`${name}?\``,
  );
  return `${id}: ${names.join(', ') || 'none'}`;
});

export const PlatformName = Type.Enum([...PLATFORM_IDS], { title: 'AdPlatform' });
const Name = Type.String({ minLength: 1, maxLength: LIMITS.nameLength });
const Credentials = Type.Record(Type.String(), Type.String({ maxLength: LIMITS.credentialLength }), {
  title: 'DestinationCredentials',
  maxProperties: 20,
  description: `Never returned, except those that are no secrets. An empty text removes an optional one. Changing one that decides which host the secrets are sent to requires the secrets again. By platform: ${credentialNames.join('; ')}. See \`GET /v1/destinations/platforms\``,
});

const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 64 })]);
const EventName = Type.String({ minLength: 1, maxLength: 255 });

const VALUE_RULES = ['send', 'omit', 'fixed'] as const;

const MappingRule = Type.Object(
  {
    event: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The conversion's event; `*` stands for every event without its own rule",
    }),
    target: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The platform's conversion action or event name",
    }),
    value: Type.Optional(
      Type.Enum([...VALUE_RULES], {
        description: "`send` (default): the conversion's value; `omit`: none; `fixed`: always `amount`",
      }),
    ),
    amount: Type.Optional(Type.Union([Amount, Type.Null()], { description: 'With `value: fixed`' })),
    currency: Type.Optional(
      orNull(Type.String({ maxLength: 3 }), {
        description: 'Of `amount`, or of conversions that were reported without a currency',
      }),
    ),
  },
  { ...STRICT, title: 'NewMappingRule' },
);
export type MappingRule = Static<typeof MappingRule>;

const Mapping = Type.Array(MappingRule, {
  maxItems: LIMITS.mappingRules,
  description:
    'Required, as `consent` and `mode` are, except by the platform `cdn`, which has no mapping and is `live` by default',
});

const Filter = Type.Object(
  {
    events: Type.Optional(
      orNull(Type.Array(EventName, { minItems: 1, maxItems: LIMITS.filterValues, uniqueItems: true })),
    ),
    sources: Type.Optional(
      orNull(
        Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
          minItems: 1,
          maxItems: LIMITS.filterValues,
          uniqueItems: true,
        }),
        {
          description: "The session's source",
        },
      ),
    ),
    minimumValue: Type.Optional(
      Type.Union([Amount, Type.Null()], { description: "Compared with the conversion's value in its own currency" }),
    ),
  },
  { ...STRICT, title: 'NewDestinationFilter', description: 'Which conversions are sent; by default all' },
);
export type Filter = Static<typeof Filter>;

const Consent = Type.Enum(['required', 'unless_denied', 'ignore'], {
  title: 'DestinationConsent',
  description:
    "Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis",
});

const Mode = Type.Enum(['live', 'validate', 'off'], {
  title: 'DestinationMode',
  description:
    '`validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued',
});

const SendAfter = Type.Integer({
  minimum: 0,
  maximum: LIMITS.sendAfterSeconds,
  description:
    'Seconds from the report of a conversion until it is sent, with the value that it has by then. For platforms that cannot change a value later',
});

const TrustPublicValues = Type.Boolean({
  description:
    'Whether the values of events with the publishable key, which anyone can record, are sent. Otherwise (default) only those from secret tokens and postbacks are; the others are `skipped` as `value_untrusted`, unless the mapping replaces the value',
});

export const VALUES_SENT = ['current', 'expected', 'settled'] as const;

const ValueSent = Type.Enum([...VALUES_SENT], {
  title: 'DestinationValue',
  description:
    '`current` (default): the value that is known; `settled`: conversions are sent after `sendAfter`, or else after 30 days or as late as the platform accepts them, with the value that they have by then; `expected`: the value is scaled by how values of its source develop after the sale, through refunds and restatements, for platforms that cannot adjust it later',
});

const StartAt = Time({
  description: 'Conversions dated before are not sent. By default when the destination is created',
});

/** Body of `POST /v1/destinations`. */
export const NewDestination = Type.Object(
  {
    platform: PlatformName,
    name: Name,
    credentials: Credentials,
    mapping: Type.Optional(Mapping),
    filter: Type.Optional(orNull(Filter)),
    consent: Type.Optional(Consent),
    mode: Type.Optional(Mode),
    startAt: Type.Optional(orNull(StartAt)),
    sendAfter: Type.Optional(orNull(SendAfter)),
    value: Type.Optional(orNull(ValueSent)),
    trustPublicValues: Type.Optional(orNull(TrustPublicValues)),
  },
  STRICT,
);
export type NewDestination = Static<typeof NewDestination>;

const stored = {
  connection: Type.Record(Type.String(), Type.String(), {
    description: 'The credentials that are no secrets: which account of the platform this is',
  }),
  status: Type.Enum(['active', 'paused', 'deleted'], {
    description: '`paused`: for `pauseReason`. Conversions wait until it is resumed by new credentials or a `mode`',
  }),
  pauseReason: orNull(
    Type.Enum(['credentials', 'access', 'refusals'], {
      title: 'DestinationPauseReason',
      description:
        'What the platform refuses. `credentials`; `access`: this destination, whatever is sent, for example because of a retired version of its API, a lost permission or a disabled account, which is tried again each hour; `refusals`: many conversions in a row with one code, of which `error` has the words. Once resumed, these are sent again',
    }),
  ),
  failingSince: orNull(Time(), { description: 'The first failed request since the last successful one' }),
  error: orNull(Type.String(), { description: 'What the platform responded to the latest failed request' }),
  lastSentAt: orNull(Time()),
  createdAt: Time(),
  updatedAt: Time(),
};

export const Destination = Type.Object(
  {
    id: Type.String(),
    platform: PlatformName,
    name: Type.String(),
    mapping: Type.Array(
      Type.Object(
        {
          event: Type.String(),
          target: Type.String(),
          value: Type.Enum([...VALUE_RULES]),
          amount: orNull(Type.String({ description: 'Exact decimal number' })),
          currency: orNull(Type.String()),
        },
        { title: 'MappingRule' },
      ),
    ),
    filter: Type.Object(
      {
        events: orNull(Type.Array(Type.String())),
        sources: orNull(Type.Array(Type.String())),
        minimumValue: orNull(Type.String()),
      },
      { title: 'DestinationFilter' },
    ),
    consent: Consent,
    mode: Mode,
    startAt: Time(),
    sendAfter: Type.Integer(),
    value: Type.Enum([...VALUES_SENT]),
    trustPublicValues: Type.Boolean(),
    ...stored,
  },
  { title: 'Destination' },
);
export type Destination = Static<typeof Destination>;

const ignored = Type.Optional(Type.Unsafe<unknown>({ readOnly: true }));
const READ_ONLY = Object.fromEntries(['id', 'counts', ...Object.keys(stored)].map((name) => [name, ignored]));

/** Body of `PATCH /v1/destinations/{id}`: omitted members stay unchanged. */
export const DestinationChange = Type.Object(
  {
    ...READ_ONLY,
    platform: Type.Optional(Type.Enum([...PLATFORM_IDS], { description: 'Cannot be changed' })),
    name: Type.Optional(Name),
    credentials: Type.Optional(Credentials),
    mapping: Type.Optional(Mapping),
    filter: Type.Optional(orNull(Filter)),
    consent: Type.Optional(Consent),
    mode: Type.Optional(Mode),
    startAt: Type.Optional(StartAt),
    sendAfter: Type.Optional(SendAfter),
    value: Type.Optional(ValueSent),
    trustPublicValues: Type.Optional(TrustPublicValues),
  },
  STRICT,
);
export type DestinationChange = Partial<
  Omit<NewDestination, 'startAt' | 'sendAfter' | 'value' | 'trustPublicValues'>
> & {
  startAt?: string;
  sendAfter?: number;
  value?: (typeof VALUES_SENT)[number];
  trustPublicValues?: boolean;
};

export const DELIVERY_STATUSES = [
  'queued',
  'sent',
  'adjusted',
  'retracted',
  'skipped',
  'rejected',
  'not_adjustable',
  'uncertain',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What is counted at most, so that a count takes the same time however much was sent. */
export const MAX_COUNT = 10_000;

export const DestinationWithCounts = Type.Object(
  {
    ...Destination.properties,
    counts: Type.Record(Type.Enum([...DELIVERY_STATUSES]), Type.Integer(), {
      description: `Conversions by status, counted up to ${MAX_COUNT.toLocaleString('en-US')}`,
    }),
  },
  { title: 'DestinationWithCounts' },
);
export type DestinationWithCounts = Static<typeof DestinationWithCounts>;

export const DestinationPage = Type.Object({ destinations: Type.Array(Destination), nextPageToken: NextPageToken });

export const Platform = Type.Object(
  {
    platform: PlatformName,
    name: Type.String(),
    credentials: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        description: Type.String({ description: 'Where to find it' }),
        isSecret: Type.Boolean(),
        decidesHost: Type.Boolean({
          description: 'Whether it decides which host the secrets are sent to: changing it requires the secrets again',
        }),
        isRequired: Type.Boolean(),
        pattern: Type.String({ description: 'A regular expression for the whole value' }),
        example: Type.String(),
      }),
    ),
    target: Type.Object(
      { label: Type.String(), description: Type.String(), pattern: Type.String(), example: Type.String() },
      { description: 'What a conversion event is mapped to' },
    ),
    purges: Type.Boolean({
      description: 'Whether it receives what was published, to purge caches, instead of conversions',
    }),
    clickIds: Type.Array(Type.Enum([...CLICK_ID_NAMES]), { description: 'The click ids that the platform accepts' }),
    usesEmail: Type.Boolean({ description: "Whether it also matches by the SHA-256 of the lead's email" }),
    needs: Type.Enum([...NEEDS], { description: 'Which identifiers a conversion must have to be sent' }),
    usesClient: Type.Boolean({ description: 'Whether it also matches by IP address and user agent' }),
    maxAgeDays: Type.Integer({ description: 'Older conversions are refused' }),
    adjustment: Type.Enum(['overwrite', 'restate', 'none'], {
      description: 'How a changed value reaches the platform; `none`: it does not, so use `sendAfter`',
    }),
    validation: Type.Enum(['platform', 'local'], { description: 'Who checks conversions in mode `validate`' }),
    version: orNull(Type.String({ description: "Of the platform's API, with which requests are made" })),
    versionEnds: orNull(
      Type.String({ description: 'The day from which that version stops working, if it is announced' }),
    ),
  },
  { title: 'DestinationPlatform' },
);
export type Platform = Static<typeof Platform>;

export const PlatformList = Type.Object({ platforms: Type.Array(Platform) });

export const DestinationsQuery = Type.Object(pageQuery, STRICT);
export const DestinationPath = Type.Object({ id: Type.String() });
