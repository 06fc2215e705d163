import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

const members = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.labelLength, pattern: '\\S' }),
  url: Type.String({
    maxLength: LIMITS.urlLength,
    description: 'An http or https URL on the public internet, without user name and password',
  }),
  collectionIds: orNull(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }), {
    description: 'The collections whose entries are checked, by ID or key; returned as IDs. null: all',
  }),
  onError: Type.Enum(['refuse', 'publish'], {
    description: 'What happens if the URL does not answer as expected within 5 seconds. `refuse` by default',
  }),
  enabled: Type.Boolean({ description: 'true by default' }),
};

export const PublishHook = Type.Object(
  {
    id: Type.String(),
    ...members,
    lastOutcome: orNull(Type.Enum(['allowed', 'refused', 'failed']), {
      description: 'How the latest request ended; null before the first one',
    }),
    lastError: orNull(Type.String(), { description: 'Why the latest request failed' }),
    lastAskedAt: orNull(Time()),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'PublishHook' },
);
export type PublishHook = Static<typeof PublishHook>;

export const PublishHookWithSecret = Type.Object(
  {
    ...PublishHook.properties,
    secret: Type.String({ description: 'Signs the requests (`whsec_…`). It is not shown again.' }),
  },
  { title: 'PublishHookWithSecret' },
);

export const PublishHooks = Type.Object({ hooks: Type.Array(PublishHook) });

const ignored = readOnly('id', 'lastOutcome', 'lastError', 'lastAskedAt', 'createdAt', 'updatedAt');

export const NewPublishHook = Type.Object(
  {
    name: members.name,
    url: members.url,
    collectionIds: Type.Optional(members.collectionIds),
    onError: Type.Optional(members.onError),
    enabled: Type.Optional(members.enabled),
    ...ignored,
  },
  STRICT,
);
export type NewPublishHook = Static<typeof NewPublishHook>;

export const PublishHookChange = Type.Object(
  {
    name: Type.Optional(members.name),
    url: Type.Optional(members.url),
    collectionIds: Type.Optional(members.collectionIds),
    onError: Type.Optional(members.onError),
    enabled: Type.Optional(members.enabled),
    ...ignored,
  },
  STRICT,
);
export type PublishHookChange = Static<typeof PublishHookChange>;

export const PublishHookPath = Type.Object({ hookId: Type.String() });

export const PublishHookTest = Type.Object(
  {
    outcome: Type.Enum(['allowed', 'refused', 'failed']),
    detail: Type.String(),
    milliseconds: Type.Integer(),
  },
  { title: 'PublishHookTest' },
);
