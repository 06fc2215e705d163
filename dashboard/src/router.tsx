import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readTableState } from './content/table-state.ts';
import { useIsSignedIn } from './service/session.ts';
import { Empty, Failure } from './shared/states.tsx';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';

const root = createRootRoute({ component: Root });

function Root() {
  return useIsSignedIn() ? <Outlet /> : <SignIn />;
}

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const page = <Path extends string>(path: Path) => ({ getParentRoute: () => shell, path });

const routes = [
  createRoute({
    ...page('/'),
    beforeLoad: () => {
      throw redirect({ to: '/content' });
    },
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
    ...page('/content/$collectionId'),
    validateSearch: readTableState,
    component: lazyRouteComponent(() => import('./content/entries-page.tsx'), 'EntriesPage'),
  }),
  createRoute({
    ...page('/content/$collectionId/schema'),
    component: lazyRouteComponent(() => import('./content/schema-page.tsx'), 'SchemaPage'),
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
    ...page('/settings/installation'),
    component: lazyRouteComponent(() => import('./settings/installation-page.tsx'), 'InstallationPage'),
  }),
  createRoute({
    ...page('/settings/tracking'),
    component: lazyRouteComponent(() => import('./settings/tracking-page.tsx'), 'TrackingPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren(routes)]),
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
