import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notGranted, readsEverything } from '../accounts/index.ts';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { DeletedArrivals, TestEndpointState } from './contract.ts';
import { deleteArrivals, KEPT_HOURS, PATH, type TestEndpoint } from './history/arrivals.ts';

const URL = '/v1/webhooks/test-endpoint';

/** The test endpoint of an account: what arrived, and where it arrives. */
export function testEndpointRoutes(app: App, { db }: Deps, endpoint: TestEndpoint): void {
  const { get, remove } = routesOf(app, { tags: ['Webhooks'], security: [{ token: [] }] });
  get(URL, {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getWebhookTestEndpoint',
    summary: 'Get the test endpoint',
    description: `A URL of this service that keeps what arrives there for ${KEPT_HOURS} hours, the last 50 requests, the newest first. Create a webhook with it to see what an endpoint receives.`,
    returns: TestEndpointState,
    handle: async ({ caller: { accountId, access } }) => {
      if (!readsEverything(access)) throw notGranted('what arrived may contain what it may not read');
      return { url: endpoint.urlOf(accountId), keptHours: KEPT_HOURS, arrivals: await endpoint.list(accountId) };
    },
  });
  remove(URL, {
    config: { access: 'secret', role: 'owner', rate: 'write' },
    operationId: 'clearWebhookTestEndpoint',
    summary: 'Clear the test endpoint',
    description: 'Deletes what arrived. The URL stays the same.',
    returns: DeletedArrivals,
    handle: async ({ caller: { accountId } }) => {
      await deleteArrivals(db, { account_id: accountId });
      return { success: true };
    },
  });

  const accountIn = (request: FastifyRequest) => endpoint.accountOf((request.params as { token: string }).token);
  // Any body is text here.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      `${PATH}:token`,
      {
        config: { access: 'open', isLimited: true, accountOf: accountIn },
        schema: { hide: true, params: Type.Object({ token: Type.String() }) },
      },
      async (request) => {
        const account = accountIn(request);
        if (account === undefined) throw notFound('test endpoint');
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
        await endpoint.receive(
          account,
          Object.fromEntries(headers),
          typeof request.body === 'string' ? request.body : '',
        );
        return { received: true };
      },
    );
  });
}
