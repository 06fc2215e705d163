import { t } from '../languages/translate.ts';
import type { Action, Feature, Level } from '../users/rights.ts';

export const ALL_COLLECTIONS = '*';

/** In the order of the grid. */
export const ACTION_LABELS: Record<Action, string> = {
  read: t('Read'),
  create: t('Create'),
  update: t('Change'),
  delete: t('Delete'),
  publish: t('Publish'),
  review: t('Review'),
};
export const ACTIONS = Object.keys(ACTION_LABELS) as Action[];

export const FEATURE_LABELS: Record<Feature, { label: string; note: string }> = {
  analytics: { label: t('Analytics'), note: t('Reports, sessions, leads, ad spend, alerts, experiments') },
  conversions: { label: t('Conversions'), note: t('Reported sales, reconciliation, unmatched') },
  files: { label: t('Files'), note: t('Images and other files, folders') },
  webhooks: { label: t('Webhooks'), note: t('Endpoints, publish hooks, deliveries') },
  destinations: { label: t('Ad platforms'), note: t('Connections, and what was sent to them') },
  members: { label: t('Members'), note: t('Invitations, roles, API keys, audit log') },
  schema: { label: t('Schema'), note: t('Collections, fields, components, locales') },
};
export const FEATURES = Object.keys(FEATURE_LABELS) as Feature[];

export const LEVEL_OPTIONS: { value: Level; label: string }[] = [
  { value: 'none', label: t('None') },
  { value: 'read', label: t('Read') },
  { value: 'write', label: t('Change') },
];
