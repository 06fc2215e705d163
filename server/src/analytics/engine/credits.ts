import { MODELS, type Model, type Shares } from './attribution-models.ts';

/** Attributed conversions and their value in one currency; null when none of them has a value. */
export interface Credit {
  currency: string | null;
  shares: Record<Model, { conversions: number; revenue: string | null }>;
}

/** Shares are whole numbers of 2^52 parts: whole amounts stay whole and money is never a float. */
const ONE = 2 ** 52;
const ONE_BIG = BigInt(ONE);
const DECIMALS = 4;

/** Adds up shares of amounts exactly; each sum is rounded once. */
export class Credits {
  readonly #sums = new Map<number, Map<string | null, Sum>>();

  /** Adds the share of the `i`th session. @param value the id of its value */
  add(value: number, currency: string | null, amount: Amount | null, shares: Shares, i: number): void {
    const ofValue = this.#sums.get(value) ?? new Map<string | null, Sum>();
    this.#sums.set(value, ofValue);
    const sum = ofValue.get(currency) ?? {
      hasAmount: false,
      shares: MODELS.map(() => ({ conversions: 0, parts: [] })),
    };
    ofValue.set(currency, sum);
    sum.hasAmount ||= amount !== null;
    for (const [at, total] of sum.shares.entries()) {
      const share = shares[MODELS[at] as Model][i] ?? 0;
      if (share === 0) continue;
      total.conversions += share;
      if (amount === null) continue;
      const { decimals, digits } = amount;
      const part = digits * (share === 1 ? ONE_BIG : BigInt(Math.round(share * ONE)));
      total.parts[decimals] = (total.parts[decimals] ?? 0n) + part;
    }
  }

  /** By the id of the value. */
  result(): Map<number, Credit[]> {
    return new Map(
      [...this.#sums].map(([value, ofValue]) => [
        value,
        [...ofValue].map(([currency, { hasAmount, shares }]) => ({
          currency,
          shares: Object.fromEntries(
            MODELS.map((model, i) => {
              const { conversions = 0, parts = [] } = shares[i] ?? {};
              return [model, { conversions, revenue: hasAmount ? round(parts) : null }];
            }),
          ) as Credit['shares'],
        })),
      ]),
    );
  }
}

interface Sum {
  hasAmount: boolean;
  /** In the order of `MODELS`; `parts` by the number of decimals of the amounts. */
  shares: { conversions: number; parts: (bigint | undefined)[] }[];
}

/** A decimal number: `digits` divided by 10 to the power of `decimals`. */
export interface Amount {
  digits: bigint;
  decimals: number;
}

export function parseAmount(text: string): Amount {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}

function round(parts: readonly (bigint | undefined)[]): string {
  const decimals = Math.max(DECIMALS, parts.length - 1);
  const sum = parts.reduce<bigint>((all, part = 0n, i) => all + part * 10n ** BigInt(decimals - i), 0n);
  const unit = ONE_BIG * 10n ** BigInt(decimals - DECIMALS);
  const size = sum < 0n ? -sum : sum;
  const digits = ((2n * size + unit) / (2n * unit)).toString().padStart(DECIMALS + 1, '0');
  return `${sum < 0n && /[1-9]/.test(digits) ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}
