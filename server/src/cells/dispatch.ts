import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { App } from '../shared/http/server.ts';
import { MAIN } from '../shared/main-cell.ts';
import type { Cells, HostedCell } from './cells.ts';
import { hooksOf, type RecordedRoute, routeKey } from './record-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The account of a request without a caller, such as for a file: its cell responds. */
    accountOf?: (request: FastifyRequest) => string | undefined;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => void;

/**
 * Lets the cell of a request's account respond to it. Routes are registered once, with the handlers of the main cell; the
 * account's cell is known with its key or session. Call it before anything else adds hooks to routes.
 */
export function dispatchByCell(app: App, cells: Cells): void {
  app.addHook('onRoute', (route) => {
    const key = routeKey(route);
    const { handler } = route;
    const accountOf = route.config?.accountOf;

    const respond = (cell: HostedCell, request: FastifyRequest, reply: FastifyReply) =>
      ((cell.routes.get(key)?.handler ?? handler) as RouteHandlerMethod).call(app as never, request, reply);
    const respondIn = (name: string, request: FastifyRequest, reply: FastifyReply) => {
      if (name === MAIN) return handler.call(app as never, request, reply);
      const cell = cells.ready(name);
      return cell ? respond(cell, request, reply) : cells.open(name).then((opened) => respond(opened, request, reply));
    };
    route.handler = (request, reply) => {
      if (request.caller !== null) return respondIn(request.caller.cell, request, reply);
      const account = accountOf?.(request);
      if (account === undefined) return handler.call(app as never, request, reply);
      const name = cells.cellOf(account);
      return typeof name === 'string'
        ? respondIn(name, request, reply)
        : name.then((found) => respondIn(found, request, reply));
    };

    const hooks = hooksOf(route);
    if (hooks.length > 0) route.preValidation = hooks.map((hook, i) => dispatchHook(cells, key, hook as Hook, i));
  });
}

function dispatchHook(cells: Cells, key: string, own: Hook, i: number): Hook {
  return function (this: unknown, request, reply, next): void {
    const name = request.caller?.cell ?? MAIN;
    if (name === MAIN) {
      own.call(this, request, reply, next);
      return;
    }
    const run = ({ routes }: Pick<HostedCell, 'routes'>) =>
      ((routes.get(key) as RecordedRoute).preValidation[i] as unknown as Hook).call(this, request, reply, next);
    const cell = cells.ready(name);
    if (cell) run(cell);
    else cells.open(name).then(run, next);
  };
}
