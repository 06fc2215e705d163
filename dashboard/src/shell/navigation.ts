import { t } from '../languages/translate.ts';
import type { AccountOfUser } from '../service/session.ts';
import type { IconName } from '../shared/icons.tsx';
import { type Feature, type Level, type Rights, rightsOf } from '../users/rights.ts';

interface NavigationItem {
  to: string;
  label: string;
  icon: IconName;
  /** Further search terms. */
  keywords: string[];
  /** In the overview of the settings. */
  group: string | undefined;
}

/** One of the five places of the navigation, with its pages. */
export interface Place {
  to: string;
  label: string;
  icon: IconName;
  items: NavigationItem[];
}

/** @param keywords further search terms, separated by commas */
const page = (to: string, label: string, icon: IconName, keywords: string): NavigationItem => ({
  ...{ to, label, icon, group: undefined },
  keywords: keywords.split(', '),
});

const grouped = (group: string, ...items: NavigationItem[]) => items.map((item) => ({ ...item, group }));

/** Only for operators of the service. */
const OPERATOR_PAGES = ['/settings/backups', '/settings/cells'];

/** The places and pages in the navigation and the command palette. */
const PLACES: Place[] = [
  { to: '/home', label: t('Home'), icon: 'home', items: [] },
  {
    to: '/content',
    label: t('Content'),
    icon: 'content',
    items: [
      page('/content', t('All collections'), 'content', t('entries, cms, types, schema, models')),
      page('/files', t('Files'), 'files', t('images, videos, assets, media, upload')),
      page('/content/components', t('Components'), 'columns', t('fields, blocks, reuse')),
      page('/content/releases', t('Releases'), 'clock', t('schedule, calendar, publish')),
      page('/content/trash', t('Trash'), 'trash', t('deleted, restore')),
    ],
  },
  {
    to: '/overview',
    label: t('Analytics'),
    icon: 'overview',
    items: [
      page('/overview', t('Overview'), 'overview', t('statistics, visitors, revenue, reports, live')),
      page('/funnels', t('Funnels'), 'filter', t('steps, drop off, conversion')),
      page('/sessions', t('Sessions'), 'clock', t('visits, visitors, click id, hash, ads')),
      page('/leads', t('Leads'), 'users', t('people, email, contacts, customers')),
      page('/channels', t('Channels'), 'columns', t('groups, rules, sources, attribution')),
      page('/overview/sql', t('SQL'), 'code', t('query, select, tables, views, analyst')),
    ],
  },
  {
    to: '/revenue',
    label: t('Revenue'),
    icon: 'coins',
    items: [
      page('/revenue', t('Return'), 'overview', t('roas, revenue, refunds, forecast, cohorts, discrepancies')),
      page('/ad-costs', t('Ad spend'), 'coins', t('costs, cpa, roas, budget, campaigns')),
      page('/alerts', t('Alerts'), 'warning', t('rules, notices, slack, drop, silent')),
      page('/experiments', t('Experiments'), 'filter', t('a/b test, variants, holdout, lift, winner')),
      page(
        '/reconciliation',
        t('Reconciliation'),
        'check',
        t('payouts, stripe, paypal, shopify, statements, networks'),
      ),
      page(
        '/conversions',
        t('Conversions'),
        'check',
        t('report, sales, orders, csv, upload, unmatched, adjust, refund'),
      ),
      page(
        '/destinations',
        t('Ad platforms'),
        'send',
        t('destinations, google ads, meta, tiktok, capi, offline conversions'),
      ),
    ],
  },
  {
    to: '/settings',
    label: t('Settings'),
    icon: 'settings',
    items: [
      ...grouped(
        t('Account'),
        page(
          '/settings/general',
          t('General'),
          'settings',
          t('account, name, time zone, currency, exchange rates, delete'),
        ),
        page('/settings/members', t('Members'), 'users', t('people, invite, roles, team, users')),
        page('/settings/roles', t('Roles'), 'shield', t('permissions, access, rights, collections, fields')),
        page('/settings/single-sign-on', t('Single sign-on'), 'key', t('sso, oidc, openid, identity provider, login')),
        page('/settings/audit', t('Audit log'), 'clock', t('history, changes, who')),
      ),
      ...grouped(
        t('Content'),
        page('/settings/locales', t('Locales'), 'flag', t('languages, translation, localization, i18n')),
        page('/exports', t('Exports'), 'exports', t('csv, parquet, download, jobs')),
      ),
      ...grouped(
        t('Tracking'),
        page('/settings/installation', t('Installation'), 'code', t('snippet, script, postback')),
        page('/settings/tracking', t('Tracking'), 'shield', t('domains, retention, ip addresses, privacy')),
      ),
      ...grouped(
        t('Integrations'),
        page('/settings/keys', t('API keys'), 'key', t('token, secret, publishable, postback')),
        page('/settings/plans', t('Plans'), 'check', t('agents, mcp, proposals, approve, undo')),
        page(
          '/settings/warehouse',
          t('Warehouse'),
          'exports',
          t('parquet, s3, bucket, duckdb, bigquery, snowflake, lake'),
        ),
        page('/webhooks', t('Webhooks'), 'link', t('push, endpoints, deliveries')),
        page(
          '/settings/rejected-requests',
          t('Rejected requests'),
          'warning',
          t('api, errors, log, failed, invalid, debug'),
        ),
      ),
      ...grouped(
        t('Service'),
        page('/settings/backups', t('Backups'), 'shield', t('restore, operation')),
        page('/settings/cells', t('Cells'), 'columns', t('databases, scaling, move, operation')),
      ),
    ],
  },
];

