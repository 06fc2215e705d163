import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { lockMigrations, SQL_SCHEMA } from '../shared/postgres/sql-schema.ts';
import { type SqlView, VIEWS } from './views.ts';

/** The role of PostgreSQL that executes statements: it may read the views, and nothing else. */
export interface SqlRole {
  name: string;
  password: string;
  /** The schema of the views. */
  schema: string;
}

/** Temporary files of a statement. Only a superuser sets it: where the service may not, statements have no such limit. */
const TEMP_FILE_LIMIT = '1GB';

/** Both follow from the secret of the installation and the database, so that every process knows them, and nothing stores them. */
async function roleOf({ secret, db }: Pick<Deps, 'secret' | 'db'>): Promise<SqlRole> {
  const { rows } = await db.query<{ place: string; schema: string }>(
    `select current_database() || '.' || ${SQL_SCHEMA} as place, ${SQL_SCHEMA} as schema`,
  );
  const { place = '', schema = '' } = rows[0] ?? {};
  const derive = (purpose: string) => createHmac('sha256', secret).update(`${purpose}\n${place}`).digest('hex');
  return { name: `headwater_sql_${derive('sql role').slice(0, 12)}`, password: derive('sql password'), schema };
}

/** What the server stores of a password (RFC 5802), so that no log of it has the password. */
function verifierOf({ name, password }: SqlRole): string {
  const iterations = 4_096;
  const salt = createHash('sha256').update(`${name}${password}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

const BOUND = '(select b.bound_to from sql_statements b where b.pid = pg_backend_pid())';

const createViews = (schema: string) =>
  Object.entries<SqlView>(VIEWS).map(([name, { columns, from, where }]) => {
    const list = columns.map(([column, , sql]) => `${sql} as "${column}"`).join(', ');
    return `create view "${schema}"."${name}" with (security_barrier) as select ${list} ${from}
      where t.account_id = ${BOUND}${where === undefined ? '' : ` and ${where}`}`;
  });

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const createFunctions = (schema: string) => [
  `create function "${schema}".public_id(kind text, id uuid) returns text language sql immutable strict parallel safe as $$
     select kind || '_' || string_agg(substr('${ALPHABET}', substr(bits, 5 * i + 1, 5)::bit(5)::integer + 1, 1), '' order by i)
     from (select '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text as bits) as digits, generate_series(0, 25) i $$`,
  `create function "${schema}".uuid_of(id text) returns uuid language sql immutable strict parallel safe as $$
     select string_agg(lpad(to_hex(substr(bits, 32 * i + 1, 32)::bit(32)::bigint), 8, '0'), '' order by i)::uuid
     from (select substr(string_agg((strpos('${ALPHABET}', substr(right(id, 26), j, 1)) - 1)::bit(5)::text, '' order by j), 3) as bits
           from generate_series(1, 26) j where id ~ '^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$') as digits, generate_series(0, 3) i $$`,
];

/** What the comment of the schema says when it is complete, for this role. */
const signatureOf = ({ name, schema }: SqlRole) =>
  createHash('sha256')
    .update([name, ...createViews(schema), ...createFunctions(schema)].join('\n'))
    .digest('hex');

const INSUFFICIENT_PRIVILEGE = '42501';

/** What an operator has to grant. @param missing by PostgreSQL's own words */
const whatToGrant = (missing: string) =>
  `The user of DATABASE_URL needs the attribute CREATEROLE (alter role … createrole) and may create schemas (grant create on database … to …): ${missing}`;

export const unavailable = (detail: string, cause?: unknown) =>
  new ApiError(400, 'sql_unavailable', `SQL is not available on this server. ${detail}`, { cause });

/** Creates the role and the views where they are missing or of another version. */
export class SqlSchema {
  readonly #deps: Pick<Deps, 'secret' | 'db'>;
  #role: Promise<SqlRole> | undefined;

  constructor(deps: Pick<Deps, 'secret' | 'db'>) {
    this.#deps = deps;
  }

  /** @throws ApiError 400 `sql_unavailable` with what is missing */
  async prepare(): Promise<SqlRole> {
    const { db } = this.#deps;
    if (db.placementLock !== undefined) throw unavailable('The data of the account is in a Citus cluster.');
    this.#role ??= roleOf(this.#deps);
    try {
      const role = await this.#role;
      if (!(await isReady(db, role))) await db.transaction((tx) => create(tx, role));
      return role;
    } catch (error) {
      this.#role = undefined;
      const { code, message } = error as { code?: string; message: string };
      throw code === INSUFFICIENT_PRIVILEGE ? unavailable(whatToGrant(message), error) : error;
    }
  }
}

async function isReady(db: Database | Tx, role: SqlRole): Promise<boolean> {
  const { rows } = await db.query<{ signature: string | null; has_role: boolean }>(
    `select obj_description(to_regnamespace(quote_ident($1)), 'pg_namespace') as signature, exists (select from pg_roles where rolname = $2) as has_role`,
    [role.schema, role.name],
  );
  return rows[0]?.has_role === true && rows[0].signature === signatureOf(role);
}

async function create(tx: Tx, role: SqlRole): Promise<void> {
  await lockMigrations(tx);
  if (await isReady(tx, role)) return;
  const { rows } = await tx.query('select from pg_roles where rolname = $1', [role.name]);
  if (rows.length === 0) {
    await tx.query(
      `create role ${role.name} login nosuperuser nocreatedb nocreaterole noinherit noreplication password '${verifierOf(role)}'`,
    );
  }
  const { rows: may } = await tx.query("select has_parameter_privilege('temp_file_limit', 'set') as limits_files");
  if (may[0].limits_files) await tx.query(`alter role ${role.name} set temp_file_limit = '${TEMP_FILE_LIMIT}'`);
  const { name, schema } = role;
  await tx.query(`drop schema if exists "${schema}" cascade`);
  for (const sql of [
    `create schema "${schema}"`,
    ...createViews(schema),
    ...createFunctions(schema),
    `grant usage on schema "${schema}" to ${name}`,
    `grant select on all tables in schema "${schema}" to ${name}`,
    `comment on schema "${schema}" is '${signatureOf(role)}'`,
  ]) {
    await tx.query(sql);
  }
}
