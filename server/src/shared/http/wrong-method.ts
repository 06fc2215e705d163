import type { FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../errors.ts';
import type { App } from './server.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route as it was declared, hidden ones included. */
    knownRoutes: RouteOptions[];
  }
}

/** What to answer a request for which there is no route: 405 with `Allow` where the path has another method, else 404. */
export function watchRoutes(app: App): (request: FastifyRequest) => ApiError {
  app.decorate('knownRoutes', [] as RouteOptions[]);
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    app.knownRoutes.push(route);
    const { url, method } = route;
    const entry = known.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() };
    for (const each of [method].flat()) entry.methods.add(each);
    known.set(url, entry);
  });
  return (request) => {
    const path = decoded(request.url.split('?', 1)[0] ?? '');
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((each) => [...each.methods]);
    if (methods.length === 0) return new ApiError(404, 'not_found', 'There is nothing at this address.');
    const allow = [...new Set(methods)].sort().join(', ');
    return new ApiError(405, 'method_not_allowed', `${request.method} is not possible here.`, { headers: { allow } });
  };
}

function pathPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}

/** As the router reads it: `/v1/%6cimits` is `/v1/limits`, and an escaped slash parts nothing. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
