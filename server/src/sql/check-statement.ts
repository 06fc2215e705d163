import { ApiError, type Fault, invalid } from '../shared/errors.ts';
import { isView, VIEW_NAMES, type ViewName } from './views.ts';
import { FUNCTIONS, MAX_PADDING, MEMBERS, NODES, PADDING, TYPES, VALUE_FUNCTIONS } from './vocabulary.ts';

type Json = Record<string, unknown>;

/** The parser walks over its tree recursively: longer statements could exhaust its stack (measured: from 16,000 tokens on). */
const MAX_TOKENS = 6_000;
const MAX_DEPTH = 800;

/** Refused by its name, so that who meant to change something knows. */
const refusal = (code: string, detail: string): Fault => ({ pointer: '/query', code, detail });

/**
 * Checks that a text is one statement that only reads views, by PostgreSQL's own parser: every node, function and type of it is one that we
 * know. That the account's rows are all that the views show is not decided here, but by the database.
 * @returns the views that it reads
 * @throws ApiError 400 with every fault
 */
export async function checkStatement(query: string): Promise<ViewName[]> {
  const statements = await parseStatements(query);
  const [only, more] = statements;
  if (only === undefined) throw invalid([refusal('sql_empty', 'There is no statement in `query`.')]);
  if (more !== undefined) {
    throw invalid([refusal('sql_several', 'Send one statement at a time: `query` contains several.')]);
  }
  const { stmt } = only as { stmt: Json };
  const [type = ''] = Object.keys(stmt);
  if (type !== 'SelectStmt') throw invalid([refusal('sql_not_read_only', notRead(nameOf(type)))]);
  const check = new Check();
  check.walk(stmt, 0);
  check.resolve();
  if (check.faults.length > 0) throw invalid(check.faults);
  return [...check.views];
}

const notRead = (name: string) => `Statements only read: ${name} is refused. Use SELECT.`;

