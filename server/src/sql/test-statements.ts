import { HOSTILE, RAW_HOSTILE } from './test-hostile.ts';
import { VIEW_NAMES, VIEWS } from './views.ts';
import { FUNCTIONS, TYPES } from './vocabulary.ts';

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FOREIGN_TABLES = [
  'public.entries',
  'public.leads',
  'public.sql_statements',
  'pg_stat_activity',
  'pg_stats',
  'pg_class',
  'users',
  'api_keys',
  'pg_settings',
];
const FOREIGN_FUNCTIONS = [
  'set_config',
  'current_setting',
  'query_to_xml',
  'pg_read_file',
  'pg_notify',
  'pg_backend_pid',
  'pg_try_advisory_lock',
  'to_regclass',
  'has_table_privilege',
  'pg_get_viewdef',
  'lo_get',
  'row_security_active',
];
const TEXTS = [
  "'hidden-outsider'",
  "'%outsider%'",
  "'1'",
  "'role'",
  "'headwater'",
  'null',
  "''",
  "'a' || 'b'",
  "E'\\x27'",
  '$a$ x $a$',
  "'2026-01-01'",
  '\'{"a":1}\'',
];
const OPERATORS = [
  '=',
  '<>',
  '<',
  '>=',
  '||',
  '+',
  '-',
  '*',
  '/',
  '%',
  'like',
  'ilike',
  '~',
  '->',
  '->>',
  '@>',
  '?',
  'is distinct from',
  'and',
  'or',
  'in',
  '::',
  ',',
  ';',
  '--',
  '/*',
  ')',
  '(',
];

/** Makes statements: most are valid reads of views, many use what is refused, and some are torn. */
export class Statements {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  next(): string {
    const kind = this.#random();
    if (kind < 0.08) return this.#of([...HOSTILE, ...RAW_HOSTILE]);
    const statement = this.#select(0);
    if (kind < 0.16) return this.#tear(statement);
    if (kind < 0.2) return `${statement}; ${this.#of(RAW_HOSTILE)}`;
    if (kind < 0.24) return `with x as (${this.#of([...HOSTILE, statement])}) ${this.#select(1)}`;
    return statement;
  }

  #of<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #chance(part: number): boolean {
    return this.#random() < part;
  }

  #select(depth: number): string {
    const { table, columns } = this.#table(depth);
    const expressions = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () =>
      this.#expression(columns, depth),
    );
    const parts = [`select ${this.#chance(0.25) ? 't.*, 1 as c' : `${expressions.join(', ')} as c`} from ${table} t`];
    if (this.#chance(0.2)) {
      const other = this.#table(depth + 1);
      const on = this.#condition(columns, depth);
      parts.push(`${this.#of(['left join', 'full join', 'join', 'left join lateral'])} ${other.table} u on ${on}`);
    }
    if (this.#chance(0.5))
      parts.push(`where ${this.#chance(0.85) ? this.#condition(columns, depth) : this.#anything(columns, depth)}`);
    if (this.#chance(0.05)) parts.push(`group by ${this.#of(['1', 'rollup (1)', 'grouping sets ((1), ())'])}`);
    if (this.#chance(0.2)) parts.push(`order by ${this.#expression(columns, depth)}`);
    if (this.#chance(0.3)) parts.push(`limit ${this.#of(['1', '10', 'all', '(select 3)'])}`);
    if (this.#chance(0.1) && depth < 2)
      parts.push(`${this.#of(['union', 'union all', 'except', 'intersect'])} ${this.#select(depth + 1)}`);
    return parts.join(' ');
  }

  #table(depth: number): { table: string; columns: string[] } {
    if (this.#chance(0.1)) return { table: this.#of(FOREIGN_TABLES), columns: ['id', '"values"', 'email'] };
    if (depth < 2 && this.#chance(0.2)) return { table: `(${this.#select(depth + 1)})`, columns: ['c'] };
    const name = this.#of(VIEW_NAMES);
    return { table: name, columns: VIEWS[name].columns.map(([column]) => `"${column}"`) };
  }

  /** Mostly a text or a condition that fits together, else anything. */
  #expression(columns: readonly string[], depth: number): string {
    const kind = this.#random();
    if (kind < 0.85) return this.#text(columns, depth);
    return this.#anything(columns, depth);
  }

  #text(columns: readonly string[], depth: number): string {
    const column = `t.${this.#of(columns)}::text`;
    if (depth > 3) return column;
    const next = () => this.#text(columns, depth + 1);
    const kinds: (() => string)[] = [
      () => column,
      () => column,
      () => this.#of(["'hidden-outsider'", "'%outsider%'", "''", "'a' || 'b'", "E'\\x27'", '$a$ x $a$']),
      () => `(${next()} || ${next()})`,
      () => `${this.#of(['lower', 'upper', 'md5', 'reverse', 'btrim', 'concat'])}(${next()})`,
      () => `coalesce(${next()}, ${next()})`,
      () => `case when ${this.#condition(columns, depth + 1)} then ${next()} else ${next()} end`,
      () => `(select ${next()} limit 1)`,
      () => `(select max(u::text) from ${this.#of(VIEW_NAMES)} u)`,
    ];
    return this.#of(kinds)();
  }

  #condition(columns: readonly string[], depth: number): string {
    const text = () => this.#text(columns, depth + 1);
    const kinds: (() => string)[] = [
      () => `${text()} ${this.#of(['=', '<>', '<', 'like', 'ilike', '~~', 'is distinct from'])} ${text()}`,
      () => `${text()} is ${this.#of(['null', 'not null'])}`,
      () => `exists (select 1 from ${this.#of(VIEW_NAMES)} u where u::text like ${text()})`,
      () => `${text()} in (${text()}, ${text()})`,
      () => 'true or true',
    ];
    return this.#of(kinds)();
  }

  #anything(columns: readonly string[], depth: number): string {
    if (depth > 4) return this.#of(columns);
    const next = () => this.#anything(columns, depth + 1);
    const kinds: (() => string)[] = [
      () => this.#of(columns),
      () => this.#of(TEXTS),
      () => String(Math.floor(this.#random() * 100)),
      () => `${next()} ${this.#of(OPERATORS)} ${next()}`,
      () => `${this.#of([...FUNCTIONS])}(${this.#of(['', next(), `${next()}, ${next()}`, '*'])})`,
      () => `${next()}::${this.#of([...TYPES, 'regclass', 'oid', 'xml', 'sessions'])}`,
      () => `${this.#of(['', 'exists ', 'array'])}(${this.#select(depth + 2)})`,
      () => `row(${next()}, ${next()})`,
      () => `t.${this.#of([...FUNCTIONS, ...FOREIGN_FUNCTIONS])}`,
      () => `sum(1) over (partition by ${next()})`,
      () => `${this.#of(FOREIGN_FUNCTIONS)}(${next()})`,
    ];
    return this.#of(kinds)();
  }

  /** Swaps, leaves out and repeats parts. */
  #tear(statement: string): string {
    const parts = statement.split(/(?<=\W)|(?=\W)/);
    for (let i = 0; i < 3; i++)
      parts.splice(Math.floor(this.#random() * parts.length), this.#of([0, 1, 2]), this.#of([...parts, ...OPERATORS]));
    return parts.join('');
  }
}
