import { CLICK_ID_NAMES } from '../../shared/click-ids.ts';
import type { IdKind } from '../../shared/ids.ts';

/** A column's type in PostgreSQL, from which every file format derives its own representation. */
export type ColumnType =
  /** uuid, written as a public id with this prefix */
  | { type: 'id'; prefix: IdKind }
  /** text; CSV escapes formulas in it */
  | { type: 'text' }
  /** numeric cast to text: exact, plain digits, never a formula */
  | { type: 'decimal' }
  /** jsonb */
  | { type: 'json' }
  /** timestamptz with millisecond precision */
  | { type: 'time' }
  /** bigint: a session's number, written as the session's id */
  | { type: 'session' }
  /** bigint, within safe integers */
  | { type: 'integer' }
  | { type: 'boolean' };

export type Column = ColumnType & {
  name: string;
  /** An expression over the dataset's table `t` and its joined sessions. */
  sql: string;
  /** Exported only if the request names it in `fields`, so that default exports keep their columns. */
  isOptional?: true;
  /** The name of this column now: this one is for readers from before, for a year. */
  formerNameOf?: string;
};

export interface Dataset {
  /** Aliased as `t` in the expressions of the columns. */
  table: string;
  /** The rows of an account as they were known at a time; both are literals. Others are only known as they are. */
  tableAt?: (account: string, time: string) => string;
  /** Has the keys of all rows of `tableAt`. */
  baseTable?: string;
  /** Pages follow this key: unique in the account, roughly in order of arrival, never changed. */
  key: string;
  /** Sorts before every key. */
  keyMinimum: string;
  /** The column that `from` and `to` filter. */
  time: string;
  /** Sessions to join, by alias, with the column of `t` that holds the session number. */
  sessions: { as: string; number: string }[];
  /** In the order of the file. */
  columns: Column[];
}

export const keyedById = { key: 'id', keyMinimum: '00000000-0000-0000-0000-000000000000' };
export const keyedByNumber = { key: 'number', keyMinimum: '-1' };

export const id = (name: string, sql: string, prefix: IdKind): Column => ({ name, sql, type: 'id', prefix });
export const text = (name: string, sql: string): Column => ({ name, sql, type: 'text' });
export const json = (name: string, sql: string): Column => ({ name, sql, type: 'json' });
export const time = (name: string, sql: string): Column => ({ name, sql, type: 'time' });
export const session = (name: string, sql: string): Column => ({ name, sql, type: 'session' });
export const integer = (name: string, sql: string): Column => ({ name, sql, type: 'integer' });
export const boolean = (name: string, sql: string): Column => ({ name, sql, type: 'boolean' });
export const decimal = (name: string, sql: string): Column => ({ name, sql: `${sql}::text`, type: 'decimal' });

/** The column that was the ID of the rows under another name, until 28 November 2027. */
export const formerId = (column: Column): Column => ({ ...column, formerNameOf: 'id' });

/** One column per click id of a session. */
export const clickIds = (session: string): Column[] =>
  CLICK_ID_NAMES.map((name) => text(name, `${session}.click_ids ->> '${name}'`));