/** The part of an account that a member may use; null: all of it. */
type Area = AccountOfUser['area'];

/** The area of a page; undefined: only members with access to everything open it. */
function areaOf(path: string): Area | 'both' | undefined {
  if (/^\/(content|files|settings\/locales)(\/|$)/.test(path)) return 'content';
  if (
    /^\/(overview|funnels|sessions|leads|channels|conversions|revenue|reconciliation|alerts|experiments|ad-costs|exports)(\/|$)/.test(
      path,
    )
  )
    return 'analytics';
  return /^\/(settings\/profile|settings|home)$/.test(path) ? 'both' : undefined;
}

/** Whether a member who may be limited to an area can open a page. */
export function isInArea(path: string, area: Area): boolean {
  if (area === null) return true;
  const found = areaOf(path);
  return found === 'both' || found === area;
}

/** The places that a member can open, with their pages. The first screen of a place is one that they can open. */
export function navigationOf(account: AccountOfUser, isOperator: boolean): Place[] {
  const rights = rightsOf(account);
  const isOpen = (to: string) => isInArea(to, account.area) && mayOpen(to, rights);
  return PLACES.flatMap((place) => {
    const items = place.items.filter(({ to }) => (OPERATOR_PAGES.includes(to) ? isOperator : isOpen(to)));
    if (place.items.length > 0 && items.length === 0) return [];
    return { ...place, items, to: isOpen(place.to) ? place.to : (items[0]?.to ?? place.to) };
  });
}

const isAt = (path: string, to: string) => path === to || path.startsWith(`${to}/`);

/** The page of the navigation that a path belongs to: the one with the longest path. */
export const itemOf = (places: readonly Place[], path: string): NavigationItem | undefined =>
  places
    .flatMap(({ items }) => items)
    .filter(({ to }) => isAt(path, to))
    .sort((a, b) => b.to.length - a.to.length)[0];

export const placeOf = (places: readonly Place[], path: string): Place | undefined => {
  const item = itemOf(places, path);
  return places.find((place) => (item ? place.items.includes(item) : isAt(path, place.to)));
};

/** The feature that a page needs, and at which level. The first pattern that fits counts; other pages need none. */
const NEEDS: readonly (readonly [pattern: RegExp, feature: Feature, level: Level])[] = [
  [/^\/content\/(new|components)(\/|$)|^\/content\/[^/]+\/schema$/, 'schema', 'write'],
  [/^\/content\/trash$/, 'schema', 'read'],
  [/^\/files$/, 'files', 'read'],
  [/^\/(ad-costs|experiments)\/(new|add|[^/]+\/edit)$/, 'analytics', 'write'],
  [/^\/(overview|funnels|sessions|leads|channels|ad-costs|revenue|alerts|experiments)(\/|$)/, 'analytics', 'read'],
  [/^\/settings\/(installation|tracking|rejected-requests)$/, 'analytics', 'read'],
  [/^\/conversions\/add$/, 'conversions', 'write'],
  [/^\/(conversions|reconciliation)(\/|$)/, 'conversions', 'read'],
  [/^\/destinations\/(new|[^/]+\/edit)$/, 'destinations', 'write'],
  [/^\/destinations(\/|$)/, 'destinations', 'read'],
  [/^\/webhooks(\/|$)/, 'webhooks', 'read'],
  [/^\/settings\/(members|roles|audit|keys)(\/|$)/, 'members', 'read'],
];

/** Whether a role opens a page. */
export function mayOpen(path: string, { uses, may, mayImport, isOwner }: Rights): boolean {
  if (path === '/settings/single-sign-on') return isOwner;
  const [, feature, level] = NEEDS.find(([pattern]) => pattern.test(path)) ?? [];
  if (feature && level) return uses(feature, level);
  const [, collectionId, below] = /^\/content\/(col_[^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  if (collectionId === undefined) return !/^\/content(\/|$)/.test(path) || may('read');
  if (below === 'import') return mayImport(collectionId);
  return may(below === 'new' ? 'create' : 'read', collectionId);
}
