import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import { isAccountMoving } from '../shared/errors.ts';
import type { App } from '../shared/http/server.ts';
import { MAIN } from '../shared/main-cell.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Cells, HostedCell } from './cells.ts';
import { hooksOf, routeKey } from './record-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The account of a request without a caller, such as for a file: its cell responds. */
    accountOf?: (request: FastifyRequest) => string | undefined;
    /** The control database responds, whatever the cell of the caller. */
    inControl?: boolean;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => void;

/**
 * Lets the cell of a request's account respond to it. Routes are registered once, with the handlers of the main cell; the
 * account's cell is known with its key or session. Call it before anything else adds hooks to routes.
 */
export function dispatchByCell(app: App, cells: Cells, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, next) => {
    if (!cells.isSingle && request.caller !== null) {
      metrics.observeRequestOfCell(request.method, request.caller.cell, reply.statusCode, reply.elapsedTime / 1000);
    }
    next();
  });
  app.addHook('onRoute', (route) => {
    if (route.config?.inControl) return;
    const key = routeKey(route);
    const { handler } = route;
    const accountOf = route.config?.accountOf;

    const respond = (cell: HostedCell, request: FastifyRequest, reply: FastifyReply) =>
      ((cell.routes.get(key)?.handler ?? handler) as RouteHandlerMethod).call(app as never, request, reply);
    const isWrite = mayWrite(route);
    const gated = async (request: FastifyRequest, reply: FastifyReply) => {
      const { accountId } = request.caller;
      await cells.gates.closed(accountId)?.then(() => redirect(cells, request));
      if (isWrite) cells.gates.enter(accountId);
      try {
        return await respondIn(request.caller.cell, request, reply);
      } catch (error) {
        // Its body is gone.
        if (!isAccountMoving(error) || route.config?.streams) throw error;
        return await respondAgain(cells, request, () => respondIn(request.caller.cell, request, reply));
      } finally {
        if (isWrite) cells.gates.leave(accountId);
      }
    };
    const respondIn = (name: string, request: FastifyRequest, reply: FastifyReply) => {
      if (name === MAIN) return handler.call(app as never, request, reply);
      const cell = cells.ready(name);
      return cell ? respond(cell, request, reply) : cells.open(name).then((opened) => respond(opened, request, reply));
    };
    route.handler = (request, reply) => {
      if (cells.isSingle) return handler.call(app as never, request, reply);
      if (request.caller !== null) return gated(request, reply);
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

/** Whether a route may change data: all but those that only read, which nothing has to wait for. */
const mayWrite = ({ method, config }: RouteOptions) =>
  config?.access === 'postback' || ![method].flat().every((each) => each === 'GET' || each === 'HEAD');

/** The account may be in another cell since its key was verified. */
async function redirect(cells: Cells, request: FastifyRequest): Promise<void> {
  request.caller = { ...request.caller, cell: await cells.findCellOf(request.caller.accountId) };
}

const MAX_WAIT_MS = 5_000;
const RETRY_MS = 100;

/** Nothing was changed, because the account is being moved, which this process did not know. */
async function respondAgain(cells: Cells, request: FastifyRequest, respond: () => unknown): Promise<unknown> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    await sleep(RETRY_MS);
    await redirect(cells, request);
    try {
      return await respond();
    } catch (error) {
      if (!isAccountMoving(error) || performance.now() > deadline) throw error;
    }
  }
}

function dispatchHook(cells: Cells, key: string, own: Hook, i: number): Hook {
  return function (this: unknown, request, reply, next): void {
    const name = request.caller?.cell ?? MAIN;
    if (name === MAIN) {
      own.call(this, request, reply, next);
      return;
    }
    // What the server itself adds to routes is the same for all cells, and comes last.
    const run = ({ routes }: Pick<HostedCell, 'routes'>) =>
      ((routes.get(key)?.preValidation[i] as Hook | undefined) ?? own).call(this, request, reply, next);
    const cell = cells.ready(name);
    if (cell) run(cell);
    else cells.open(name).then(run, next);
  };
}
