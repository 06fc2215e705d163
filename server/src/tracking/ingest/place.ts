import { isIP } from 'node:net';
import type { CityResponse, Reader } from 'maxmind';
import { ConfigError } from '../../shared/config.ts';

/** The location of an IP address, where it is known. */
export interface Place {
  /** ISO 3166 code. */
  country: string | null;
  /** Largest subdivision and country, because names repeat: `Bavaria, DE`. Only city databases have it. */
  region: string | null;
}

export type FindPlace = (address: string) => Place;

const UNKNOWN: Place = { country: null, region: null };
const MAX_NAME_LENGTH = 100;

/** @throws ConfigError if the file of GEOIP_PATH cannot be read */
export async function openPlaces(path: string | undefined): Promise<FindPlace> {
  if (path === undefined) return () => UNKNOWN;
  let reader: Reader<CityResponse>;
  try {
    const { open } = await import('maxmind');
    reader = await open<CityResponse>(path);
  } catch (error) {
    throw new ConfigError(`GEOIP_PATH is not a MaxMind database: ${(error as Error).message}`);
  }
  return (address) => {
    // A dual-stack socket shows an IPv4 address with this prefix.
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
    const version = isIP(plain);
    // In an IPv4-only database the reader would look up the first bits of an IPv6 address.
    if (version === 0 || version > reader.metadata.ipVersion) return UNKNOWN;
    const found = reader.get(plain);
    const country = found?.country?.iso_code ?? null;
    const subdivision = found?.subdivisions?.[0];
    // Some databases have codes, some have names only.
    const name = subdivision?.names?.en ?? subdivision?.iso_code;
    return { country, region: country && name ? `${name.slice(0, MAX_NAME_LENGTH)}, ${country}` : null };
  };
}
