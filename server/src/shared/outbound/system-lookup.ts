import { lookup } from 'node:dns/promises';
import { ApiError } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** More host names than this do not wait: each can take a lookup's full timeout. */
const MAX_WAITING = 16;

/**
 * The system's lookup (`getaddrinfo`) in bounds. It occupies one of the process's threads for up to half a minute, and the
 * rest of its lookups, such as that of the database's host, wait in one queue behind it. So one lookup runs at a time,
 * and a host that is being looked up is not looked up again.
 */
export function systemLookup(
  resolve: (host: string) => Promise<ResolvedAddress[]> = (host) => lookup(host, { all: true }),
): (host: string) => Promise<ResolvedAddress[]> {
  const queue = new FairQueue({ slots: 1, slotsPerKey: 1, queuedPerKey: MAX_WAITING });
  const running = new Map<string, Promise<ResolvedAddress[]>>();
  return (host) => {
    const known = running.get(host);
    if (known) return known;
    const found = queue
      .run('lookups', {}, () => resolve(host))
      .catch((error: unknown) => {
        throw error instanceof ApiError ? Object.assign(new Error(`too many lookups: ${host}`), { code: BUSY }) : error;
      })
      .finally(() => running.delete(host));
    running.set(host, found);
    return found;
  };
}

const BUSY = 'EAI_AGAIN';
