import type { Tx } from '../../shared/postgres/database.ts';
import { DynamicParameters } from '../../shared/postgres/statement.ts';
import { lowerOf } from '../channel-rules/rule-sql.ts';
import { type Condition, containsText, type Filters, SINGLE_VALUED } from '../dimensions.ts';
import type { Rows } from './read-sessions.ts';
import { addNames, findNames, findNamesById, findNamesContaining, findNamesLike } from './segment-queries.ts';

/** The distinct texts of sessions, visits and events. */
export function namesIn({ sessions, visits, events }: Rows): string[] {
  const names = new Set<string | null>();
  for (const session of sessions) for (const column of Object.values(SINGLE_VALUED)) names.add(session[column]);
  for (const items of [visits, events]) for (const { name, funnel } of items) names.add(name).add(funnel);
  return [...names].filter((name) => name !== null);
}

async function findIds(tx: Tx, accountId: string, names: string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await findNames(tx, { account_id: accountId, names });
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The ids of texts; a text without one gets one. */
export async function assignIds(tx: Tx, accountId: string, names: string[]): Promise<Map<string, number>> {
  const known = await findIds(tx, accountId, names);
  const added = names.filter((name) => !known.has(name));
  if (added.length === 0) return known;
  await addNames(tx, { account_id: accountId, names: added.map((name) => ({ name })) });
  return findIds(tx, accountId, names);
}

/** The texts of one report and their ids. A text that has none in the database yet gets a negative one for this report. */
export class ReportNames {
  readonly #tx: Tx;
  readonly #accountId: string;
  readonly #temporary = new Map<string, number>();

  constructor(tx: Tx, accountId: string) {
    this.#tx = tx;
    this.#accountId = accountId;
  }

  async idsOf(names: string[]): Promise<(name: string | null) => number> {
    const known = await findIds(this.#tx, this.#accountId, names);
    for (const name of names) {
      if (!known.has(name) && !this.#temporary.has(name)) this.#temporary.set(name, -1 - this.#temporary.size);
    }
    return (name) => (name === null ? 0 : (known.get(name) ?? this.#temporary.get(name) ?? 0));
  }

  /** The ids that the texts of each condition stand for: those of equal texts, or of texts that contain them. */
  async idsOfFilters(filters: Filters): Promise<ReadonlyMap<Condition, ReadonlySet<number>>> {
    const conditions = Object.values(filters).flat();
    const texts = conditions.flatMap(({ values }) => values.filter((value) => value !== null));
    const idOf = await this.idsOf([...new Set(texts)]);
    const ids = new Map<Condition, ReadonlySet<number>>();
    for (const condition of conditions) {
      if (condition.operator === 'is' || condition.operator === 'isNot') {
        ids.set(condition, new Set(condition.values.flatMap((value) => (value === null ? [] : idOf(value)))));
        continue;
      }
      const found = new Set<number>();
      for (const text of condition.values.filter((value) => value !== null)) {
        for (const id of await this.#idsContaining(text)) found.add(id);
      }
      ids.set(condition, found);
    }
    return ids;
  }

  async #idsContaining(text: string): Promise<number[]> {
    const rows = await findNamesContaining(this.#tx, { account_id: this.#accountId, text });
    const temporary = [...this.#temporary].flatMap(([name, id]) => (containsText(name, text) ? id : []));
    return [...rows.map(({ id }) => id), ...temporary];
  }

  /** The ids of the texts that match: both a LIKE pattern and a condition, which alone decides for temporary ids. */
  async idsLike(pattern: string, matches: (name: string) => boolean): Promise<number[]> {
    const rows = await findNamesLike(this.#tx, { account_id: this.#accountId, pattern });
    return [...rows.map(({ name, id }) => [name, id] as const), ...this.#temporary].flatMap(([name, id]) =>
      matches(name) ? id : [],
    );
  }

  /** For each condition in SQL on a lower-case text, the ids of the texts for which it holds. */
  async idsNamed(conditions: ((text: string, format: DynamicParameters['add']) => string)[]): Promise<Set<number>[]> {
    const ids = conditions.map(() => new Set<number>());
    if (ids.length === 0) return ids;
    const parameters = new DynamicParameters();
    const format = parameters.add.bind(parameters);
    const cases = conditions.map((condition, i) => `case when ${condition('name', format)} then ${i} end`);
    const account = format('uuid', this.#accountId);
    const temporary = [
      format('integer[]', [...this.#temporary.values()]),
      format('text[]', [...this.#temporary.keys()]),
    ];
    const { rows } = await this.#tx.query<{ id: number; named: number[] }>(
      `select id, named from (
         select id, array_remove(array[${cases.join(', ')}]::integer[], null) as named from (
           select id, ${lowerOf('name')} as name from (
             select id, name from analytics_names where account_id = ${account}
             union all select * from unnest(${temporary.join(', ')})) n (id, name) offset 0) l offset 0) c
       where named <> '{}'`,
      parameters.values,
    );
    for (const { id, named } of rows) for (const i of named) ids[i]?.add(id);
    return ids;
  }

  async namesOf(ids: number[]): Promise<Map<number, string>> {
    const rows = await findNamesById(this.#tx, { account_id: this.#accountId, ids: ids.filter((id) => id > 0) });
    return new Map([
      ...rows.map(({ id, name }) => [id, name] as const),
      ...[...this.#temporary].map(([name, id]) => [id, name] as const),
    ]);
  }
}
