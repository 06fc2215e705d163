import { globSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import type pg from 'pg';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';
import type { Database } from '../src/shared/postgres/database.ts';
import { declarations } from '../src/shared/postgres/statement.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What the driver reads each type as (`shared/postgres/driver/types.ts`); all others are text, and JSON is anything. */
const READ_AS: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer<ArrayBufferLike>',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  timestamptz: 'Date',
  _float8: 'number[]',
  _int4: 'number[]',
  _int8: 'string[]',
  _text: 'string[]',
  _timestamptz: 'Date[]',
  _uuid: 'string[]',
};
const JSON_TYPES = new Set(['json', 'jsonb']);

/** Columns that may be null in their table, but not in these rows, for a reason that the statement does not show. */
const NEVER_NULL: ReadonlySet<string> = new Set([
  // By the type or the state of the row.
  'server/src/accounts/queries.ts publishable_key',
  'server/src/content/many/queries.ts version',
  'server/src/content/releases/queries.ts version',
  'server/src/destinations/delivery/purges.ts paths',
  // Compared under its name in the table.
  'server/src/analytics/engine/source-queries.ts number',
]);

/** A call of `returns` or `runs`, with the texts of its statements: several if it is in a function. */
interface Call {
  file: string;
  line: number;
  /** Where the name of the called function starts in the file. */
  position: number;
  texts: Set<string>;
}

interface Column {
  name: string;
  type: string;
  /** Whether it is the column of a table that may be null there. */
  isNullable: boolean;
}

/** What each member of a row type may be: `string`, `null`, `Date[]`, … */
type RowType = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Checks every statement (`shared/postgres/statement.ts`) against the schema: PostgreSQL parses it, and the columns that it would return
 * have to be those of its row type by name and type. A column that may be null in its table is declared as such, unless the
 * statement compares it.
 * @returns the faults
 */
export async function checkStatements(db: Database): Promise<string[]> {
  const calls = await findCalls();
  const rowTypes = readRowTypes(calls);
  const describe = await describer(db);
  const faults: string[] = [];
  const excused = new Set<string>();
  const texts = calls.flatMap(({ texts }) => [...texts]);
  const temporary = new Set(texts.flatMap((text) => /^create temp table (\w+)/.exec(text)?.[1] ?? []));
  for (const call of calls) {
    const file = relative(ROOT, call.file);
    const isNeverNull = (name: string) => {
      const key = `${file} ${name}`;
      return NEVER_NULL.has(key) && excused.add(key) !== undefined;
    };
    for (const text of call.texts) {
      const columns = await describe(text);
      const missing = typeof columns === 'string' ? /^relation "(\w+)" does not exist/.exec(columns)?.[1] : undefined;
      if (missing !== undefined && temporary.has(missing)) continue;
      const found = typeof columns === 'string' ? [columns] : faultsOf(text, columns, rowTypes.get(call), isNeverNull);
      faults.push(...found.map((fault) => `${file}:${call.line}: ${fault}`));
    }
  }
  for (const key of NEVER_NULL) if (!excused.has(key)) faults.push(`check-statements.ts: nothing needs ${key}`);
  return [...new Set(faults)];
}

/** Loads all modules with statements, which publish each where they declare it. */
async function findCalls(): Promise<Call[]> {
  const calls = new Map<string, Call>();
  declarations.subscribe((message) => {
    const site = getCallSites().find(({ scriptName }) => isOfModule(scriptName));
    if (site === undefined) return;
    const { scriptName, lineNumber: line, columnNumber } = site;
    const key = `${scriptName}:${line}:${columnNumber}`;
    const file = fileURLToPath(scriptName);
    const position = startOfLine(readFileSync(file, 'utf8'), line) + columnNumber - 1;
    const call = calls.get(key) ?? { file, line, position, texts: new Set() };
    for (const text of message as readonly string[]) call.texts.add(text);
    calls.set(key, call);
  });
  enableCompileCache(join(tmpdir(), 'headwater-compile-cache'));
  for (const file of globSync('server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*test*'] })) {
    const path = join(ROOT, file);
    if (/tatement\(/.test(readFileSync(path, 'utf8'))) await import(path);
  }
  return [...calls.values()];
}

const isOfModule = (script: string) => script.startsWith('file:') && !/\/(check-)?statements?\.ts$/.test(script);

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) at = text.indexOf('\n', at) + 1;
  return at;
}

/** The row type that each call declares. */
function readRowTypes(calls: readonly Call[]): Map<Call, RowType> {
  const api = new API({ cwd: ROOT });
  const [project] = api.updateSnapshot({ openProjects: [join(ROOT, 'server/tsconfig.json')] }).getProjects();
  if (project === undefined) throw new Error('the compiler has not opened server/tsconfig.json');
  const { checker, program } = project;
  const declared = calls.flatMap((call) => {
    const source = program.getSourceFile(call.file);
    const node = source && typeArgumentAt(source, call.position);
    return node ? [{ call, node }] : [];
  });
  const types = checker.getTypeAtLocation(declared.map(({ node }) => node));
  const rowTypes = new Map(declared.map(({ call }, i) => [call, rowTypeOf(checker, types[i])]));
  api.close();
  return rowTypes;
}

