import { MODELS, type Model, type Shares } from './models.ts';

/** Conversions, and their value in one currency; null where none of them has one. */
export interface Credit {
  currency: string | null;
  shares: Record<Model, { conversions: number; revenue: string | null }>;
}

/** A share as a whole number: of 2^52 parts, so that whole amounts stay whole and money is never a float. */
const ONE = 2 ** 52;
const WHOLE = BigInt(ONE);
const PLACES = 4;

/** Adds up shares of amounts, digit for digit, to be rounded once. */
export class Credits {
  readonly #sums = new Map<number, Map<string | null, Sum>>();

  /** The `i`th session's part of a conversion. */
  add(value: number, currency: string | null, amount: Amount | null, shares: Shares, i: number): void {
    const ofValue = this.#sums.get(value) ?? new Map<string | null, Sum>();
    this.#sums.set(value, ofValue);
    const sum = ofValue.get(currency) ?? {
      hasAmount: false,
      shares: MODELS.map(() => ({ conversions: 0, parts: [] })),
    };
    ofValue.set(currency, sum);
    sum.hasAmount ||= amount !== null;
    for (const [at, { parts }] of sum.shares.entries()) {
      const share = shares[MODELS[at] as Model][i] ?? 0;
      if (share === 0) continue;
      (sum.shares[at] as Sum['shares'][number]).conversions += share;
      if (amount === null) continue;
      const { places, digits } = amount;
      parts[places] = (parts[places] ?? 0n) + digits * (share === 1 ? WHOLE : BigInt(Math.round(share * ONE)));
    }
  }

  /** By the number of the value. */
  result(): Map<number, Credit[]> {
    return new Map(
      [...this.#sums].map(([value, ofValue]) => [
        value,
        [...ofValue].map(([currency, { hasAmount, shares }]) => ({
          currency,
          shares: Object.fromEntries(
            MODELS.map((model, i) => {
              const { conversions = 0, parts = [] } = shares[i] ?? {};
              return [model, { conversions, revenue: hasAmount ? rounded(parts) : null }];
            }),
          ) as Credit['shares'],
        })),
      ]),
    );
  }
}

interface Sum {
  hasAmount: boolean;
  /** In the order of models; `parts` by how many places the amounts have. */
  shares: { conversions: number; parts: (bigint | undefined)[] }[];
}

/** A decimal number: `digits` divided by 10 to the power of `places`. */
export interface Amount {
  digits: bigint;
  places: number;
}

export function amountOf(decimal: string): Amount {
  const [whole = '', fraction = ''] = decimal.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

function rounded(parts: readonly (bigint | undefined)[]): string {
  const places = Math.max(PLACES, parts.length - 1);
  const sum = parts.reduce<bigint>((all, part = 0n, i) => all + part * 10n ** BigInt(places - i), 0n);
  const unit = BigInt(ONE) * 10n ** BigInt(places - PLACES);
  const size = sum < 0n ? -sum : sum;
  const digits = ((2n * size + unit) / (2n * unit)).toString().padStart(PLACES + 1, '0');
  return `${sum < 0n && /[1-9]/.test(digits) ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}
