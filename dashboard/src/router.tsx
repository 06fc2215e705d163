import { useQuery } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { readTableState } from './content/table-state.ts';
import { readFunnelState } from './funnels/funnel-state.ts';
import { readOverviewState } from './overview/overview-state.ts';
import { enterAccount, sessionQuery } from './service/session.ts';
import { readList } from './shared/list-state.ts';
import { Empty, Failure } from './shared/states.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute();

const outside = [
  createRoute({
    getParentRoute: () => root,
    path: '/first-run',
    component: lazyRouteComponent(() => import('./people/first-run-page.tsx'), 'FirstRunPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./people/invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./people/reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
] as const;

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Inside });

// Whoever is signed in needs neither.
const SignIn = lazy(async () => ({ default: (await import('./people/sign-in.tsx')).SignIn }));
const NoAccount = lazy(async () => ({ default: (await import('./people/no-account.tsx')).NoAccount }));

/** Everything but the pages that links lead to is for who is signed in, and sees an account. */
function Inside() {
  const query = useQuery(sessionQuery());
  if (query.isError) return <Failure error={query.error} onRetry={() => query.refetch()} />;
  if (query.isPending) return null;
  const { user, isFirstRun } = query.data;
  const isInside = user !== null && enterAccount(query.data) !== undefined;
  if (isInside) return <Shell />;
  return <Suspense>{user ? <NoAccount /> : <SignIn isFirstRun={isFirstRun} />}</Suspense>;
}

const page = <Path extends string>(path: Path) => ({ getParentRoute: () => shell, path });

const routes = [
  createRoute({
    ...page('/'),
    beforeLoad: () => {
      throw redirect({ to: '/overview' });
    },
  }),
  createRoute({
    ...page('/overview'),
    validateSearch: readOverviewState,
    component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...page('/content'),
    component: lazyRouteComponent(() => import('./content/collections-page.tsx'), 'CollectionsPage'),
  }),
  createRoute({
    ...page('/content/new'),
    component: lazyRouteComponent(() => import('./content/schema-page.tsx'), 'NewCollectionPage'),
  }),
  createRoute({
    ...page('/content/trash'),
    component: lazyRouteComponent(() => import('./content/trash-pages.tsx'), 'CollectionTrashPage'),
  }),
  createRoute({
    ...page('/content/$collectionId'),
    validateSearch: readTableState,
    component: lazyRouteComponent(() => import('./content/entries-page.tsx'), 'EntriesPage'),
  }),
  createRoute({
    ...page('/content/$collectionId/schema'),
    component: lazyRouteComponent(() => import('./content/schema-page.tsx'), 'SchemaPage'),
  }),
  createRoute({
    ...page('/content/$collectionId/trash'),
    component: lazyRouteComponent(() => import('./content/trash-pages.tsx'), 'EntryTrashPage'),
  }),
  createRoute({
    ...page('/content/$collectionId/import'),
    component: lazyRouteComponent(() => import('./transfer/imports-page.tsx'), 'ImportsPage'),
  }),
  createRoute({
    ...page('/content/$collectionId/import/$importId'),
    component: lazyRouteComponent(() => import('./transfer/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    ...page('/content/$collectionId/$entryId'),
    component: lazyRouteComponent(() => import('./content/entry-page.tsx'), 'EntryPage'),
  }),
  createRoute({
    ...page('/files'),
    component: lazyRouteComponent(() => import('./files/files-page.tsx'), 'FilesPage'),
  }),
  createRoute({
    ...page('/exports'),
    component: lazyRouteComponent(() => import('./exports/exports-page.tsx'), 'ExportsPage'),
  }),
  createRoute({
    ...page('/funnels'),
    validateSearch: readFunnelState,
    component: lazyRouteComponent(() => import('./funnels/funnels-page.tsx'), 'FunnelsPage'),
  }),
  createRoute({
    ...page('/sessions'),
    validateSearch: readList('q', 'from', 'to', 'source', 'medium', 'campaign', 'platform', 'country', 'device'),
    component: lazyRouteComponent(() => import('./visitors/sessions-page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    ...page('/sessions/$sessionId'),
    component: lazyRouteComponent(() => import('./visitors/session-page.tsx'), 'SessionPage'),
  }),
  createRoute({
    ...page('/leads'),
    validateSearch: readList('q', 'from', 'to'),
    component: lazyRouteComponent(() => import('./visitors/leads-page.tsx'), 'LeadsPage'),
  }),
  createRoute({
    ...page('/leads/$leadId'),
    component: lazyRouteComponent(() => import('./visitors/lead-page.tsx'), 'LeadPage'),
  }),
  createRoute({
    ...page('/conversions'),
    validateSearch: readList(
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
    ),
    component: lazyRouteComponent(() => import('./conversions/conversions-page.tsx'), 'ConversionsPage'),
  }),
  createRoute({
    ...page('/conversions/report'),
    component: lazyRouteComponent(() => import('./conversions/report-page.tsx'), 'ReportPage'),
  }),
  createRoute({
    ...page('/conversions/$conversionId'),
    component: lazyRouteComponent(() => import('./conversions/conversion-page.tsx'), 'ConversionPage'),
  }),
  createRoute({
    ...page('/webhooks'),
    component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...page('/webhooks/$webhookId'),
    component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    ...page('/settings/installation'),
    component: lazyRouteComponent(() => import('./settings/installation-page.tsx'), 'InstallationPage'),
  }),
  createRoute({
    ...page('/settings/tracking'),
    component: lazyRouteComponent(() => import('./settings/tracking-page.tsx'), 'TrackingPage'),
  }),
  createRoute({
    ...page('/settings/keys'),
    component: lazyRouteComponent(() => import('./settings/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    ...page('/settings/members'),
    component: lazyRouteComponent(() => import('./settings/members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    ...page('/settings/audit'),
    component: lazyRouteComponent(() => import('./settings/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...page('/settings/profile'),
    component: lazyRouteComponent(() => import('./settings/profile-page.tsx'), 'ProfilePage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren(routes), ...outside]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  defaultNotFoundComponent: () => (
    <Empty icon="search" title="There is no such page">
      The address may be mistyped, or from an older version.
    </Empty>
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