function typeArgumentAt(source: SourceFile, position: number): Node | undefined {
  let found: Node | undefined;
  const visit = (node: Node): void => {
    if (position < node.pos || position >= node.end) return;
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression;
      if (name.end - name.text.length === position) found = node.typeArguments?.[0];
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** Of a union, a member that only some of its types have is optional. */
function rowTypeOf(checker: Checker, type: Type | undefined): RowType {
  const members = new Map<string, Set<string>>();
  const parts = partsOf(type);
  const rows = parts.map((part) => {
    const symbols = checker.getPropertiesOfType(part);
    const types = symbols.length > 0 ? checker.getTypeOfSymbol(symbols) : [];
    return new Map(symbols.map(({ name }, i) => [name, kindsOf(checker, types[i])]));
  });
  for (const name of new Set(rows.flatMap((row) => [...row.keys()]))) {
    members.set(name, new Set(rows.flatMap((row) => row.get(name) ?? ['undefined'])));
  }
  return members;
}

function kindsOf(checker: Checker, type: Type | undefined): string[] {
  return partsOf(type).flatMap((part) => {
    if (checker.isArrayType(part) && part.isTypeReference()) {
      const [element] = checker.getTypeArguments(part);
      const kinds = kindsOf(checker, element).filter((kind) => kind !== 'null');
      return kinds.map((kind) => `${kind}[]`);
    }
    return PRIMITIVES.find(([flags]) => (part.flags & flags) !== 0)?.[1] ?? checker.typeToString(part);
  });
}

const partsOf = (type: Type | undefined): readonly Type[] =>
  type?.isUnionType() ? (type.getTypes() ?? []) : type ? [type] : [];

const PRIMITIVES: readonly (readonly [number, string])[] = [
  [TypeFlags.String | TypeFlags.StringLiteral | TypeFlags.TemplateLiteral, 'string'],
  [TypeFlags.Number | TypeFlags.NumberLiteral, 'number'],
  [TypeFlags.Boolean | TypeFlags.BooleanLiteral, 'boolean'],
];

/** Reads the columns that a statement returns, or why PostgreSQL refuses it. */
async function describer(db: Database): Promise<(text: string) => Promise<Column[] | string>> {
  const { rows: attributes } = await db.query<{ key: string }>(
    `select attrelid || '.' || attnum as key from pg_attribute
     join pg_class on pg_class.oid = attrelid
     where not attnotnull and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  const nullable = new Set(attributes.map(({ key }) => key));
  const { rows: types } = await db.query<{ oid: number; name: string }>('select oid, typname as name from pg_type');
  const names = new Map(types.map(({ oid, name }) => [oid, name]));
  const client = await db.pool.connect();
  return async (text) => {
    const fields = await describe(client, text).catch((error: Error) => error.message);
    if (typeof fields === 'string') return fields;
    return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: names.get(dataTypeID) ?? 'unknown',
      isNullable: nullable.has(`${tableID}.${columnID}`),
    }));
  };
}

/** Lets PostgreSQL parse a statement without running it. */
function describe(client: pg.ClientBase, text: string): Promise<pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: pg.FieldDef[] = [];
    const query = {
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription(message: { fields: pg.FieldDef[] }) {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(query);
  });
}

function faultsOf(
  text: string,
  columns: readonly Column[],
  row: RowType | undefined,
  isNeverNull: (name: string) => boolean,
): string[] {
  if (row === undefined) return [];
  const faults: string[] = [];
  for (const { name, type, isNullable } of columns) {
    const kinds = row.get(name);
    if (kinds === undefined) {
      faults.push(`the row type lacks the column ${name}`);
      continue;
    }
    const readAs = READ_AS[type] ?? 'string';
    const isAny = JSON_TYPES.has(type) || kinds.has('unknown');
    if (!isAny && !kinds.has(readAs)) {
      faults.push(`${name} is ${type}, read as ${readAs}, and declared as ${[...kinds].join(' | ')}`);
    }
    const isCompared = new RegExp(`\\b${name} (is not null|=|<|>)`).test(text);
    if (isNullable && !isCompared && !kinds.has('unknown') && !kinds.has('null') && !isNeverNull(name)) {
      faults.push(`${name} may be null`);
    }
  }
  const names = new Set(columns.map(({ name }) => name));
  for (const [name, kinds] of row) {
    if (!names.has(name) && !kinds.has('undefined')) faults.push(`there is no column ${name}`);
  }
  return faults;
}
