import { isoTime } from '../../shared/time.ts';
import { sizeOf, unitsOf, unitsText } from './amounts.ts';
import type { Outcome, Reason } from './contract.ts';
import type { FoundConversion, NewLine, Outcomes } from './queries.ts';
import type { Line, RowFault } from './read-statement.ts';

export interface Tolerance {
  /** In units; see amounts.ts. */
  absolute: bigint;
  /** A part of the amount. */
  share: number;
}

type NewValues = Omit<NewLine, 'number'>;

const NOTHING = {
  ...{ reason: null, detail: null, identifier: null, click: null, rows: '', there: null, here: null, currency: null },
  ...{ here_currency: null, conversion_id: null, version: null, at: null, can_apply: false },
};

/** Compares what a statement says of an order with its conversion. */
export function compareLine(line: Line, conversion: FoundConversion, tolerance: Tolerance): NewValues {
  const { currency, isRefund } = line;
  const here = unitsOf(conversion.value ?? '0');
  const isSameCurrency = conversion.currency === null || conversion.currency === currency;
  // Of a sale that an earlier statement paid, only what was taken back since is known: it is compared with what its reports took back.
  const takenBack = unitsOf(conversion.highest ?? '0') - here;
  const isKnownRefund = isRefund && takenBack >= -line.amount - allowed(tolerance, line.amount);
  const there = isRefund ? (isKnownRefund ? here : here + line.amount) : line.amount;
  const isEqual = isSameCurrency && sizeOf(there - here) <= allowed(tolerance, there);
  const reason: Reason | null = isEqual ? null : !isSameCurrency ? 'currency' : isRefund ? 'refund' : 'amount';
  const hasEventId = conversion.event_id !== null;
  return {
    ...NOTHING,
    outcome: isEqual ? 'equal' : 'different',
    reason: reason !== null && isSameCurrency && !hasEventId ? 'noEventId' : reason,
    identifier: conversion.event_id ?? nameOf(line),
    rows: line.rows.join(),
    there: unitsText(there),
    here: unitsText(here),
    currency,
    here_currency: conversion.currency,
    conversion_id: conversion.id,
    version: conversion.version,
    at: line.at ?? isoTime(conversion.created_on),
    can_apply: !isEqual && isSameCurrency && hasEventId,
  };
}

/** An order that no conversion has. @param isReported whether it was reported, but matches no session */
export function missingHere(line: Line, isReported: boolean): NewValues {
  const canApply = line.click !== null && !isReported && !line.isRefund && line.amount > 0n;
  return {
    ...NOTHING,
    outcome: 'missingHere',
    reason: canApply ? null : isReported ? 'unmatched' : 'unknown',
    identifier: nameOf(line),
    click: canApply ? JSON.stringify(line.click) : null,
    rows: line.rows.join(),
    there: unitsText(line.amount),
    currency: line.currency,
    at: line.at,
    can_apply: canApply,
  };
}

/** A conversion that the statement does not have. */
export function missingThere(conversion: FoundConversion): NewValues {
  const canApply = conversion.event_id !== null;
  return {
    ...NOTHING,
    outcome: 'missingThere',
    reason: canApply ? null : 'noEventId',
    identifier: conversion.event_id,
    here: unitsText(unitsOf(conversion.value ?? '0')),
    currency: conversion.currency,
    here_currency: conversion.currency,
    conversion_id: conversion.id,
    version: conversion.version,
    at: isoTime(conversion.created_on),
    can_apply: canApply,
  };
}

export const faulty = ({ row, code, detail }: RowFault): NewValues => ({
  ...NOTHING,
  ...{ outcome: 'faulty', reason: code, detail, rows: String(row) },
});

/** Assigns the orders of one session to its conversions: those of the same amount first, then in order of their size. */
export function assignBySize(
  lines: readonly Line[],
  conversions: readonly FoundConversion[],
): Map<Line, FoundConversion> {
  const assigned = new Map<Line, FoundConversion>();
  const free = new Set(conversions);
  const assign = (line: Line, conversion: FoundConversion | undefined) => {
    if (!conversion) return;
    assigned.set(line, conversion);
    free.delete(conversion);
  };
  const isOf = (line: Line, { currency }: FoundConversion) => currency === null || currency === line.currency;
  for (const line of lines) {
    assign(
      line,
      [...free].find((each) => isOf(line, each) && unitsOf(each.value ?? '0') === line.amount),
    );
  }
  const rest = lines.filter((line) => !assigned.has(line)).sort((a, b) => (a.amount < b.amount ? 1 : -1));
  for (const line of rest) {
    const bySize = [...free].sort((a, b) => Number(b.value ?? 0) - Number(a.value ?? 0));
    assign(line, bySize.find((each) => isOf(line, each)) ?? bySize[0]);
  }
  return assigned;
}

const nameOf = ({ identifiers, click }: Line) => identifiers[0] ?? click?.value ?? null;

function allowed({ absolute, share }: Tolerance, amount: bigint): bigint {
  const part = (sizeOf(amount) * BigInt(Math.round(share * 1e6))) / 1_000_000n;
  return part > absolute ? part : absolute;
}

/** Counts lines and adds up their amounts, exactly and by currency. */
export class Totals {
  readonly #totals = new Map<
    string,
    { count: number; appliable: number; amounts: Map<string, [there: bigint, here: bigint]> }
  >();

  add({ outcome, can_apply, currency, here_currency, there, here }: NewValues): void {
    const totals = this.#totals.get(outcome) ?? { count: 0, appliable: 0, amounts: new Map() };
    this.#totals.set(outcome, totals);
    totals.count++;
    if (can_apply) totals.appliable++;
    const addTo = (code: string | null | undefined, amount: unknown, place: 0 | 1) => {
      if (amount === null) return;
      const sums = totals.amounts.get(code ?? '') ?? [0n, 0n];
      sums[place] += unitsOf(String(amount));
      totals.amounts.set(code ?? '', sums);
    };
    addTo(currency, there, 0);
    addTo(here_currency ?? currency, here, 1);
  }

  count(outcome: Outcome): number {
    return this.#totals.get(outcome)?.count ?? 0;
  }

  result(): Outcomes {
    const of = (outcome: Outcome) => {
      const { count = 0, appliable = 0, amounts = [] } = this.#totals.get(outcome) ?? {};
      return {
        ...{ count, appliable, applied: 0 },
        amounts: [...amounts]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([currency, [there, here]]) => ({
            currency,
            there: unitsText(there),
            here: unitsText(here),
            difference: unitsText(there - here),
          })),
      };
    };
    return {
      equal: of('equal'),
      different: of('different'),
      missingHere: of('missingHere'),
      missingThere: of('missingThere'),
    };
  }
}
