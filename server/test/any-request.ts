/**
 * Any request to any route gets a response of the contract, never a 500, and nothing of another account.
 * The requests are generated from the schemas of the routes, so new routes are covered automatically.
 * `RUNS=1000 npm test -- server/test/any-request.test.ts` sends more requests.
 */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { createLog } from '../src/shared/log.ts';
import { type AnyRequest, requestFor } from './arbitrary-request.ts';
import { furnish, rowsOf } from './furnished-account.ts';
import { testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { PROBLEM, type Problem } from './problem-schema.ts';
import { ROUTES } from './route-table.ts';
import { newSession } from './users.ts';

let lastError = '';
const sink = new Writable({
  write(chunk, _encoding, done) {
    lastError = String(chunk);
    done();
  },
});
const service = await testService(LOCAL_FETCHES, { log: createLog('error', sink) });
const caller = await furnish(service, 'caller');
const other = await furnish(service, 'other');
const before = await rowsOf(service, other);

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

const ALLOWED = new Set([200, 400, 401, 404, 405, 429]);
/** Files and pages are not part of the API and have further statuses. */
const DELIVERY = new Set([...ALLOWED, 206, 301, 302, 304, 416]);

/** Resumable uploads use tus, which has its own statuses (https://tus.io/protocols/resumable-upload). */
const TUS = new Set([...ALLOWED, 201, 204, 403, 409, 410, 412, 413, 415]);

/** The Model Context Protocol has its own statuses, and errors in the shape of JSON-RPC. */
const MCP = new Set([...ALLOWED, 202, 406, 415]);

/** Registering a client answers 201, by RFC 7591. */
const OAUTH = new Set([...DELIVERY, 201]);

function allowedAt(url: string): Set<number> {
  if (url.startsWith('/v1')) return ALLOWED;
  if (url.startsWith('/files/tus')) return TUS;
  if (url.startsWith('/oauth/')) return OAUTH;
  return url === '/mcp' ? MCP : DELIVERY;
}

const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);
const problem = ajv.compile<Problem>(PROBLEM);

