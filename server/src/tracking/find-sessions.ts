import type { Tx } from '../shared/postgres/database.ts';
import type { Identifier } from './identifier.ts';
import { type FoundRow, findSessionNumbers } from './queries.ts';

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
  const wanted = new Wanted();
  for (const { accountId, identifier } of lookUps) wanted.add(identifier.lookUp, accountId, identifier.value);
  const found = wanted.found(await findSessionNumbers(tx, ...wanted.parameters('hash', 'number', 'short', 'click')));
  return lookUps.map(({ accountId, identifier }) => {
    return found(identifier.lookUp, accountId, identifier.value)?.number ?? undefined;
  });
}

type Kind = FoundRow['kind'];

/** Collects what is to be looked up, each once, as the arrays that the statements take. */
export class Wanted {
  readonly #seen = new Set<string>();
  readonly #lists = new Map<Kind, { accounts: string[]; values: string[] }>();

  add(kind: Kind, accountId: string, value: string): void {
    const key = `${kind} ${accountId} ${value}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const list = this.#lists.get(kind) ?? { accounts: [], values: [] };
    list.accounts.push(accountId);
    list.values.push(value);
    this.#lists.set(kind, list);
  }

  get isEmpty(): boolean {
    return this.#seen.size === 0;
  }

  parameters(...kinds: Kind[]): string[][] {
    return kinds.flatMap((kind) => {
      const { accounts = [], values = [] } = this.#lists.get(kind) ?? {};
      return [accounts, values];
    });
  }

  found(rows: FoundRow[]): (kind: Kind, accountId: string, value: string) => FoundRow | undefined {
    const byKey = new Map(rows.map((row) => [`${row.kind} ${row.account_id} ${row.value}`, row]));
    return (kind, accountId, value) => byKey.get(`${kind} ${accountId} ${value}`);
  }
}
