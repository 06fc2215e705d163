import type { Role } from '../service/session.ts';

export const ROLES: Record<Role, { label: string; description: string }> = {
  owner: { label: 'Owner', description: 'Full access, including members, keys and settings' },
  editor: { label: 'Editor', description: 'Content, files, conversions and exports' },
  viewer: { label: 'Viewer', description: 'Read-only access' },
};

export const AREA_OPTIONS = [
  { value: 'all', label: 'Everything' },
  { value: 'content', label: 'Content and files only' },
  { value: 'analytics', label: 'Analytics only' },
];

export type AreaChoice = 'all' | 'content' | 'analytics';

export const toArea = (choice: AreaChoice) => (choice === 'all' ? null : choice);

export const ROLE_OPTIONS = Object.entries(ROLES).map(([value, { label }]) => ({ value, label }));
