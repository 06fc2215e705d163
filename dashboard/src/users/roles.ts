import { t } from '../languages/translate.ts';
import type { Role } from '../service/session.ts';

export const ROLES: Record<Role, { label: string; description: string }> = {
  owner: { label: t('Owner'), description: t('Full access, including members, keys and settings') },
  editor: { label: t('Editor'), description: t('Content, files, conversions and exports') },
  viewer: { label: t('Viewer'), description: t('Read-only access') },
  custom: { label: t('Custom role'), description: t('What the role of the account allows') },
};

export const AREA_OPTIONS = [
  { value: 'all', label: t('Everything') },
  { value: 'content', label: t('Content and files only') },
  { value: 'analytics', label: t('Analytics only') },
];

export type AreaChoice = 'all' | 'content' | 'analytics';

export const toArea = (choice: AreaChoice) => (choice === 'all' ? null : choice);

export const ROLE_OPTIONS = Object.entries(ROLES)
  .filter(([value]) => value !== 'custom')
  .map(([value, { label }]) => ({ value, label }));
