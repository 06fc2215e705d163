import { channel } from 'node:diagnostics_channel';
import type pg from 'pg';
import { isoTime } from '../time.ts';
import { binaryArray } from './binary-array.ts';
import type { ControlTx, Tx } from './database.ts';

/**
 * What a parameter of each SQL type takes. A time is a `Date`, ISO text, or milliseconds since 1970, which are fastest. JSON
 * is passed as text, so that the caller decides how it is serialized. A `bigint` or `numeric` that exceeds a
 * safe integer is passed as text.
 */
interface Values {
  uuid: string;
  text: string;
  boolean: boolean;
  integer: number;
  bigint: number | string;
  numeric: number | string;
  'double precision': number;
  timestamptz: Date | string | number;
  interval: string;
  json: string;
  jsonb: string;
  bytea: Buffer;
  pg_snapshot: string;
}

type Scalar = keyof Values;

/** A SQL type; with `?`, a value of it may be null. */
export type SqlType = Scalar | `${Scalar}[]` | `${Scalar}?` | `${Scalar}[]?`;

type ValueOf<Type extends SqlType> = Type extends `${infer Base}?`
  ? Base extends SqlType
    ? ValueOf<Base> | null
    : never
  : Type extends `${infer Base}[]`
    ? Base extends Scalar
      ? readonly (Values[Base] | null)[]
      : never
    : Type extends Scalar
      ? Values[Type]
      : never;

type Columns = Readonly<Record<string, SqlType>>;

/** One row of a batch: an object with a member for each column. */
export type RowOf<Batch extends Rows> = {
  readonly [Column in keyof Batch['columns']]: ValueOf<Batch['columns'][Column]>;
};

/** The declaration of a batch of rows; see `rows`. */
export interface Rows<Declared extends Columns = Columns> {
  readonly columns: Declared;
  /** The names of the columns in order, for `insert into t (…)` and `select …`. */
  readonly list: string;
}

/**
 * Declares a batch: its columns in order and their types. As a parameter of a statement it takes an array of objects, and
 * `:batch as w` in the statement becomes `unnest((select $1::uuid[]), $2::text[]) as w (account_id, name)`.
 */
export function rows<const Declared extends Columns>(columns: Declared): Rows<Declared> {
  return { columns, list: Object.keys(columns).join(', ') };
}

type Parameters = Readonly<Record<string, SqlType | Rows>>;

/** The values of a statement's parameters, by name. */
export type ParametersOf<Declared extends Parameters> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Rows
    ? readonly RowOf<Declared[Name]>[]
    : Declared[Name] extends SqlType
      ? ValueOf<Declared[Name]>
      : never;
};

type Run<Declared extends Parameters, Row, In extends Tx> = keyof Declared extends never
  ? (tx: In) => Promise<Row[]>
  : (tx: In, parameters: ParametersOf<Declared>) => Promise<Row[]>;

interface Declaration<Declared extends Parameters, In extends Tx = Tx> {
  /**
   * The statement as a function of the transaction and the parameters, which returns rows of this type.
   * @param distributed its text for a Citus cluster, if that plans another one
   */
  returns<Row extends pg.QueryResultRow>(sql: string, distributed?: string): Run<Declared, Row, In>;
  /** Likewise, for a statement whose rows are not read. */
  runs(sql: string, distributed?: string): Run<Declared, never, In>;
}

/**
 * Declares a named statement, which PostgreSQL parses and plans once for each connection.
 *
 * ```ts
 * const renameUsers = statement('users.rename', { account_id: 'uuid', names: rows({ id: 'uuid', name: 'text' }) }).returns<{ id: string }>(
 *   `update users set name = w.name from :names as w
 *    where users.account_id = :account_id and users.id = w.id returning users.id`,
 * );
 * await renameUsers(tx, { account_id, names: [{ id, name }] });
 * ```
 */
export function statement<const Declared extends Parameters>(
  name: string,
  parameters: Declared,
): Declaration<Declared> {
  return declare(name, parameters);
}

/** As `statement`, for the tables of the control database. */
export function controlStatement<const Declared extends Parameters>(
  name: string,
  parameters: Declared,
): Declaration<Declared, ControlTx> {
  return declare(name, parameters);
}

/**
 * As `statement`, but planned at each call for its actual parameters: for a statement whose best plan depends on which of
 * its filters are set.
 */
export function plannedStatement<const Declared extends Parameters>(parameters: Declared): Declaration<Declared> {
  return declare(undefined, parameters);
}

/** Receives the text of each statement where it is declared: `scripts/check-statements.ts` listens. */
export const declarations = channel('headwater.statements');

