import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';

export const ACTIONS = ['read', 'create', 'update', 'delete', 'publish', 'review'] as const;
export type Action = (typeof ACTIONS)[number];
export const FEATURES = ['analytics', 'conversions', 'files', 'webhooks', 'destinations', 'members', 'schema'] as const;
export type Feature = (typeof FEATURES)[number];
const LEVELS = ['none', 'read', 'write'] as const;
export type Level = (typeof LEVELS)[number];

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 200 });
export const Permission = Type.Object(
  {
    collection: Type.String({
      maxLength: 64,
      description: 'The ID or key of a collection, or `*`: all that no other permission names for the action',
    }),
    actions: Type.Array(Type.Enum([...ACTIONS]), { minItems: 1, maxItems: ACTIONS.length, uniqueItems: true }),
    fields: Type.Optional({ ...Names, description: 'Only these fields; for reading and writing' }),
    exceptFields: Type.Optional({ ...Names, description: 'All fields but these' }),
    where: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Conditions as in `where` of a list: entries that do not match do not exist for the role, and must match before ' +
          'and after a write. `{"currentUser": true}` stands for the ID of the user, or of the token.',
      }),
    ),
    locales: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 35 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Of localized fields, only the values in these locales',
      }),
    ),
  },
  { ...STRICT, title: 'Permission' },
);
export type Permission = Static<typeof Permission>;

const LevelName = Type.Enum([...LEVELS]);
const levels = Object.fromEntries(FEATURES.map((name) => [name, LevelName])) as Record<Feature, typeof LevelName>;
export const Features = Type.Object(levels, { title: 'Features' });
export type Features = Static<typeof Features>;

const role = {
  id: Type.String(),
  key: Type.String(),
  name: Type.String(),
  builtIn: Type.Boolean({
    description: 'It cannot be changed. `operator` is no role of accounts: the command line sets it',
  }),
  permissions: Type.Array(Permission),
  features: Features,
  uses: Type.Optional(
    Type.Object(
      { members: Type.Integer(), invitations: Type.Integer(), keys: Type.Integer() },
      { description: 'Who has the role: members, open invitations and active secret tokens. Only in the list' },
    ),
  ),
  version: Type.Integer(),
  createdAt: orNull(Time()),
  updatedAt: orNull(Time()),
};
export const RoleResponse = Type.Object(role, { title: 'Role' });
export type RoleResponse = Static<typeof RoleResponse>;
export const RoleList = Type.Object({ roles: Type.Array(RoleResponse), nextPageToken: Type.Null() });
export const RolePath = Type.Object({ id: Type.String() });

const stored = readOnly('id', 'builtIn', 'uses', 'createdAt', 'updatedAt');
const Key = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$', description: 'By default made from the name' });
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const Permissions = Type.Array(Permission, { maxItems: 500 });
const SomeFeatures = Type.Partial(Features, {
  ...STRICT,
  title: 'SentFeatures',
  description: 'A feature that is omitted is `none`; in a change, it stays as it is',
});
export const NewRole = Type.Object(
  {
    ...stored,
    ...readOnly('version'),
    key: Type.Optional(Key),
    name: Name,
    permissions: Type.Optional(Permissions),
    features: Type.Optional(SomeFeatures),
  },
  STRICT,
);
export type NewRole = Static<typeof NewRole>;
export const RoleChange = Type.Object(
  {
    ...stored,
    key: Type.Optional(Key),
    name: Type.Optional(Name),
    permissions: Type.Optional(Permissions),
    features: Type.Optional(SomeFeatures),
    version: Type.Optional(Type.Integer({ description: 'Of the role that is changed, to notice other changes' })),
  },
  STRICT,
);
export type RoleChange = Static<typeof RoleChange>;
