import type pg from 'pg';
import { Type } from 'typebox';
import type { Database, Tx } from '../../shared/postgres/database.ts';

/** How a query was served, for those who make it faster. */
export const Explanation = Type.Object(
  {
    strategies: Type.Array(Type.String(), {
      description: 'How entries were found, in the order in which it was tried',
    }),
    statements: Type.Array(
      Type.Object({
        ms: Type.Number({ description: 'How long PostgreSQL took' }),
        rows: Type.Integer({ description: 'Rows that it returned' }),
        indexes: Type.Array(Type.String(), { description: 'The indexes that it read' }),
        plan: Type.Array(Type.String(), { description: 'Its plan, as PostgreSQL describes it' }),
      }),
    ),
  },
  { title: 'Explanation' },
);
interface Explained {
  strategies: string[];
  statements: { ms: number; rows: number; indexes: string[]; plan: string[] }[];
}

const traces = new WeakMap<Tx, Explained>();

/** Notes how entries are found, if the query is explained. */
export function noteStrategy(tx: Tx, strategy: string): void {
  traces.get(tx)?.strategies.push(strategy);
}

/** The database, with a record of the statements that run on it and of their plans. */
export function explaining(db: Database): { db: Database; explanation: Explained } {
  const explanation: Explained = { strategies: [], statements: [] };
  const traced = <T extends Tx>(tx: T, more: Partial<Database>): T => {
    const query = async (config: pg.QueryConfig) => {
      const explain = { text: `explain ${config.text}`, values: config.values ?? [] };
      const { rows: lines } = await tx.query<{ 'QUERY PLAN': string }>(explain);
      const plan = lines.map((line) => line['QUERY PLAN']);
      const start = performance.now();
      const result = await tx.query(config);
      const ms = Math.round((performance.now() - start) * 100) / 100;
      explanation.statements.push({ ms, rows: result.rows.length, indexes: indexesOf(plan), plan });
      return result;
    };
    const own = Object.assign(Object.create(tx) as T, { query, ...more });
    traces.set(own, explanation);
    return own;
  };
  const transaction: Database['transaction'] = (work, options) =>
    db.transaction((tx, last) => work(inTransaction(tx), inTransaction(last)), options);
  const inTransaction = (tx: Tx) =>
    traced({ query: tx.query.bind(tx), isDistributed: tx.isDistributed ?? false } as Tx, {});
  return { db: traced(db, { transaction }), explanation };
}

const indexesOf = (plan: readonly string[]): string[] =>
  [
    ...new Set(
      plan.flatMap(
        (line) =>
          /Index (?:Only )?Scan(?: Backward)? using (\w+)|Bitmap Index Scan on (\w+)/.exec(line)?.slice(1) ?? [],
      ),
    ),
  ].filter(Boolean);
