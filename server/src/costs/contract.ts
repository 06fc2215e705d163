import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';
import { CONNECTOR_IDS, CONNECTORS } from './connectors/registry.ts';
import { LIMITS } from './limits.ts';

const credentialNames = CONNECTOR_IDS.map((id) => {
  const names = Object.entries(CONNECTORS[id].credentials).map(([name, { isRequired }]) =>
    isRequired ? `\`${name}\`` : `\`${name}?\``,
  );
  return `${id}: ${names.join(', ')}`;
});

const Platform = Type.Enum([...CONNECTOR_IDS]);
const Name = Type.String({ minLength: 1, maxLength: LIMITS.nameLength });
const Source = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The source of the sessions that its ads lead to; by default that of its click ids, such as `google`',
});
const Credentials = Type.Record(Type.String(), Type.String({ maxLength: LIMITS.credentialLength }), {
  title: 'CostSourceCredentials',
  maxProperties: 20,
  description: `Never returned, except those that are no secrets. An empty text removes an optional one. Changing the ad account requires the secrets again. By platform: ${credentialNames.join('; ')}. See \`GET /v1/analytics/cost-sources/platforms\``,
});
const DestinationId = orNull(Type.String(), {
  description:
    'A destination of the same platform: its credentials are used as far as there are none here and they suffice (`reuses` of the platform)',
});
const Mode = Type.Enum(['live', 'off'], { description: '`live` (default): read each hour' });

/** Body of `POST /v1/analytics/cost-sources`. */
export const NewCostSource = Type.Object(
  {
    platform: Platform,
    name: Name,
    credentials: Type.Optional(Credentials),
    destinationId: Type.Optional(DestinationId),
    source: Type.Optional(orNull(Source)),
    mode: Type.Optional(orNull(Mode)),
  },
  STRICT,
);
export type NewCostSource = Static<typeof NewCostSource>;

const stored = {
  connection: Type.Record(Type.String(), Type.String(), { description: 'The credentials that are no secrets' }),
  status: Type.Enum(['active', 'paused', 'deleted'], {
    description: '`paused`: for `pauseReason`, until its credentials or `mode` are set again',
  }),
  pauseReason: orNull(
    Type.Enum(['credentials', 'access'], {
      title: 'CostSourcePauseReason',
      description:
        'What the platform refuses: the credentials; or, whatever is asked, the access, such as a lost permission, which is tried again each hour',
    }),
  ),
  error: orNull(Type.String(), { description: 'What the platform responded to the latest failed request' }),
  failingSince: orNull(Time()),
  currency: orNull(Type.String(), { description: 'Of the ad account, once it was read' }),
  timeZone: orNull(Type.String(), { description: 'In which its days begin, once it was read' }),
  lastReadAt: orNull(Time()),
  nextReadAt: orNull(Time(), { description: 'null: it is off, or waits for credentials' }),
  createdAt: Time(),
  updatedAt: Time(),
};

export const CostSource = Type.Object(
  {
    id: Type.String(),
    platform: Platform,
    name: Type.String(),
    destinationId: orNull(Type.String()),
    source: Type.String(),
    mode: Mode,
    ...stored,
  },
  { title: 'CostSource' },
);
export type CostSource = Static<typeof CostSource>;

const ignored = Type.Optional(Type.Unsafe<unknown>({ readOnly: true }));

/** Body of `PATCH /v1/analytics/cost-sources/{id}`: omitted members stay unchanged. */
export const CostSourceChange = Type.Object(
  {
    ...Object.fromEntries(['id', ...Object.keys(stored)].map((name) => [name, ignored])),
    platform: Type.Optional(Type.Enum([...CONNECTOR_IDS], { description: 'Cannot be changed' })),
    name: Type.Optional(Name),
    credentials: Type.Optional(Credentials),
    destinationId: Type.Optional(DestinationId),
    source: Type.Optional(Source),
    mode: Type.Optional(Mode),
  },
  STRICT,
);
export type CostSourceChange = Partial<Omit<NewCostSource, 'source' | 'mode'>> & {
  source?: string;
  mode?: 'live' | 'off';
};

export const CostSourcePage = Type.Object({ costSources: Type.Array(CostSource), nextPageToken: NextPageToken });
export const CostSourcesQuery = Type.Object(pageQuery, STRICT);
export const CostSourcePath = Type.Object({ costSourceId: Type.String() });

/** Query of `DELETE /v1/analytics/cost-sources/{id}`. */
export const DeleteQuery = Type.Object(
  {
    deleteCosts: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the costs that it read are removed, too, by a job' }),
    ),
  },
  STRICT,
);

/** Body of `POST /v1/analytics/cost-sources/{id}/refresh`. */
export const RefreshBody = Type.Object(
  {
    from: Type.Optional(
      orNull(Type.String({ format: 'date' }), {
        description: `The first day to read, at most ${LIMITS.days} days ago; by default 30 days ago`,
      }),
    ),
    dryRun: Type.Optional(
      orNull(Type.Boolean(), { description: 'Reads, and stores nothing: the result shows what would be stored' }),
    ),
  },
  STRICT,
);
export type RefreshBody = Static<typeof RefreshBody>;

export const CostPlatformList = Type.Object({
  platforms: Type.Array(
    Type.Object(
      {
        platform: Platform,
        name: Type.String(),
        source: Type.String({ description: 'Of sessions, by default' }),
        credentials: Type.Array(
          Type.Object({
            name: Type.String(),
            label: Type.String(),
            description: Type.String(),
            isSecret: Type.Boolean(),
            decidesHost: Type.Boolean({ description: 'Whether changing it requires the secrets again' }),
            isRequired: Type.Boolean(),
            pattern: Type.String(),
            example: Type.String(),
          }),
        ),
        reuses: Type.Array(Type.String(), { description: 'Credentials that a destination of the platform may lend' }),
        version: Type.String({ description: "Of the platform's API" }),
      },
      { title: 'CostPlatform' },
    ),
  ),
});
export type CostPlatformList = Static<typeof CostPlatformList>;
