import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { exactRange } from '../sort-key.ts';

/** A place on earth, in degrees. */
export interface Point {
  lat: number;
  lng: number;
}

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';
/** Of the key: 65 bits tell places apart that are a millimetre away from each other. */
const LENGTH = 13;

/** The geohash: places near each other mostly start alike. */
function geohash({ lat, lng }: Point, length = LENGTH): string {
  const bounds = { lat: [-90, 90], lng: [-180, 180] } as Record<'lat' | 'lng', [number, number]>;
  let hash = '';
  let isLng = true;
  while (hash.length < length) {
    let digit = 0;
    for (let bit = 0; bit < 5; bit++) {
      const name = isLng ? 'lng' : 'lat';
      const [low, high] = bounds[name];
      const middle = (low + high) / 2;
      const isUpper = (isLng ? lng : lat) >= middle;
      bounds[name] = isUpper ? [middle, high] : [low, middle];
      digit = digit * 2 + (isUpper ? 1 : 0);
      isLng = !isLng;
    }
    hash += ALPHABET[digit];
  }
  return hash;
}

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;

export const point = defineFieldType<Point>({
  description: 'a place, `{lat, lng}` in degrees',
  sdkType: { read: '{ lat: number; lng: number }', write: '{ lat: number; lng: number }' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: false,
  isImportKey: false,
  operators: ['exists'],
  validation: [],
  check(value, context) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return context.fault('type', `${quoted(context)} must be an object with lat and lng.`);
    }
    const { lat, lng, ...others } = value as Record<string, unknown>;
    for (const name of Object.keys(others)) {
      context.fault('unknown_property', `${quoted(context)} has an unknown member "${name}".`, name);
    }
    if (!isWithin(lat, 90))
      context.fault('lat_invalid', `The lat of ${quoted(context)} must be a number from -90 to 90.`, 'lat');
    if (!isWithin(lng, 180)) {
      context.fault('lng_invalid', `The lng of ${quoted(context)} must be a number from -180 to 180.`, 'lng');
    }
    return isWithin(lat, 90) && isWithin(lng, 180) ? { lat: lat + 0, lng: lng + 0 } : undefined;
  },
  parseOperand: (_operand, field) =>
    new ValueFault('value_invalid', `${quoted({ field })} can only be filtered by exists.`),
  sortKey: (value) => geohash(value),
  sortRange: (value) => exactRange(geohash(value)),
  filterBits: null,
  csv: {
    parse(cell) {
      const [, lat, lng] = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(cell) ?? [];
      if (lat !== undefined && lng !== undefined) return { lat: Number(lat), lng: Number(lng) };
      return new ValueFault('point_invalid', 'Write a place as latitude and longitude: 52.52, 13.405.');
    },
    format: ({ lat, lng }) => `${lat}, ${lng}`,
    ...PLAIN_JSON,
  },
});
