import type { SessionState } from '@headwater/sdk';
import { useQuery } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type FunctionComponent, Suspense, useEffect, useRef } from 'react';
import { readTableState } from './content/table-state.ts';
import { readFunnelState } from './funnels/funnel-state.ts';
import { chooseLanguage } from './languages/language.ts';
import { t } from './languages/translate.ts';
import { readOverviewState } from './reports/overview-state.ts';
import { useIsAskedToConfirm } from './service/confirmation.ts';
import { accountRewrite, enterAccount, sessionExpiredQuery, sessionQuery, urlWithAccount } from './service/session.ts';
import { lazy } from './shared/lazy.tsx';
import { readListState } from './shared/list-state.ts';
import { EmptyState, ErrorState } from './shared/states.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute();

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Inside });

// Not needed for signed-in users.
const SignIn = lazy(async () => ({ default: (await import('./users/sign-in.tsx')).SignIn }));
const SignInAgain = lazy(async () => ({ default: (await import('./users/sign-in-again.tsx')).SignInAgain }));
const ConfirmSession = lazy(async () => ({
  default: (await import('./users/confirm-session.tsx')).ConfirmSession,
}));
const ConfirmBySso = lazy(async () => ({ default: (await import('./users/confirm-by-sso.tsx')).ConfirmBySso }));
const SsoNeeded = lazy(async () => ({ default: (await import('./users/sso-needed.tsx')).SsoNeeded }));
const ReviewAccess = lazy(async () => ({ default: (await import('./users/review-access.tsx')).ReviewAccess }));
const NoAccount = lazy(async () => ({ default: (await import('./users/no-account.tsx')).NoAccount }));

/**
 * Shows the shell to signed-in members of the account, and the sign-in to everyone else. When a session ends while the page
 * is open, the page stays: what is being edited must not be lost.
 */
function Inside() {
  const query = useQuery(sessionQuery());
  const { data: isExpired } = useQuery(sessionExpiredQuery());
  const isAsked = useIsAskedToConfirm();
  const known = useRef<SessionState>(undefined);
  const state = query.data?.user ? query.data : (known.current ?? query.data);
  if (query.data?.user) known.current = query.data;
  const account = state?.user ? enterAccount(state) : undefined;
  const language = state?.user?.language;
  useEffect(() => {
    if (language && chooseLanguage(language)) window.location.reload();
  }, [language]);
  useEffect(() => {
    const url = account && urlWithAccount();
    if (url !== undefined) router.history.replace(url);
  }, [account]);
  if (!state) return query.isError ? <ErrorState error={query.error} onRetry={() => query.refetch()} /> : null;
  const { user, accounts, isFirstRun, sendsEmail } = state;
  if (!user || !account) {
    return (
      <Suspense>
        {user ? <NoAccount accounts={accounts} /> : <SignIn isFirstRun={isFirstRun} sendsEmail={sendsEmail} />}
      </Suspense>
    );
  }
  if (account.requiresSso) {
    return (
      <Suspense>
        <SsoNeeded account={account} accounts={accounts} />
      </Suspense>
    );
  }
  const isSso = state.session?.isSso === true;
  return (
    <>
      <Shell />
      <Suspense>{user.needsReview && <ReviewAccess />}</Suspense>
      <Suspense>
        {isAsked && (isSso ? <ConfirmBySso accountId={account.id} /> : <ConfirmSession email={user.email} />)}
      </Suspense>
      <Suspense>{(isExpired || !query.data?.user) && <SignInAgain email={user.email} />}</Suspense>
    </>
  );
}

/** The component of a page, loaded when the page is opened. */
const lazyPage = <Name extends string>(name: Name, load: () => Promise<Record<Name, FunctionComponent>>) =>
  lazyRouteComponent(async () => ({ default: (await load())[name] }));

const publicPage = <Path extends string, Name extends string>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, FunctionComponent>>,
) => createRoute({ getParentRoute: () => root, path, component: lazyPage(name, load) });

const page = <Path extends string, Name extends string>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, FunctionComponent>>,
) => createRoute({ getParentRoute: () => shell, path, component: lazyPage(name, load) });