/** A sentence of this service, not what a library says. What is quoted may be from the request. */
function isSentence(detail: string): boolean {
  const own = detail.replaceAll(/`[^`]*`|"[^"]*"/g, 'x').replace(/^[?/]\S*/, 'X');
  const isRaw = /must NOT|must match (?!the pattern)|equal to constant|boolean schema|undefined|\[object|Error:/.test(
    own,
  );
  return /^[A-Zx][\s\S]* [\s\S]*\.$/.test(own) && !isRaw;
}

/** Whether it is a response of JSON-RPC: to one message or to several, each a result or an error in words. */
function isJsonRpc(body: unknown): boolean {
  const responses = [body].flat() as { jsonrpc?: string; result?: object; error?: { code: number; message: string } }[];
  return responses.every(
    ({ jsonrpc, result, error }) =>
      jsonrpc === '2.0' &&
      (typeof result === 'object' || (Number.isInteger(error?.code) && /^\S+ \S/.test(error?.message ?? ''))),
  );
}

async function send(request: AnyRequest) {
  const { method, url, payload } = request;
  const headers = await signedIn(request);
  lastError = '';
  const answer = await service.app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(payload !== undefined && { payload }),
  });
  const told = () =>
    `${method} ${url} ${payload?.toString('latin1')}\n${answer.statusCode} ${answer.body}\n${lastError}`;
  return { answer, told };
}

/** The cookie of a session of the owner; undefined once a request may have ended it. */
let cookie: string | undefined;

/** Restores the session and memberships, which a request may have ended. */
async function signedIn({ method, headers }: AnyRequest): Promise<Record<string, string>> {
  const known = cookie;
  if (!READING.has(method)) cookie = undefined;
  if (headers.cookie !== caller.owner.cookie) return headers;
  if (known !== undefined) return { ...headers, cookie: known };
  for (const { uuid } of [caller.owner, caller.colleague]) {
    await service.control.query(
      `insert into members (account_id, user_id, role, joined_at) values ($1, $2, 'owner', now())
       on conflict (account_id, user_id) do update set role = 'owner', role_id = null, area = null`,
      [caller.uuid, uuid],
    );
  }
  const made = (await newSession(service, caller.owner.uuid)).cookie;
  if (READING.has(method)) cookie = made;
  return { ...headers, cookie: made };
}

// Methods that delete come last, and are undone.
const ORDER = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'DELETE'];
const routes = service.app.knownRoutes
  .flatMap((route) => [route.method].flat().map((method) => ({ route, method })))
  .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));

async function undelete(): Promise<void> {
  const collection = `/v1/cms/collections/${caller.collectionId}`;
  for (const path of [collection, `${collection}/entries/${caller.entryId}`]) {
    await service.call(`PATCH ${path}`, { as: caller, body: { status: 'active' } });
  }
}

/** Whether a parameter of the path is empty: slashes at the end are ignored, so that the URL is one of another route. */
function lacksParameter(url: string, pattern: string): boolean {
  const segments = (path: string) => (path.split('?', 1)[0] ?? '').split('/').filter(Boolean).length;
  return segments(url) < segments(pattern);
}

/** Clients of GraphQL expect further members of errors. */
function withoutGraphql(body: { errors: Record<string, unknown>[] }): void {
  for (const error of body.errors) {
    for (const name of ['message', 'locations', 'path', 'extensions']) delete error[name];
  }
}

/** @param runs requests to each route */
export function testAnyRequests(runs: number): void {
  for (const { route, method } of routes) {
    const name = `${method} ${route.url}`;
    const good = ROUTES[name]?.good;
    const isApi = route.url.startsWith('/v1');
    const allowed = allowedAt(route.url);
    const success = (route.schema?.response as Record<string, object> | undefined)?.['200'];
    const fits = success && ajv.compile(success);

    const answered = new Map<number, number>();
    test(`${name}: any request gets a response of the contract`, async (context) => {
      const requests = fc.oneof(
        { weight: 4, arbitrary: requestFor(route, method, caller, caller, good?.(caller)) },
        { weight: 1, arbitrary: requestFor(route, method, caller, other, good?.(other)) },
      );
      const property = fc.asyncProperty(requests, async (request) => {
        const { answer, told } = await send(request);
        answered.set(answer.statusCode, (answered.get(answer.statusCode) ?? 0) + 1);
        assert.ok(allowed.has(answer.statusCode), told());
        assert.ok(answer.headers['x-request-id'], told());
        assert.ok(!isApi || !answer.body.includes(other.marker), `of the other account: ${told()}`);
        if (['PATCH', 'DELETE'].includes(method) && answer.statusCode === 200) await undelete();
        if (method === 'HEAD' || !/[/+]json/.test(String(answer.headers['content-type']))) return;
        const body = answer.json();
        if (route.url === '/mcp' && isJsonRpc(body)) return;
        // The errors of RFC 6749.
        if (route.url.startsWith('/oauth/') && typeof body.error === 'string') return;
        if (answer.statusCode >= 400) {
          if (route.url === '/v1/graphql') withoutGraphql(body);
          assert.ok(problem(body), `${told()} ${ajv.errorsText(problem.errors)}`);
          assert.equal(body.errors[0]?.code ?? body.code, body.code, told());
          assert.ok(body.status !== 400 || body.errors.length > 0, told());
          for (const { detail } of [body, ...body.errors]) assert.ok(isSentence(detail), `${detail}: ${told()}`);
        } else if (fits && !lacksParameter(request.url, route.url))
          assert.ok(fits(body), `${told()} ${ajv.errorsText(fits.errors)}`);
      });
      await fc.assert(property, { numRuns: Number(process.env.RUNS ?? runs), interruptAfterTimeLimit: 120_000 });
      context.diagnostic([...answered].map(([status, count]) => `${status}: ${count}`).join(', '));
    });
  }

  test('none of these requests changed a row of another account', async () => {
    assert.deepEqual(await rowsOf(service, other), before);
  });
}
