import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '../limits.ts';
import { isBot, isPassedOnBot } from './bots.ts';
import { readUserAgent } from './user-agent.ts';

type Members = Readonly<Record<string, unknown>>;

/** Who visits: the client of the request, or whom a server names. */
export interface Client {
  userAgent: string | undefined;
  address: string;
  /** Whether the server named the user agent. */
  isNamed: boolean;
  /** Whether the server named the address. */
  hasAddress: boolean;
}

/** `userAgent` and `ip` are trusted with a secret token only; what cannot be read is ignored. */
export function clientOf({ caller, headers, ip }: FastifyRequest, item: Members): Client {
  const isServer = caller.type === 'secret';
  const isNamed = isServer && typeof item.userAgent === 'string' && item.userAgent !== '';
  const hasAddress = isServer && typeof item.ip === 'string' && isIP(item.ip) !== 0;
  return {
    userAgent: isNamed ? (item.userAgent as string).slice(0, LIMITS.userAgentLength) : headers['user-agent'],
    address: hasAddress ? (item.ip as string) : ip,
    isNamed,
    hasAddress,
  };
}

export function isBotVisit(request: FastifyRequest, { userAgent, isNamed }: Client): boolean {
  if (isNamed) return readUserAgent(userAgent).isBot;
  // What has a secret token comes from a server, whose user agent says nothing about the visitor.
  if (request.caller.type === 'secret') return false;
  return request.headers.origin === undefined ? isPassedOnBot(request) : isBot(request);
}

export function isBotEvent(request: FastifyRequest, { userAgent, isNamed }: Client): boolean {
  if (isNamed) return readUserAgent(userAgent).isBot;
  // Browsers send an Origin with every POST; an event without one comes from a server.
  return request.headers.origin !== undefined && isBot(request);
}
