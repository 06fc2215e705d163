const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** The exact sum of two decimal numbers, without an exponent; undefined if one of them is none. */
export function addDecimals(a: string, b: string): string | undefined {
  const [one, other] = [parse(a), parse(b)];
  if (!one || !other) return undefined;
  const decimals = Math.max(one.decimals, other.decimals);
  const scaled = ({ digits, decimals: own }: Parsed) => digits * 10n ** BigInt(decimals - own);
  return write(scaled(one) + scaled(other), decimals);
}

interface Parsed {
  digits: bigint;
  decimals: number;
}

function parse(text: string): Parsed | undefined {
  const match = NUMBER.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const shift = Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  return shift >= 0 ? { digits: digits * 10n ** BigInt(shift), decimals: 0 } : { digits, decimals: -shift };
}

function write(digits: bigint, decimals: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
