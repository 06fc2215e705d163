import Fastify, { type RouteHandlerMethod, type RouteOptions } from 'fastify';
import type { Module } from '../shared/deps.ts';
import { Problem } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';

/** What of a route belongs to a cell: the rest is the same for all. */
interface RecordedRoute {
  handler: RouteHandlerMethod;
  preValidation: NonNullable<RouteOptions['preValidation']>[];
}

export type RecordedRoutes = ReadonlyMap<string, RecordedRoute>;

export const routeKey = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>) => `${[method].flat().join()} ${url}`;

export const hooksOf = ({ preValidation }: RouteOptions) =>
  [preValidation ?? []].flat() as RecordedRoute['preValidation'];

/** Has the modules register their routes at a server that serves nothing. */
export async function recordRoutes(modules: readonly Module[]): Promise<RecordedRoutes> {
  const found = new Map<string, RecordedRoute>();
  const recorder = Fastify();
  recorder.setValidatorCompiler(() => () => true);
  recorder.setSerializerCompiler(() => JSON.stringify);
  recorder.addSchema(Problem);
  recorder.decorate('parseJsonBody', () => {});
  recorder.addHook('onRoute', (route) => {
    found.set(routeKey(route), { handler: route.handler, preValidation: hooksOf(route) });
  });
  for (const module of modules) module.routes(recorder as unknown as App);
  await recorder.ready();
  await recorder.close();
  return found;
}