/** `INSERT` of `InsertStmt`, `CREATE TABLE AS` of `CreateTableAsStmt`. */
const nameOf = (node: string) =>
  node
    .replace(/Stmt$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();

const tooComplex = (cause?: unknown) =>
  new ApiError(400, 'sql_too_complex', TOO_COMPLEX, { errors: [refusal('sql_too_complex', TOO_COMPLEX)], cause });

const TOO_COMPLEX = `The statement is too long or nested too deeply: use at most ${MAX_TOKENS} words and signs, and \`parameters\` for lists.`;

async function parseStatements(query: string): Promise<unknown[]> {
  const { hasSqlDetails, loadModule, parseSync, scanSync } = await import('libpg-query');
  await loadModule();
  try {
    if (countTokens(query, scanSync) > MAX_TOKENS) throw tooComplex();
    return parseSync(query).stmts ?? [];
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (!hasSqlDetails(error)) throw tooComplex(error);
    const at = error.sqlDetails?.cursorPosition ?? -1;
    throw sqlError({ message: error.message, code: '42601', position: at < 0 ? undefined : at + 1 });
  }
}

/** What the scanner returns is no JSON where a text has these. */
const CONTROL = /(?![\n\r\t\f])\p{Cc}/gu;

/** 0 if a quotation or comment does not end: the parser says so, and makes no tree. */
function countTokens(query: string, scan: (text: string) => { tokens: unknown[] }): number {
  try {
    return scan(query.replace(CONTROL, ' ')).tokens.length;
  } catch {
    return 0;
  }
}

/** A fault that PostgreSQL found in the statement. @param position of the first character that is wrong, from 1 */
export function sqlError({
  message,
  code,
  position,
}: {
  message: string;
  code: string;
  position?: number | undefined;
}) {
  const where = position === undefined ? '' : `, at character ${position}`;
  const detail = `PostgreSQL: ${message} (SQLSTATE ${code}${where}).`;
  return invalid([refusal('sql_error', detail)]);
}

class Check {
  readonly faults: Fault[] = [];
  readonly views = new Set<ViewName>();
  readonly #named = new Set<string>();
  readonly #tables = new Set<string>();

  /** What is read must be a view, or a part of the statement itself. */
  resolve(): void {
    for (const name of this.#tables) {
      if (isView(name)) this.views.add(name);
      else if (!this.#named.has(name) || /^(pg_|information_schema)/i.test(name)) {
        this.#refuse('view_unknown', `There is no view "${name}". There are: ${VIEW_NAMES.join(', ')}.`);
      }
    }
  }

  walk(value: unknown, depth: number): void {
    if (value === null || typeof value !== 'object') return;
    if (depth > MAX_DEPTH) throw tooComplex();
    if (Array.isArray(value)) {
      for (const each of value) this.walk(each, depth + 1);
      return;
    }
    const entries = Object.entries(value);
    const [first] = entries;
    // A node is an object with its type as the only member.
    if (entries.length === 1 && first !== undefined && /^[A-Z]/.test(first[0])) this.#node(first[0], first[1], depth);
    else if (entries.length > 0) this.#refuse('sql_not_supported', 'The statement has a part that is not supported.');
  }

  #node(type: string, body: unknown, depth: number): void {
    if (/^(Insert|Update|Delete|Merge)Stmt$/.test(type)) this.#refuse('sql_not_read_only', notRead(nameOf(type)));
    else if (type === 'LockingClause') this.#refuse('sql_not_read_only', notRead('FOR UPDATE'));
    else if (!NODES.has(type)) this.#refuse('sql_not_supported', `${nameOf(type)} is not supported.`);
    else this.#members(type, body as Json, depth);
  }

  #members(type: string, node: Json, depth: number): void {
    this.#examine(type, node);
    for (const [name, value] of Object.entries(node)) {
      if (value === null || typeof value !== 'object') continue;
      if (name === 'intoClause') this.#refuse('sql_not_read_only', notRead('SELECT INTO'));
      else if (Array.isArray(value)) this.walk(value, depth + 1);
      else if (MEMBERS[name] !== undefined && !isNode(value)) {
        if (depth > MAX_DEPTH) throw tooComplex();
        this.#members(MEMBERS[name], value as Json, depth + 1);
      } else this.walk(value, depth + 1);
    }
  }

  #examine(type: string, node: Json): void {
    if (type === 'RangeVar') {
      if (node.schemaname !== undefined || node.catalogname !== undefined) {
        this.#refuse('view_unknown', 'Name a view without a schema.');
      } else this.#tables.add(String(node.relname));
    } else if (type === 'CommonTableExpr') this.#named.add(String(node.ctename));
    else if (type === 'SubLink' && node.operName) this.#nameIn(node.operName, 'operator');
    else if (type === 'SortBy' && node.useOp) this.#nameIn(node.useOp, 'operator');
    else if (type === 'TypeName') this.#type(node);
    else if (type === 'FuncCall') this.#call(node);
    else if (type === 'A_Expr') this.#nameIn(node.name, 'operator');
    else if (type === 'SQLValueFunction' && !VALUE_FUNCTIONS.has(String(node.op))) {
      this.#refuse('function_not_allowed', 'Functions that tell about the role or the database are not allowed.');
    }
  }

  #type(node: Json): void {
    const name = this.#nameIn(node.names, 'type');
    if (name === undefined) return;
    if (node.pct_type || node.setof || !TYPES.has(name)) {
      this.#refuse('type_not_allowed', `The type "${name}" is not allowed.`);
    }
  }

  #call(node: Json): void {
    const name = this.#nameIn(node.funcname, 'function');
    if (name === undefined) return;
    if (!FUNCTIONS.has(name)) {
      this.#refuse('function_not_allowed', `The function "${name}" is not allowed; see /guide/sql for those that are.`);
    } else if (PADDING.has(name)) {
      const length = (node.args as { A_Const?: { ival?: { ival?: number } } }[] | undefined)?.[1]?.A_Const?.ival?.ival;
      if (length === undefined || length > MAX_PADDING) {
        this.#refuse('function_not_allowed', `The length of "${name}" must be a number up to ${MAX_PADDING}.`);
      }
    }
  }

  /** The name of a function, type or operator, which is one of PostgreSQL. */
  #nameIn(parts: unknown, what: string): string | undefined {
    const names = ((parts ?? []) as { String?: { sval?: string } }[]).map((each) => each.String?.sval ?? '');
    const own = names.length > 1 && names[0] === 'pg_catalog' ? names.slice(1) : names;
    if (own.length === 1) return own[0];
    this.#refuse(`${what}_not_allowed`, `Name a ${what} without a schema.`);
    return undefined;
  }

  #refuse(code: string, detail: string): void {
    if (this.faults.length < 100 && !this.faults.some((fault) => fault.detail === detail)) {
      this.faults.push(refusal(code, detail));
    }
  }
}

const isNode = (value: object) => {
  const [name = '', more] = Object.keys(value);
  return more === undefined && /^[A-Z]/.test(name);
};
