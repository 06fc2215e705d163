import type { FastifyRequest } from 'fastify';

/** What the routes need to know the caller: nothing else of the request concerns them. */
const CREDENTIALS = [
  'authorization',
  'x-api-key',
  'cookie',
  'x-headwater-account',
  'origin',
  'sec-fetch-site',
  'host',
  'x-forwarded-proto',
  // For the audit log.
  'user-agent',
];

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** JSON. */
  payload?: string;
}

/**
 * Calls a route as the caller of a request: authentication, roles, limits and validation are those of the API.
 * What it changes counts as changed by the request.
 */
export async function callAs(request: FastifyRequest, call: Call, more: Record<string, string> = {}) {
  const headers: Record<string, string> = { ...more };
  if (call.payload !== undefined) headers['content-type'] = 'application/json';
  for (const name of CREDENTIALS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  if (call.method !== 'GET') request.work?.beforeCommit([call.method]);
  const { statusCode, body } = await request.server.inject({ ...call, headers, remoteAddress: request.ip });
  return { status: statusCode, body };
}