const outside = [
  publicPage('/first-run', 'FirstRunPage', () => import('./users/first-run-page.tsx')),
  publicPage('/invitation', 'InvitationPage', () => import('./users/invitation-page.tsx')),
  publicPage('/share', 'SharedPage', () => import('./sharing/shared-page.tsx')),
  publicPage('/embed', 'EmbeddedPage', () => import('./sharing/shared-page.tsx')),
  publicPage('/sso', 'SsoPage', () => import('./users/sso-page.tsx')),
  publicPage('/confirm-email', 'ConfirmEmailPage', () => import('./users/confirm-email-page.tsx')),
  publicPage('/reset-password', 'ResetPasswordPage', () => import('./users/reset-password-page.tsx')),
] as const;

const routes = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/home' });
    },
  }),
  page('/home', 'HomePage', () => import('./home/home-page.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/overview',
    validateSearch: readOverviewState,
    component: lazyPage('OverviewPage', () => import('./overview/overview-page.tsx')),
  }),
  page('/content', 'CollectionsPage', () => import('./content/collections-page.tsx')),
  page('/content/components', 'ComponentsPage', () => import('./content/components-page.tsx')),
  page('/content/components/$componentId', 'ComponentPage', () => import('./content/components-page.tsx')),
  page('/content/new', 'NewCollectionPage', () => import('./content/schema-page.tsx')),
  page('/content/releases', 'ReleasesPage', () => import('./releases/releases-page.tsx')),
  page('/content/trash', 'CollectionTrashPage', () => import('./content/trash-pages.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/content/$collectionId',
    validateSearch: readTableState,
    component: lazyPage('EntriesPage', () => import('./content/entries-page.tsx')),
  }),
  page('/content/$collectionId/schema', 'SchemaPage', () => import('./content/schema-page.tsx')),
  page('/content/$collectionId/trash', 'EntryTrashPage', () => import('./content/trash-pages.tsx')),
  page('/content/$collectionId/import', 'ImportsPage', () => import('./imports/imports-page.tsx')),
  page('/content/$collectionId/import/$importId', 'ImportPage', () => import('./imports/import-page.tsx')),
  page('/content/$collectionId/$entryId', 'EntryPage', () => import('./content/entry-page.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/files',
    validateSearch: readListState('file'),
    component: lazyPage('FilesPage', () => import('./files/files-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/ad-costs',
    validateSearch: readOverviewState,
    component: lazyPage('AdCostsPage', () => import('./ad-costs/ad-costs-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/revenue',
    validateSearch: readOverviewState,
    component: lazyPage('RevenuePage', () => import('./revenue/revenue-page.tsx')),
  }),
  page('/channels', 'ChannelsPage', () => import('./channels/channels-page.tsx')),
  page('/alerts', 'AlertsPage', () => import('./alerts/alerts-page.tsx')),
  page('/reconciliation', 'ReconciliationsPage', () => import('./reconciliation/reconciliations-page.tsx')),
  page(
    '/reconciliation/$reconciliationId',
    'ReconciliationPage',
    () => import('./reconciliation/reconciliation-page.tsx'),
  ),
  page('/experiments', 'ExperimentsPage', () => import('./experiments/experiments-page.tsx')),
  page('/experiments/new', 'NewExperimentPage', () => import('./experiments/experiment-form.tsx')),
  page('/experiments/$experimentId', 'ExperimentPage', () => import('./experiments/experiment-page.tsx')),
  page('/experiments/$experimentId/edit', 'EditExperimentPage', () => import('./experiments/experiment-form.tsx')),
  page('/ad-costs/sources', 'CostSourcesPage', () => import('./ad-costs/sources-page.tsx')),
  page('/ad-costs/add', 'ImportAdCostsPage', () => import('./ad-costs/import-page.tsx')),
  page('/exports', 'ExportsPage', () => import('./exports/exports-page.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/funnels',
    validateSearch: readFunnelState,
    component: lazyPage('FunnelsPage', () => import('./funnels/funnels-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/sessions',
    validateSearch: readListState(
      ...(['q', 'from', 'to', 'source', 'medium', 'campaign', 'platform', 'country', 'device', 'sort'] as const),
    ),
    component: lazyPage('SessionsPage', () => import('./visitors/sessions-page.tsx')),
  }),
  page('/sessions/$sessionId', 'SessionPage', () => import('./visitors/session-page.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/leads',
    validateSearch: readListState('q', 'from', 'to', 'sort'),
    component: lazyPage('LeadsPage', () => import('./visitors/leads-page.tsx')),
  }),
  page('/leads/$leadId', 'LeadPage', () => import('./visitors/lead-page.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/conversions',
    validateSearch: readListState(
      'list',
      'q',
      'from',
      'to',
      'event',
      'currency',
      'origin',
      'source',
      'campaign',
      'identifier',
      'sort',
    ),
    component: lazyPage('ConversionsPage', () => import('./conversions/conversions-page.tsx')),
  }),
  page('/conversions/add', 'AddConversionsPage', () => import('./conversions/add-conversions-page.tsx')),
  page(
    '/conversions/imports/$importId',
    'ConversionImportPage',
    () => import('./conversions/conversion-import-page.tsx'),
  ),
  page('/conversions/$conversionId', 'ConversionPage', () => import('./conversions/conversion-page.tsx')),
  page('/destinations', 'DestinationsPage', () => import('./destinations/destinations-page.tsx')),
  page('/destinations/new', 'ConnectPage', () => import('./destinations/connect-page.tsx')),
  page('/destinations/$destinationId', 'DestinationPage', () => import('./destinations/destination-page.tsx')),
  page('/destinations/$destinationId/edit', 'EditDestinationPage', () => import('./destinations/edit-page.tsx')),
  page('/webhooks', 'WebhooksPage', () => import('./webhooks/webhooks-page.tsx')),
  page('/overview/sql', 'SqlPage', () => import('./sql/sql-page.tsx')),
  page('/settings/warehouse', 'WarehousePage', () => import('./warehouse/warehouse-page.tsx')),
  page('/webhooks/test', 'TestEndpointPage', () => import('./webhooks/test-endpoint-page.tsx')),
  page('/webhooks/$webhookId', 'WebhookPage', () => import('./webhooks/webhook-page.tsx')),
  page('/settings', 'SettingsPage', () => import('./settings/settings-page.tsx')),
  page('/settings/installation', 'InstallationPage', () => import('./onboarding/installation-page.tsx')),
  page('/settings/general', 'GeneralPage', () => import('./settings/general-page.tsx')),
  page('/settings/locales', 'LocalesPage', () => import('./locales/locales-page.tsx')),
  page('/settings/tracking', 'TrackingPage', () => import('./settings/tracking-page.tsx')),
  page('/settings/keys', 'KeysPage', () => import('./settings/keys-page.tsx')),
  page('/connect-agent', 'ConnectAgentPage', () => import('./settings/connect-agent-page.tsx')),
  page('/settings/members', 'MembersPage', () => import('./settings/members-page.tsx')),
  page('/settings/roles', 'RolesPage', () => import('./roles/roles-page.tsx')),
  page('/settings/roles/$roleId', 'RolePage', () => import('./roles/role-page.tsx')),
  page('/settings/single-sign-on', 'SsoPage', () => import('./settings/sso-page.tsx')),
  page('/settings/rejected-requests', 'RejectionsPage', () => import('./settings/rejections-page.tsx')),
  page('/settings/plans', 'PlansPage', () => import('./settings/plans-page.tsx')),
  page('/settings/cells', 'CellsPage', () => import('./cells/cells-page.tsx')),
  page('/settings/cells/$cell', 'CellPage', () => import('./cells/cell-page.tsx')),
  page('/settings/backups', 'BackupsPage', () => import('./settings/backups-page.tsx')),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/audit',
    validateSearch: readListState('actor', 'action', 'from', 'to'),
    component: lazyPage('AuditPage', () => import('./settings/audit-page.tsx')),
  }),
  page('/settings/profile', 'ProfilePage', () => import('./settings/profile-page.tsx')),
] as const;

export const router = createRouter({
  rewrite: accountRewrite,
  routeTree: root.addChildren([shell.addChildren(routes), ...outside]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  defaultNotFoundComponent: () => (
    <EmptyState icon="search" title={t('Page not found')}>
      {t('The URL may be mistyped or outdated.')}
    </EmptyState>
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
