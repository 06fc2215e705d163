import type { IncomingMessage } from 'node:http';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProviderDefault,
  RawServerDefault,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Logger } from '../log.ts';
import type { App } from './app.ts';
import { withErrors } from './problem.ts';

type Request<Params, Query, Body> = FastifyRequest<
  { Params: Params; Querystring: Query; Body: Body },
  RawServerDefault,
  IncomingMessage,
  FastifySchema,
  FastifyTypeProviderDefault,
  FastifyContextConfig,
  Logger
>;

/** What the description of the API says of a route, in the terms of OpenAPI. */
type About = Omit<FastifySchema, 'params' | 'querystring' | 'body' | 'response'>;

interface Route<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> extends About {
  config: FastifyContextConfig;
  operationId: string;
  params?: P;
  querystring?: Q;
  body?: B;
  /** The handler reports the faults that the schema finds together with those it cannot see. */
  attachValidation?: true;
  /** Of status 200. Errors are added. */
  returns: R;
  handle(
    request: Request<Static<P>, Static<Q>, Static<B>>,
    reply: FastifyReply,
  ): Static<R> | FastifyReply | Promise<Static<R> | FastifyReply>;
}

/** Functions that register a route each. @param about what all of them say of themselves */
export function routesOf(app: App, about: About = {}) {
  const by =
    (method: string) =>
    <P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
      url: string,
      { config, returns, handle, attachValidation, ...own }: Route<P, Q, B, R>,
    ): void => {
      const schema = { ...about, ...own, response: withErrors(returns) };
      app.route({
        method,
        url,
        config,
        schema,
        ...(attachValidation && { attachValidation }),
        handler: handle as never,
      });
    };
  return { get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), remove: by('DELETE') };
}
