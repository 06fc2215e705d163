import type { Tx } from '../shared/postgres/database.ts';
import type { Identifier } from './identifier.ts';
import { findSessionNumbers } from './queries.ts';

export interface SessionLookUp {
  accountId: string;
  identifier: Identifier;
}

/**
 * The numbers of the sessions that the identifiers name, in their order, undefined where there is none, by one statement
 * for any number of them. Of several sessions with the same click id the earliest is found.
 */
export async function findSessions(tx: Tx, lookUps: readonly SessionLookUp[]): Promise<(number | undefined)[]> {
  if (lookUps.length === 0) return [];
  const keys = { hash: new Pairs(), number: new Pairs(), short: new Pairs(), click: new Pairs() };
  for (const { accountId, identifier } of lookUps) keys[identifier.lookUp].add(accountId, identifier.value);
  const rows = await findSessionNumbers(
    tx,
    ...[keys.hash, keys.number, keys.short, keys.click].flatMap(({ accounts, values }) => [accounts, values]),
  );
  const found = new Map(rows.map((row) => [`${row.kind} ${row.account_id} ${row.value}`, row.number]));
  return lookUps.map(({ accountId, identifier }) => found.get(`${identifier.lookUp} ${accountId} ${identifier.value}`));
}

class Pairs {
  readonly accounts: string[] = [];
  readonly values: string[] = [];
  readonly #seen = new Set<string>();

  add(account: string, value: string): void {
    const both = `${account} ${value}`;
    if (this.#seen.has(both)) return;
    this.#seen.add(both);
    this.accounts.push(account);
    this.values.push(value);
  }
}
