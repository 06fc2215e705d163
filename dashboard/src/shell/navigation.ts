import type { AccountOfUser } from '../service/session.ts';
import type { IconName } from '../shared/icons.tsx';

export interface NavigationItem {
  to: string;
  label: string;
  icon: IconName;
  /** Further search terms. */
  keywords: string[];
  /** Only owners can open it. */
  ownersOnly: boolean;
}

/** @param keywords further search terms, separated by commas */
const page = (to: string, label: string, icon: IconName, keywords: string, ownersOnly = false): NavigationItem => ({
  to,
  label,
  icon,
  keywords: keywords.split(', '),
  ownersOnly,
});

/** Only for operators of the service. */
const OPERATOR_PAGES = ['/settings/backups', '/settings/cells'];

/** The pages in the navigation and the command palette. */
const NAVIGATION: Record<'main' | 'settings' | 'integrations', NavigationItem[]> = {
  main: [
    page('/overview', 'Overview', 'overview', 'statistics, visitors, revenue, reports'),
    page('/funnels', 'Funnels', 'filter', 'steps, drop off, conversion'),
    page('/sessions', 'Sessions', 'clock', 'visits, visitors, click id, hash, ads'),
    page('/leads', 'Leads', 'users', 'people, email, contacts, customers'),
    page('/content', 'Content', 'content', 'collections, entries, cms'),
    page('/files', 'Files', 'files', 'images, videos, assets, media, upload'),
    page('/conversions', 'Conversions', 'check', 'report, sales, orders, csv, upload, unmatched, adjust, refund'),
    page('/ad-costs', 'Ad spend', 'coins', 'costs, cpa, roas, budget, campaigns'),
    page('/exports', 'Exports', 'exports', 'csv, parquet, download, jobs'),
  ],
  settings: [
    page('/settings/installation', 'Installation', 'code', 'snippet, script, postback'),
    page('/settings/general', 'General', 'settings', 'account, name, time zone, currency, exchange rates'),
    page('/settings/locales', 'Locales', 'flag', 'languages, translation, localization, i18n'),
    page('/settings/tracking', 'Tracking', 'shield', 'domains, retention, ip addresses, privacy'),
    page('/settings/members', 'Members', 'users', 'invite, roles, team, users', true),
    page('/settings/audit', 'Audit log', 'clock', 'history, changes, who', true),
    page('/settings/backups', 'Backups', 'shield', 'restore, operation'),
    page('/settings/cells', 'Cells', 'columns', 'databases, scaling, move, operation'),
  ],
  integrations: [
    page('/settings/keys', 'API keys', 'key', 'settings, integrations, token, secret, publishable', true),
    page('/settings/rejected-requests', 'Rejected requests', 'warning', 'api, errors, log, failed, invalid, debug'),
    page('/webhooks', 'Webhooks', 'link', 'push, endpoints, deliveries'),
    page('/destinations', 'Ad platforms', 'send', 'destinations, google ads, meta, tiktok, capi, offline conversions'),
  ],
};

/** The part of an account that a member may use; null: all of it. */
type Area = AccountOfUser['area'];

/** The area of a page; undefined: only members with access to everything open it. */
function areaOf(path: string): Area | 'both' | undefined {
  if (/^\/(content|files|settings\/locales)(\/|$)/.test(path)) return 'content';
  if (/^\/(overview|funnels|sessions|leads|conversions|ad-costs|exports)(\/|$)/.test(path)) return 'analytics';
  return path === '/settings/profile' ? 'both' : undefined;
}

/** Whether a member who may be limited to an area can open a page. */
export function isInArea(path: string, area: Area): boolean {
  if (area === null) return true;
  const found = areaOf(path);
  return found === 'both' || found === area;
}

/** The groups of pages that a member can open. */
export function navigationOf(
  { role, area }: Pick<AccountOfUser, 'role' | 'area'>,
  isOperator: boolean,
): { label?: string; items: NavigationItem[] }[] {
  const { main, settings, integrations } = NAVIGATION;
  return [
    { items: main },
    { label: 'Settings', items: settings },
    { label: 'Settings › Integrations', items: integrations },
  ]
    .map(({ items, ...group }) => ({
      ...group,
      items: items.filter(({ to, ownersOnly }) =>
        OPERATOR_PAGES.includes(to) ? isOperator : (!ownersOnly || role === 'owner') && isInArea(to, area),
      ),
    }))
    .filter(({ items }) => items.length > 0);
}

/** Pages that only change something. */
const EDIT_PAGES = /^\/(conversions\/add|ad-costs\/add|content\/new|content\/[^/]+\/(new|schema|import))$/;

const OWNER_PAGES = /^\/destinations\/(new|[^/]+\/edit)$/;

/** The least role that a page requires; undefined: any role. */
export function roleFor(path: string): 'owner' | 'editor' | undefined {
  if (OWNER_PAGES.test(path)) return 'owner';
  if (EDIT_PAGES.test(path)) return 'editor';
  return Object.values(NAVIGATION)
    .flat()
    .some(({ to, ownersOnly }) => ownersOnly && to === path)
    ? 'owner'
    : undefined;
}
