import { readReportingSettings } from '../../accounts/index.ts';
import { readValueFactors, type ValueFactor } from '../../analytics/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { HOUR } from '../../shared/units.ts';

const MAX_ACCOUNTS = 1_000;

/** How the values of accounts develop after the sale, read at most once an hour. */
export class ValueFactors {
  readonly #deps: Pick<Deps, 'db' | 'control'>;
  readonly #known = new Map<string, { at: number; factors: Promise<ValueFactor> }>();

  constructor(deps: Pick<Deps, 'db' | 'control'>) {
    this.#deps = deps;
  }

  async of(accountId: string, now: number): Promise<ValueFactor> {
    const known = this.#known.get(accountId);
    if (known && Math.abs(now - known.at) < HOUR) return known.factors;
    if (this.#known.size >= MAX_ACCOUNTS) this.#known.clear();
    const factors = this.#read(accountId, now);
    this.#known.set(accountId, { at: now, factors });
    // A failure is not remembered.
    factors.catch(() => this.#known.delete(accountId));
    return factors;
  }

  async #read(accountId: string, now: number): Promise<ValueFactor> {
    const settings = await readReportingSettings(this.#deps.control, accountId);
    return readValueFactors(this.#deps.db, accountId, settings, now);
  }
}