function declare<Declared extends Parameters, In extends Tx>(
  name: string | undefined,
  parameters: Declared,
): Declaration<Declared, In> {
  const prepare = (sql: string, distributed = sql) => {
    const { text, values, elements } = compile(name, parameters, sql);
    const distributedText = compile(name, parameters, distributed).text;
    declarations.publish([text, distributedText]);
    const encode = (value: unknown, i: number) => encodeParameter(elements[i], value);
    const query = async (tx: Tx, given: Readonly<Record<string, unknown>> = {}) => {
      const config = { text: tx.isDistributed ? distributedText : text, values: values(given).map(encode) };
      const result = await tx.query(name === undefined ? config : { name, ...config });
      return result.rows;
    };
    return query as never;
  };
  return { returns: prepare, runs: prepare };
}

/** The value as the driver takes it. @param element the type of its elements if it is an array */
function encodeParameter(element: string | undefined, value: unknown): unknown {
  if (element === undefined || !Array.isArray(value)) return value;
  return binaryArray(element, value) ?? (element === 'timestamptz' ? value.map(timeText) : value);
}

function timeText(value: unknown): unknown {
  return typeof value === 'number' ? isoTime(value) : value;
}

// A text, an identifier, a cast, or a parameter.
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|::|:([a-z_]\w*)(?: as (\w+))?/g;

interface Compiled {
  text: string;
  /** The type of the elements of each parameter that is an array. */
  elements: (string | undefined)[];
  values(given: Readonly<Record<string, unknown>>): unknown[];
}

/**
 * Replaces names by positions, in the order of the declaration. Exported for its tests.
 *
 * Of a named statement, PostgreSQL does not see how large a batch is: for fewer rows than the ten that it assumes otherwise it
 * would plan the statement again at each call, which takes several times as long as to execute it.
 */
export function compile(named: string | undefined, parameters: Parameters, sql: string): Compiled {
  const name = named ?? 'a planned statement';
  const readers: ((given: Readonly<Record<string, unknown>>) => unknown)[] = [];
  const elements: (string | undefined)[] = [];
  const replacements = new Map<string, string>();
  for (const [parameter, type] of Object.entries(parameters)) {
    if (typeof type === 'string') {
      const read = (given: Readonly<Record<string, unknown>>) => required(name, parameter, given[parameter]);
      readers.push(sqlName(type) === 'timestamptz' ? (given) => timeText(read(given)) : read);
      elements.push(sqlName(type).endsWith('[]') ? sqlName(type).slice(0, -2) : undefined);
      replacements.set(parameter, `$${readers.length}::${sqlName(type)}`);
      continue;
    }
    const arrays = Object.entries(type.columns).map(([column, columnType]) => {
      readers.push((given) => columnOf(name, column, given[parameter] as Record<string, unknown>[]));
      elements.push(sqlName(columnType));
      return `$${readers.length}::${sqlName(columnType)}[]`;
    });
    if (named !== undefined) arrays[0] = `(select ${arrays[0]})`;
    replacements.set(parameter, `unnest(${arrays.join(', ')})`);
  }
  const unused = new Set(replacements.keys());
  const text = sql.replace(TOKEN, (token, parameter?: string, alias?: string) => {
    if (parameter === undefined) return token;
    const replacement = replacements.get(parameter);
    if (replacement === undefined) throw new Error(`${name} has no parameter "${parameter}"`);
    unused.delete(parameter);
    const type = parameters[parameter];
    if (typeof type !== 'object') return alias === undefined ? replacement : `${replacement} as ${alias}`;
    if (alias === undefined) throw new Error(`${name}: write ":${parameter} as w", with an alias`);
    return `${replacement} as ${alias} (${type.list})`;
  });
  if (unused.size > 0) throw new Error(`${name} does not use ${[...unused].join(', ')}`);
  return { text, elements, values: (given) => readers.map((read) => read(given)) };
}

function sqlName(type: SqlType): string {
  return type.replace('?', '');
}

function columnOf(name: string, column: string, batch: readonly Record<string, unknown>[]): unknown[] {
  const values = new Array<unknown>(batch.length);
  for (let i = 0; i < batch.length; i++) values[i] = required(name, column, batch[i]?.[column]);
  return values;
}

/** The driver would send a missing member as null. */
function required(name: string, parameter: string, value: unknown): unknown {
  if (value === undefined) throw new TypeError(`${name}: "${parameter}" is missing`);
  return value;
}

/**
 * Parameters of a statement that is put together at run time, such as a listing with any filters: `add` returns the
 * placeholder to write into its text.
 */
export class DynamicParameters {
  readonly values: unknown[] = [];

  add<Type extends SqlType>(type: Type, value: ValueOf<Type>): string {
    this.values.push(sqlName(type) === 'timestamptz' ? timeText(value) : value);
    return `$${this.values.length}::${sqlName(type)}`;
  }
}
