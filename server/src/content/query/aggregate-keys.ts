import type { Field } from '../collections/field.ts';
import { keysOf, type ListingParameters } from '../listing/key-sql.ts';

// To read a value from the JSON text of an entry takes five times as long as to read its sort key, which is binary. So groups are
// formed by keys where equal keys are equal values, and the value of a group is read from one of its entries.

const TYPES: readonly string[] = ['text', 'select', 'boolean', 'date', 'timestamp', 'url', 'number'];
const FORMATS: readonly (string | undefined)[] = [undefined, 'reference', 'slug', 'color'];

/** Whether the keys of a field tell its values apart. */
export const hasExactKeys = ({ type, format }: Field): boolean => TYPES.includes(type) && FORMATS.includes(format);

/** The key of an entry: in a locale, of the first source that has a value. */
export function storedKey(parameters: ListingParameters, field: Field, alias: string): string {
  const keys = keysOf(field).map((key) => `${alias}.sort_keys ->> ${parameters.add('text', String(key))}`);
  return keys.length === 1 ? `(${keys[0]})` : `coalesce(${keys.join(', ')})`;
}

/** The bits of the key of a number; see its field type. */
export const bitsOfKey = (key: string): string => `decode(${key}, 'hex')::bigint`;

const MANTISSA = '4503599627370495';
const IMPLIED = '4503599627370496';
const MAGNITUDE = '9223372036854775807';
/** 2^-959, below which a power of two could be too small. */
const SMALL = '288230376151711744';

/** The double of the bits of a key in a column. Positive numbers are checked first, as nearly all are positive. */
export function doubleOfBits(bits: string): string {
  const common = `((${bits} & ${MANTISSA}) | ${IMPLIED})::float8 * 2::float8 ^ (((${bits} >> 52) & 2047) - 1075)`;
  const own = `case when ${bits} < 0 then ${bits} else ~${bits} end`;
  const magnitude = `(${own} & ${MAGNITUDE})`;
  const normal = `(1 + (${own} & ${MANTISSA})::float8 / ${IMPLIED}) * 2::float8 ^ ((${magnitude} >> 52) - 1023)`;
  const subnormal = `(${own} & ${MANTISSA})::float8 * 4.9406564584124654e-324::float8`;
  const absolute = `case when ${magnitude} >= ${IMPLIED} then ${normal} else ${subnormal} end`;
  return `case when ${bits} < 0 and (${bits} & ${MAGNITUDE}) >= ${SMALL} then ${common}
    else case when ${bits} < 0 then 1 else -1 end * ${absolute} end`;
}

/**
 * Ten thousand times a double, if that is an integer of at most 15 digits, as are most amounts. So it is exactly what the double is
 * written as in JSON, and integers are added in a third of the time that numbers of any size take.
 */
export const scaledDouble = (double: string): string =>
  `case when abs(${double}) < 1e11 and round(${double} * 1e4) / 1e4 = ${double} then (${double} * 1e4)::bigint end`;

/** The sum of doubles in a column, exactly as they are written in JSON, of which `scaled` has those that can be scaled. */
export function sumOfDoubles(double: string, scaled: string): string {
  const others = `sum(${double}::text::numeric) filter (where ${scaled} is null)`;
  return `coalesce(sum(${scaled}) * 0.0001 + coalesce(${others}, 0), ${others})`;
}

/** The least or greatest number of bits in a column, of which both signs are in one order if the first bit is turned. */
export function extremeOfBits(kind: 'min' | 'max', bits: string): string {
  const turned = "'-9223372036854775808'::bigint";
  return `(${doubleOfBits(`(${kind}(${bits} # ${turned}) # ${turned})`)})::text::numeric`;
}
