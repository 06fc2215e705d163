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
  return (address) => reader.get(address)?.country?.iso_code ?? null;
}
