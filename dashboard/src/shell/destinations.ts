import type { Role } from '../service/session.ts';
import type { IconName } from '../shared/icons.tsx';

export interface Destination {
  to: string;
  label: string;
  icon: IconName;
  /** Words that lead here besides its name. */
  keywords: string[];
  /** For owners alone. */
  isOwners?: boolean;
}

/** The pages of the dashboard, as the navigation and the command palette show them. */
const DESTINATIONS: Record<'main' | 'settings' | 'integrations', Destination[]> = {
  main: [
    {
      to: '/overview',
      label: 'Overview',
      icon: 'overview',
      keywords: ['statistics', 'visitors', 'revenue', 'reports'],
    },
    { to: '/funnels', label: 'Funnels', icon: 'filter', keywords: ['steps', 'drop off', 'conversion'] },
    { to: '/sessions', label: 'Sessions', icon: 'clock', keywords: ['visits', 'visitors', 'click id', 'hash', 'ads'] },
    { to: '/leads', label: 'Leads', icon: 'users', keywords: ['people', 'e-mail', 'contacts', 'customers'] },
    { to: '/content', label: 'Content', icon: 'content', keywords: ['collections', 'entries', 'cms'] },
    { to: '/files', label: 'Files', icon: 'files', keywords: ['images', 'videos', 'assets', 'media', 'upload'] },
    {
      to: '/conversions',
      label: 'Conversions',
      icon: 'check',
      keywords: ['report', 'sales', 'orders', 'csv', 'upload', 'unmatched', 'restate'],
    },
    { to: '/exports', label: 'Exports', icon: 'exports', keywords: ['csv', 'parquet', 'download', 'jobs'] },
  ],
  settings: [
    { to: '/settings/installation', label: 'Installation', icon: 'code', keywords: ['snippet', 'script', 'postback'] },
    {
      to: '/settings/tracking',
      label: 'Tracking',
      icon: 'shield',
      keywords: ['origins', 'retention', 'addresses', 'privacy'],
    },
    {
      to: '/settings/members',
      label: 'Members',
      icon: 'users',
      keywords: ['invite', 'roles', 'people'],
      isOwners: true,
    },
    {
      to: '/settings/audit',
      label: 'Audit log',
      icon: 'clock',
      keywords: ['history', 'changes', 'who'],
      isOwners: true,
    },
  ],
  integrations: [
    {
      to: '/settings/keys',
      label: 'API keys',
      icon: 'key',
      keywords: ['settings', 'integrations', 'token', 'secret', 'publishable'],
      isOwners: true,
    },
    { to: '/webhooks', label: 'Webhooks', icon: 'link', keywords: ['push', 'endpoints', 'deliveries'] },
  ],
};

/** Those that a role may open, in groups. */
export function destinationsOf(role: Role): { label?: string; items: Destination[] }[] {
  const { main, settings, integrations } = DESTINATIONS;
  return [
    { items: main },
    { label: 'Settings', items: settings },
    { label: 'Settings: integrations', items: integrations },
  ].map(({ items, ...group }) => ({ ...group, items: items.filter(({ isOwners }) => !isOwners || role === 'owner') }));
}

/** Pages on which there is nothing but to change something. */
const TO_EDIT = /^\/(conversions\/report|content\/new|content\/[^/]+\/(new|schema|import))$/;

/** The role that a page is of no use without; none: whoever may look. */
export function roleFor(path: string): 'owner' | 'editor' | undefined {
  if (TO_EDIT.test(path)) return 'editor';
  return Object.values(DESTINATIONS)
    .flat()
    .some(({ to, isOwners }) => isOwners && to === path)
    ? 'owner'
    : undefined;
}
