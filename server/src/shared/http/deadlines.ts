import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors.ts';
import type { App } from './server.ts';

const CHECK_MS = 250;

/**
 * Answers every request within a time, also when the database hangs. Time in which the client sends the body does not
 * count. One timer serves all requests: a timer each would cost ingest a few percent.
 */
export function limitAnswerTime(app: App, limitMs: number): void {
  /** In order of their start. */
  const running = new Map<FastifyReply, number>();
  const timer = setInterval(() => {
    const startedBefore = performance.now() - limitMs;
    for (const [reply, startedAt] of running) {
      if (startedAt > startedBefore) return;
      running.delete(reply);
      // A response that is being sent to a slow reader is not late.
      if (!reply.sent) reply.send(timedOut());
    }
  }, CHECK_MS).unref();
  const start = (reply: FastifyReply) => {
    if (!reply.request.routeOptions.config.streams) running.set(reply, performance.now());
  };

  app.addHook('onRequest', (_request, reply, next) => {
    start(reply);
    next();
  });
  app.addHook('preParsing', (_request, reply, _payload, next) => {
    running.delete(reply);
    next();
  });
  app.addHook('preValidation', (_request, reply, next) => {
    start(reply);
    next();
  });
  app.addHook('onResponse', (_request, reply, next) => {
    running.delete(reply);
    next();
  });
  app.addHook('onClose', () => clearInterval(timer));
}

function timedOut(): ApiError {
  const detail = 'The request took too long and was given up. It may still take effect; retry it.';
  return new ApiError(500, 'timed_out', detail, {
    headers: { 'retry-after': '1' },
    cause: new Error('the request was not answered in time'),
  });
}
