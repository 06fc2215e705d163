/** Tools for agents, each a route of the API. */
import type { Deps, Module } from '../shared/deps.ts';
import { authorizationRoutes } from './authorization/routes.ts';
import { mcpRoutes } from './routes.ts';

/** Tools for agents, by the Model Context Protocol. */
export const mcpModule = (deps: Deps): Module => ({
  routes: (app) => {
    mcpRoutes(app, deps);
    authorizationRoutes(app, deps);
  },
  workers: [],
});
