import { networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';

/**
 * Where the other processes of the installation reach this one: `INTERNAL_URL`, or the address on which it listens, or, if it
 * listens on all, the first one of this machine. undefined: nowhere.
 */
export function internalUrlOf(
  { internalUrl, host }: Pick<Config, 'internalUrl' | 'host'>,
  port: number,
  addresses = networkInterfaces(),
): string | undefined {
  if (internalUrl === 'off') return undefined;
  if (internalUrl !== undefined) return internalUrl;
  const isAny = host === '0.0.0.0' || host === '::';
  const own = Object.values(addresses)
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  const name = isAny ? (own?.address ?? '127.0.0.1') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
