import type { FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../errors.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every declared route, including hidden ones but not the HEAD that comes with a GET. */
    knownRoutes: RouteOptions[];
  }
}

/** The error for a request without a route: 405 with `Allow` if the path has other methods, otherwise 404. */
export function watchRoutes(app: App): (request: FastifyRequest) => ApiError {
  app.decorate('knownRoutes', [] as RouteOptions[]);
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    const entry = known.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() };
    if (method !== 'HEAD' || !entry.methods.has('GET')) app.knownRoutes.push(route);
    for (const each of [method].flat()) entry.methods.add(each);
    known.set(url, entry);
  });
  return (request) => {
    const path = normalize(request.url.split('?', 1)[0] ?? '');
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((each) => [...each.methods]);
    if (methods.length === 0) return new ApiError(404, 'not_found', 'There is no such path.');
    const allow = [...new Set(methods)].sort().join(', ');
    return new ApiError(
      405,
      'method_not_allowed',
      `This path does not support ${request.method}; see the Allow header.`,
      { headers: { allow } },
    );
  };
}

function pathPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part === '*') return '.*';
      // A parameter may have a pattern: `:account(^acc_\w+$)`.
      if (part.startsWith(':')) return /\(\^?(.*?)\$?\)$/.exec(part)?.[1] ?? '[^/]+';
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}$`);
}

/** Reads a path as the router does: `//v1/%6cimits/` is `/v1/limits`, and an escaped slash separates nothing. */
function normalize(path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  try {
    return decodeURI(plain);
  } catch {
    return plain;
  }
}
