import { readAmount } from '../../conversions/index.ts';
import { readCurrency } from '../../shared/currency.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { AdCostInput, AdCostsResult } from './contract.ts';
import { putAdCosts } from './queries.ts';

/** Adds, replaces and removes costs: all of them, or none. @throws ApiError 400 with every fault */
export async function replaceAdCosts(
  db: Database,
  accountId: string,
  inputs: readonly AdCostInput[],
  now: number,
): Promise<AdCostsResult> {
  const faults: Fault[] = [];
  const positions = new Map<string, number>();
  const costs = inputs.map((input, i) => {
    const pointer = `/costs/${i}`;
    const currency = readCurrency(input.currency);
    if (currency === undefined) {
      const detail = `\`${pointer}/currency\` must be an ISO 4217 code, such as EUR.`;
      faults.push({ pointer: `${pointer}/currency`, code: 'currency_invalid', detail });
    }
    const cost = input.cost === null ? null : readAmount(input.cost);
    if (cost === undefined || cost?.startsWith('-')) {
      const detail = `\`${pointer}/cost\` must be a number from 0, or null.`;
      faults.push({ pointer: `${pointer}/cost`, code: 'value_invalid', detail });
    }
    const row = {
      day: input.date,
      source: input.source.trim(),
      campaign: input.campaign?.trim() ?? '',
      currency: currency ?? '',
    };
    if (row.source === '') {
      const detail = `\`${pointer}/source\` must not be blank.`;
      faults.push({ pointer: `${pointer}/source`, code: 'too_short', detail });
    }
    const key = JSON.stringify(row);
    const first = positions.get(key);
    if (first === undefined) positions.set(key, i);
    else {
      const detail = `\`${pointer}\` has the date, source, campaign and currency of \`/costs/${first}\`.`;
      faults.push({ pointer, code: 'duplicate', detail });
    }
    return { ...row, cost: cost ?? null, clicks: input.clicks ?? null, impressions: input.impressions ?? null };
  });
  refuse(faults);
  const [result = { written: 0, removed: 0 }] = await putAdCosts(db, {
    account_id: accountId,
    costs,
    now: new Date(now),
  });
  return result;
}
