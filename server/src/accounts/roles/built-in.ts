import { ACTIONS, FEATURES, type Feature, type Features, type Level, type RoleResponse } from './contract.ts';

export const featuresOf = (level: Level, others: Partial<Features> = {}): Features => ({
  ...(Object.fromEntries(FEATURES.map((name) => [name, level])) as Record<Feature, Level>),
  ...others,
});

const role = (
  key: string,
  name: string,
  actions: readonly (typeof ACTIONS)[number][],
  features: Features,
): RoleResponse => ({
  id: key,
  key,
  name,
  builtIn: true,
  permissions: actions.length === 0 ? [] : [{ collection: '*', actions: [...actions] }],
  features,
  version: 1,
  createdAt: null,
  updatedAt: null,
});

/** What the roles that every account has may do, in the words of those that it defines. */
export const BUILT_IN_ROLES: readonly RoleResponse[] = [
  role('owner', 'Owner', ACTIONS, featuresOf('write')),
  role('editor', 'Editor', ACTIONS, featuresOf('write', { webhooks: 'read', destinations: 'read', members: 'none' })),
  role('viewer', 'Viewer', ['read'], featuresOf('read', { members: 'none' })),
  role('operator', 'Operator', [], featuresOf('none')),
];

/** A secret token without a role: a leaked one must not be able to let others in. */
export const TOKEN_GRANTS = {
  permissions: [{ collection: '*', actions: [...ACTIONS] }],
  features: featuresOf('write', { members: 'none' }),
};

export const NOTHING = { permissions: [], features: featuresOf('none') };
