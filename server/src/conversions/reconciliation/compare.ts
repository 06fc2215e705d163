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
  const left = here + line.amount;
  // Of more than is left a part was taken back before, or is none of its value here, such as taxes.
  const rest = left < 0n ? left + takenBack : left;
  const afterRefund = isKnownRefund ? here : rest < 0n && here >= 0n ? 0n : rest;
  const there = isRefund ? afterRefund : line.amount;
  const isEqual = isSameCurrency && sizeOf(there - here) <= allowed(tolerance, there);
  const reason: Reason | null = isEqual ? null : !isSameCurrency ? 'currency' : isRefund ? 'refund' : 'amount';
  const hasEventId = conversion.event_id !== null;
  return {
    ...NOTHING,
    outcome: isEqual ? 'equal' : 'different',
    reason: reason === null ? null : line.hasFault ? 'faultyRow' : isSameCurrency && !hasEventId ? 'noEventId' : reason,
    identifier: conversion.event_id ?? nameOf(line),
    rows: line.rows.join(),
    there: unitsText(there),
    here: unitsText(here),
    currency,
    here_currency: conversion.currency,
    conversion_id: conversion.id,
    version: conversion.version,
    at: line.at ?? isoTime(conversion.created_on),
    can_apply: !isEqual && isSameCurrency && hasEventId && !line.hasFault,
  };
}

/**
 * An order that no conversion has.
 * @param doubt `unmatched`: it was reported, but matches no session; `ambiguous`: a conversion of its click may be it
 */
export function missingHere(line: Line, doubt: 'unmatched' | 'ambiguous' | null): NewValues {
  const reason: Reason | null = doubt ?? (line.hasFault ? 'faultyRow' : null);
  const canApply = line.click !== null && reason === null && !line.isRefund && line.amount > 0n;
  return {
    ...NOTHING,
    outcome: 'missingHere',
    reason: canApply ? null : (reason ?? 'unknown'),
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

/**
 * Assigns the orders of one session to its conversions: those of the same amount, and then what is left if it is one of each. An order that has
 * an ID is none of a conversion that has another one.
 * @returns the assigned ones, and those of which several conversions or orders could be
 */
export function assignOrders(lines: readonly Line[], conversions: readonly FoundConversion[]) {
  const assigned = new Map<Line, FoundConversion>();
  const free = new Set(conversions);
  const assign = (line: Line, conversion: FoundConversion) => {
    assigned.set(line, conversion);
    free.delete(conversion);
  };
  const ofAmounts = Map.groupBy(conversions.toReversed(), (each) => `${amountOf(each)} ${each.event_id !== null}`);
  for (const line of lines) {
    const keys = amountsOf(line).flatMap((amount) => [
      `${amount} false`,
      ...(line.namesOrder ? [] : [`${amount} true`]),
    ]);
    const same = keys
      .map((key) => ofAmounts.get(key))
      .find((each) => each?.length)
      ?.pop();
    if (same) assign(line, same);
  }
  const left = [...free];
  const withoutId = left.filter(({ event_id }) => event_id === null);
  const candidatesOf = (line: Line) => (line.namesOrder ? withoutId : left);
  const rest = lines.filter((line) => !assigned.has(line) && candidatesOf(line).length > 0);
  const [line, ...others] = rest;
  const [conversion, ...more] = line ? candidatesOf(line) : [];
  if (!line || !conversion || others.length + more.length > 0) return { assigned, ambiguous: rest, free: left };
  assign(line, conversion);
  return { assigned, ambiguous: [], free: [...free] };
}

/** Whether one of the conversions has the amount of a line. */
export function hasAmountOf(conversions: readonly FoundConversion[]): (line: Line) => boolean {
  const amounts = new Set(conversions.map(amountOf));
  return (line) => amountsOf(line).some((amount) => amounts.has(amount));
}

const amountOf = ({ value, currency }: FoundConversion) => `${unitsOf(value ?? '0')} ${currency ?? ''}`;
/** In its currency, and in none. */
const amountsOf = ({ amount, currency }: Line) => [`${amount} ${currency}`, `${amount} `];

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
