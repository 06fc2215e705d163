import { readAmount } from '../../conversions/index.ts';
import { readCurrency } from '../../shared/currency.ts';
import { refuse } from '../../shared/errors.ts';
import type { RowFault, RowFaults } from '../../shared/http/row-faults.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { ExchangeRateInput, ExchangeRatesResult } from './contract.ts';
import { putExchangeRates } from './queries.ts';

/** Adds exchange rates: all of them, or those without a fault. @throws ApiError 400 with every fault */
export async function addExchangeRates(
  db: Database,
  accountId: string,
  inputs: readonly ExchangeRateInput[],
  faultsOfRow: RowFaults,
  onError: 'refuse' | 'skip',
  now: number,
): Promise<ExchangeRatesResult> {
  const faults: (RowFault & { pointer: string })[] = [];
  const rows = new Map<string, { day: string; base: string; currency: string; rate: string }>();
  for (const [i, input] of inputs.entries()) {
    const before = faults.length;
    const fault = (name: string, code: string, detail: string) =>
      faults.push({ row: i + 1, pointer: `/rates/${i}${name === '' ? '' : `/${name}`}`, code, detail });
    for (const { pointer, code, detail } of faultsOfRow(i)) faults.push({ row: i + 1, pointer, code, detail });
    const isReadable = (name: string) => faultsOfRow(i, name).length === 0;
    const [hasBase, hasCurrency] = [isReadable('base'), isReadable('currency')];
    const base = hasBase ? readCurrency(input.base) : undefined;
    const currency = hasCurrency ? readCurrency(input.currency) : undefined;
    if (hasBase && base === undefined)
      fault('base', 'currency_invalid', '`base` must be an ISO 4217 code, such as EUR.');
    if (hasCurrency && currency === undefined)
      fault('currency', 'currency_invalid', '`currency` must be an ISO 4217 code, such as USD.');
    if (base !== undefined && base === currency)
      fault('currency', 'currency_invalid', '`currency` must differ from `base`.');
    const rate = isReadable('rate') ? readAmount(input.rate) : '1';
    if (rate === undefined || !(Number(rate) > 0)) fault('rate', 'value_invalid', '`rate` must be a number above 0.');
    if (faults.length > before && (!isReadable('date') || !base || !currency)) continue;
    const row = { day: input.date, base: base ?? '', currency: currency ?? '', rate: rate ?? '' };
    const key = [row.day, row.base, row.currency].join(' ');
    if (rows.has(key)) fault('', 'duplicate', 'An earlier row has the same date, base and currency.');
    if (faults.length === before) rows.set(key, row);
  }
  if (onError === 'refuse') refuse(faults.map(({ pointer, code, detail }) => ({ pointer, code, detail })));
  const rates = [...rows.values()];
  const [result] = await putExchangeRates(db, { account_id: accountId, rates, now: new Date(now) });
  const written = result?.written ?? 0;
  return {
    written,
    unchanged: rates.length - written,
    faults: faults.map(({ row, code, detail }) => ({ row, code, detail })),
  };
}
