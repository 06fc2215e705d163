import { readAmount } from '../../conversions/index.ts';
import { readCurrency } from '../../shared/currency.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import type { RowFaults } from '../../shared/http/row-faults.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { AdCostInput, AdCostsResult } from './contract.ts';
import { putAdCosts } from './queries.ts';

/** Adds, replaces and removes costs: all of them, or those without a fault. @throws ApiError 400 with every fault */
export async function replaceAdCosts(
  db: Database,
  accountId: string,
  inputs: readonly AdCostInput[],
  faultsOfRow: RowFaults,
  onError: 'refuse' | 'skip',
  now: number,
): Promise<AdCostsResult> {
  const found: (Fault & { row: number })[] = [];
  const positions = new Map<string, number>();
  const costs = inputs.flatMap((input, i) => {
    const pointer = `/costs/${i}`;
    const faults = [...faultsOfRow(i)];
    const [hasCurrency, hasCost] = ['currency', 'cost'].map((name) => faultsOfRow(i, name).length === 0);
    const currency = hasCurrency ? readCurrency(input.currency) : undefined;
    if (hasCurrency && currency === undefined) {
      const detail = `\`${pointer}/currency\` must be an ISO 4217 code, such as EUR.`;
      faults.push({ pointer: `${pointer}/currency`, code: 'currency_invalid', detail });
    }
    const cost = !hasCost || input.cost === null ? null : readAmount(input.cost);
    if (cost === undefined || cost?.startsWith('-')) {
      const detail = `\`${pointer}/cost\` must be a number from 0, or null.`;
      faults.push({ pointer: `${pointer}/cost`, code: 'value_invalid', detail });
    }
    // What else it says is not of the right type.
    if (faultsOfRow(i).length > 0) {
      found.push(...faults.map((fault) => ({ ...fault, row: i + 1 })));
      return [];
    }
    const row = {
      day: input.date,
      source: input.source.trim(),
      campaign: input.campaign?.trim() ?? '',
      ad_group: input.adGroup?.trim() ?? '',
      ad: input.ad?.trim() ?? '',
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
      const detail = `\`${pointer}\` has the date, source, campaign, ad group, ad and currency of \`/costs/${first}\`.`;
      faults.push({ pointer, code: 'duplicate', detail });
    }
    found.push(...faults.map((fault) => ({ ...fault, row: i + 1 })));
    return faults.length > 0
      ? []
      : { ...row, cost: cost ?? null, clicks: input.clicks ?? null, impressions: input.impressions ?? null };
  });
  if (onError === 'refuse') refuse(found.map(({ row, ...fault }) => fault));
  const given = { account_id: accountId, costs, now: new Date(now) };
  const [{ skipped, ...result } = { written: 0, removed: 0, skipped: 0 }] = await putAdCosts(db, given);
  const faults = found.map(({ row, code, detail }) => ({ row, code, detail }));
  return { ...result, ...(skipped > 0 && { skipped }), ...(faults.length > 0 && { faults }) };
}
