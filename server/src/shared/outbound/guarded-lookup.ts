import { Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { MayConnect } from './connect-policy.ts';
import { type ResolvedAddress, systemLookup } from './system-lookup.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: ResolvedAddress[]) => void,
) => void;

/** The host is not, or does not resolve to, an address that may be connected to. */
export class AddressNotAllowed extends Error {}

/** Resolves a host to those of its addresses that are allowed. The connection uses the addresses that were checked. */
export function guardedLookup(resolve: Resolve, mayConnect: MayConnect): LookupFunction {
  return (host, options, done) => {
    resolve(host, (error, addresses) => {
      if (error) return done(error, '');
      const allowed = addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) return done(new AddressNotAllowed(), '');
      if (options.all) return done(null, allowed);
      done(null, first.address, first.family);
    });
  };
}

const DNS = { timeout: 3_000, tries: 2 };
const lookUp = systemLookup();

/**
 * Queries the name servers directly. The system's lookup (`getaddrinfo`) blocks one of the process's four threads until it
 * has a result. It is used only for names that the name servers do not know, which may be in the hosts file, and in bounds.
 */
export const resolveHost: Resolve = (host, done) => {
  const resolver = new Resolver(DNS);
  const found: ResolvedAddress[] = [];
  let pending = 2;
  let failure: NodeJS.ErrnoException | null = null;
  const collect =
    (family: 4 | 6) =>
    (error: NodeJS.ErrnoException | null, addresses: string[] = []) => {
      found.push(...addresses.map((address) => ({ address, family })));
      if (error && error.code !== 'ENODATA') failure = error;
      if (--pending > 0) return;
      if (found.length > 0) done(null, found);
      else if (failure?.code === 'ETIMEOUT') done(failure, []);
      else {
        lookUp(host).then(
          (addresses) => done(null, addresses),
          (unknown) => done(unknown, []),
        );
      }
    };
  resolver.resolve4(host, collect(4));
  resolver.resolve6(host, collect(6));
};
