import { isIP } from 'node:net';
import type { CountryResponse, Reader } from 'maxmind';
import { ConfigError } from '../../shared/config.ts';

/** The ISO 3166 code of an IP address's country, or null. */
export type FindCountry = (address: string) => string | null;

/** @throws ConfigError if the file of GEOIP_PATH cannot be read */
export async function openCountries(path: string | undefined): Promise<FindCountry> {
  if (path === undefined) return () => null;
  let reader: Reader<CountryResponse>;
  try {
    const { open } = await import('maxmind');
    reader = await open<CountryResponse>(path);
  } catch (error) {
    throw new ConfigError(`GEOIP_PATH is not a MaxMind database: ${(error as Error).message}`);
  }
  return (address) => {
    // A dual-stack socket shows an IPv4 address with this prefix.
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
    const version = isIP(plain);
    // In an IPv4-only database the reader would look up the first bits of an IPv6 address.
    if (version === 0 || version > reader.metadata.ipVersion) return null;
    return reader.get(plain)?.country?.iso_code ?? null;
  };
}
