import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { PROBLEM, type Problem } from '../../test/problem-schema.ts';
import type { Received } from '../http-client.ts';
import type { Operation } from './operations.ts';
import type { FuzzedRequest } from './requests.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

const problem = ajv.compile<Problem>(PROBLEM);

const successes = new Map<Operation, ValidateFunction>();

/** What is wrong with a response; undefined if it is as documented. @param secrets texts that it must not contain */
export function faultOf(
  { operation, url, method }: FuzzedRequest,
  { status, headers, body }: Received,
  secrets: readonly string[],
): string | undefined {
  if (status === 500) return 'status 500';
  if (!operation.statuses.has(status)) return `undocumented status ${status}`;
  if (!headers['x-request-id']) return 'no request id';
  // Whoever has the link of an invitation is told which account it is for.
  const isInvited = operation.url.startsWith('/auth/invitations/');
  if (!isInvited && secrets.some((secret) => body.includes(secret))) return 'data of another account';
  if (method === 'HEAD') return body.length > 0 ? 'a body in the response to HEAD' : undefined;
  if (!headers['content-type']?.includes('json')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(String(body));
  } catch {
    return 'a body that is no JSON';
  }
  if (status >= 400 && operation.url === '/v1/graphql') withoutGraphql(value);
  if (status >= 400) return problem(value) ? undefined : `an error that is none: ${ajv.errorsText(problem.errors)}`;
  // Slashes at the end are ignored: with an empty parameter, the URL is that of another operation.
  if (!operation.success || segments(url) < segments(operation.url)) return undefined;
  const fits = successes.get(operation) ?? ajv.compile(operation.success);
  successes.set(operation, fits);
  return fits(value) ? undefined : `a body that does not fit its schema: ${ajv.errorsText(fits.errors)}`;
}

function segments(url: string): number {
  return (url.split('?', 1)[0] ?? '').split('/').filter(Boolean).length;
}

/** The members that GraphQL gives an error, beside those of all errors. */
function withoutGraphql(value: unknown): void {
  for (const error of (value as { errors?: Record<string, unknown>[] }).errors ?? []) {
    for (const name of ['message', 'locations', 'path', 'extensions']) delete error[name];
  }
}
