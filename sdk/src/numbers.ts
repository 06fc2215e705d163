/** Of ES2026, which TypeScript's library lacks, as do Node 20 and browsers before 2025. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/** Whether JavaScript can read and write numbers with all of their digits here. */
export const hasExactNumbers: boolean = rawJSON !== undefined;

/** A number with more digits than a `number` holds. `JSON.stringify` writes all of them; computing with it rounds. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  valueOf(): number {
    return Number(this.digits);
  }

  toJSON(): unknown {
    return rawJSON?.(this.digits) ?? this.valueOf();
  }
}

/** Parses JSON. Numbers that would be rounded are `ExactNumber`s, where `hasExactNumbers`. @throws SyntaxError */
export function parseExact(text: string): ReturnType<typeof JSON.parse> {
  if (!hasExactNumbers || !hasInexact(text)) return JSON.parse(text);
  const revive = (_name: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' && !isExact(source) ? new ExactNumber(source) : value;
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown);
}

/** Strings, so that no digits in them are found, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** A `number` holds all that are shorter. */
const MIN_LENGTH = 16;

function hasInexact(text: string): boolean {
  for (const [token] of text.matchAll(TOKEN)) if (!token.startsWith('"') && !isExact(token)) return true;
  return false;
}

function isExact(source: string): boolean {
  if (source.length < MIN_LENGTH && !/e/i.test(source)) return true;
  const read = String(Number(source));
  return read === source || partsOf(read) === partsOf(source);
}

/** The sign, the digits without zeros at their ends, and the exponent. */
function partsOf(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return (
    significant && `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
  );
}
