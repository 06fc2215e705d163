import { isIP } from 'node:net';
import { type CountryResponse, open, type Reader } from 'maxmind';
import { ConfigError } from '../shared/config.ts';

/** ISO 3166 code of an address's country, or null. */
export type FindCountry = (address: string) => string | null;

/** @throws ConfigError where the file of GEOIP_PATH cannot be read */
export async function openCountries(path: string | undefined): Promise<FindCountry> {
  if (path === undefined) return () => null;
  let reader: Reader<CountryResponse>;
  try {
    reader = await open<CountryResponse>(path);
  } catch (error) {
    throw new ConfigError(`GEOIP_PATH is not a MaxMind database: ${(error as Error).message}`);
  }
  return (address) => {
    // What a socket that takes both calls an IPv4 address.
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
    const version = isIP(plain);
    // In a database of IPv4 alone the reader would take the first bits of any other address for one.
    if (version === 0 || version > reader.metadata.ipVersion) return null;
    return reader.get(plain)?.country?.iso_code ?? null;
  };
}
