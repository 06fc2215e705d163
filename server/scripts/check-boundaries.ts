/**
 * Checks the boundaries between modules: imports run one way (`main → app → modules → shared`), modules import each other
 * only where declared and only through `index.ts`, and SQL uses the tables of another module only where declared. A
 * declaration that nothing uses is an error as well. The `index.ts` of a module says what it owns.
 *
 * Imports between folders of the dashboard run one way as well.
 *
 * An import that every start would pay for is refused.
 *
 * It also keeps the control database and the cells apart, which may be different servers: modules of one use no table of the
 * other, and no foreign key leads from one to the other.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { CONTROL_MODULES, moduleOf as moduleOfMigration } from '../src/shared/postgres/migrate.ts';

const SERVER = join(import.meta.dirname, '..');
const SRC = join(SERVER, 'src');
const DASHBOARD = join(SERVER, '../dashboard/src');

interface Boundary {
  /** Other modules it may import. Every module may import `shared`, which imports no module. */
  imports: readonly string[];
  /** Tables of other modules that its SQL uses. The tables of `shared` are open to all. */
  tables: readonly string[];
}

const MODULES: Record<string, Boundary> = {
  shared: { imports: [], tables: [] },
  media: { imports: [], tables: [] },
  accounts: { imports: [], tables: [] },
  mail: { imports: [], tables: ['accounts', 'members', 'users'] },
  cells: {
    imports: ['accounts', 'analytics', 'files', 'jobs', 'tracking', 'users', 'webhooks'],
    tables: ['accounts', 'account_moves', 'cells'],
  },
  users: { imports: ['accounts', 'mail'], tables: ['accounts', 'api_keys', 'roles'] },
  jobs: { imports: ['accounts'], tables: [] },
  files: { imports: ['jobs', 'media'], tables: [] },
  content: { imports: ['accounts', 'files', 'jobs', 'mail', 'users'], tables: [] },
  tracking: { imports: ['jobs'], tables: [] },
  conversions: { imports: ['accounts', 'files', 'jobs', 'tracking'], tables: ['sessions', 'leads'] },
  exports: {
    imports: ['accounts', 'files', 'jobs', 'tracking'],
    tables: [
      'sessions',
      'visits',
      'events',
      'leads_with_sessions',
      'conversions',
      'reported_conversions',
      'unmatched_conversions',
      'analytics_increments',
      'ad_costs',
      'entries',
      'collections',
    ],
  },
  imports: { imports: ['accounts', 'content', 'exports', 'files', 'jobs', 'users'], tables: ['collections'] },
  // Reports are made of the rows that tracking and conversions record; the SQL is in the files named source-queries.
  analytics: {
    imports: ['accounts', 'mail', 'users', 'tracking', 'conversions', 'statistics'],
    tables: [
      'sessions',
      'session_start_checks',
      'visits',
      'events',
      'leads',
      'lead_sessions',
      'leads_with_sessions',
      'conversions',
      'reported_conversions',
      'conversion_revisions',
      'unmatched_conversions',
      'destinations',
      'destination_deliveries',
      'destination_queue',
    ],
  },
  experiments: {
    imports: ['accounts', 'analytics', 'content', 'statistics', 'tracking'],
    tables: [
      'analytics_increments',
      'conversion_revisions',
      'conversions',
      'events',
      'lead_sessions',
      'sessions',
      'tracking_settings',
      'visits',
    ],
  },
  webhooks: {
    imports: ['accounts', 'users', 'jobs', 'mail', 'tracking', 'conversions', 'content', 'destinations', 'costs'],
    tables: [],
  },
  destinations: {
    imports: ['accounts', 'analytics', 'jobs', 'mail', 'tracking', 'conversions'],
    tables: ['conversions', 'sessions', 'leads', 'session_signals'],
  },
  costs: { imports: ['analytics', 'destinations', 'jobs', 'mail'], tables: [] },
  warehouse: { imports: ['destinations', 'exports', 'files', 'jobs', 'mail', 'tracking'], tables: [] },
  // Deletes the rows of every table by what the catalog says of it.
  erasure: { imports: ['accounts', 'files', 'jobs'], tables: [] },
  rejections: { imports: ['tracking'], tables: [] },
  queues: { imports: ['mail', 'users'], tables: [] },
  schema: { imports: ['accounts', 'content', 'users', 'webhooks'], tables: [] },
  mcp: { imports: ['accounts'], tables: [] },
  plans: { imports: ['tracking', 'users'], tables: [] },
  // Its views show rows of other modules.
  sql: {
    imports: ['accounts'],
    tables: [
      ...[
        'sessions',
        'visits',
        'events',
        'leads',
        'reported_conversions',
        'conversion_revisions',
        'unmatched_conversions',
      ],
      ...['analytics_increments', 'ad_costs', 'destinations', 'destination_deliveries', 'collections', 'entries'],
      ...['published_entries', 'assets', 'experiments'],
    ],
  },
  dashboard: { imports: [], tables: [] },
  guide: { imports: [], tables: [] },
  // A dry run checks visits and events as ingest does.
  importers: { imports: ['tracking'], tables: [] },
  statistics: { imports: [], tables: [] },
  // Copies every table by what the catalog says of it.
  backup: { imports: ['analytics', 'cells', 'experiments', 'files', 'users'], tables: [] },
  doctor: { imports: ['backup', 'cells', 'files'], tables: [] },
};

/** The files and the folder that put the modules together, and what each imports besides `shared`. */
const TOP: Record<string, Boundary> = {
  'main.ts': { imports: ['app.ts', 'backup', 'cell.ts', 'cells'], tables: [] },
  'app.ts': {
    imports: [
      'cell.ts',
      'cells',
      'accounts',
      'users',
      'mail',
      'files',
      'webhooks',
      'queues',
      'rejections',
      'dashboard',
      'guide',
      'backup',
    ],
    tables: [],
  },
  'cell.ts': {
    imports: [
      ...['users', 'jobs', 'files', 'content', 'tracking', 'conversions', 'exports', 'imports', 'analytics'],
      ...['experiments', 'webhooks', 'destinations', 'costs', 'queues', 'rejections', 'schema', 'mcp', 'plans'],
      ...['sql', 'erasure', 'warehouse'],
    ],
    tables: [],
  },
  'cli-usage.ts': { imports: [], tables: [] },
  'cli-output.ts': { imports: [], tables: [] },
  'cli-import.ts': { imports: ['cli-output.ts', 'cli-usage.ts', 'importers'], tables: [] },
  'cli-schema.ts': { imports: ['cli-usage.ts', 'accounts', 'cells', 'schema'], tables: [] },
  'cli.ts': {
    imports: [
      ...['cli-import.ts', 'cli-output.ts', 'cli-schema.ts', 'cli-usage.ts', 'main.ts'],
      ...['accounts', 'backup', 'cells', 'demo', 'doctor', 'files', 'statistics', 'users', 'webhooks'],
    ],
    tables: [],
  },
  // Millions of rows are written at once, not by the operations that record one.
  demo: {
    imports: ['app.ts', 'accounts', 'analytics', 'content'],
    tables: [
      'sessions',
      'session_number_seq',
      'click_ids',
      'visits',
      'events',
      'leads',
      'lead_sessions',
      'conversions',
      'conversion_revisions',
      'conversion_arrival_seq',
      'unmatched_conversions',
      'destination_deliveries',
    ],
  },
};

/**
 * The folders of the dashboard. Each may import those of the lines before its own, and those that no comma separates from it; only the files beside
 * them import all. They have no `index.ts`: pages are loaded when they are opened, and with one, a folder would be loaded as a whole.
 */
const FOLDERS = [
  'languages service shared users',
  'reports',
  'content field-types files imports locales releases rich-text',
  'alerts, annotations, cells, channels, destinations, exports, reconciliation, roles, sql, visitors',
  'conversions, warehouse, webhooks',
  'ad-costs, shell',
  'settings',
  'onboarding',
  'funnels overview sharing',
  'experiments, home, revenue',
].flatMap((line, level) => line.split(', ').map((group) => ({ level, folders: group.split(' ') })));

/** Tests and their helpers may use everything. */
const isTest = (file: string) => /\.test\.ts$|\btest-[a-z-]+\.ts$|\.service\.ts$/.test(file);

const boundaries = { ...MODULES, ...TOP };
const owners = tableOwners();
const usedImports = new Map<string, Set<string>>(Object.keys(boundaries).map((name) => [name, new Set()]));
const usedTables = new Map<string, Set<string>>(Object.keys(boundaries).map((name) => [name, new Set()]));

/** Those of `schema.sql`: of all that migrations made, some are views, sequences, or gone. */
const isTable = new Set(
  [...readFileSync(join(SERVER, 'schema.sql'), 'utf8').matchAll(/^create table (\w+)/gim)].map(([, name = '']) => name),
);
const faults: string[] = foreignKeyFaults();
for (const file of globSync('**/*.ts', { cwd: SRC }).sort()) {
  if (isTest(file)) continue;
  const text = readFileSync(join(SRC, file), 'utf8');
  for (const target of importsOf(file, text)) {
    const fault = importFault(file, target);
    if (fault !== undefined) faults.push(`server/src/${file} imports ${target}: ${fault}`);
  }
  if (/^import (?!type ).* from 'node:http';$/m.test(text))
    faults.push(
      `server/src/${file} imports node:http: call process.getBuiltinModule, which loads a tenth (decision 20)`,
    );
  for (const table of tablesOf(text)) {
    const fault = tableFault(file, table);
    if (fault !== undefined) faults.push(`server/src/${file} uses the table ${table}: ${fault}`);
  }
}
for (const [name, { imports, tables }] of Object.entries(boundaries)) {
  const unused = [
    ...imports.filter((each) => !usedImports.get(name)?.has(each)),
    ...tables.filter((each) => !usedTables.get(name)?.has(each)),
  ];
  for (const each of unused) faults.push(`server/scripts/check-boundaries.ts: ${name} no longer uses ${each}`);
}
for (const name of Object.keys(MODULES).filter((each) => each !== 'shared')) faults.push(...introductionFaults(name));
faults.push(...dashboardFaults());
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);

/** The imports between folders of the dashboard that are not allowed, and folders that are not declared or gone. */
function dashboardFaults(): string[] {
  const groupOf = (path: string) => FOLDERS.find(({ folders }) => folders.includes(moduleOf(path)));
  const files = globSync('*/**/*.{ts,tsx}', { cwd: DASHBOARD }).sort();
  const gone = FOLDERS.flatMap(({ folders }) => folders).filter(
    (each) => !files.some((file) => moduleOf(file) === each),
  );
  return [
    ...gone.map((folder) => `server/scripts/check-boundaries.ts: there is no dashboard/src/${folder}`),
    ...files.flatMap((file) => {
      const own = groupOf(file);
      if (!own) return [`dashboard/src/${file}: its folder is not declared in server/scripts/check-boundaries.ts`];
      return importsOf(file, readFileSync(join(DASHBOARD, file), 'utf8')).flatMap((target) => {
        const other = groupOf(target);
        const isAllowed = target.startsWith('..') || other === own || (other && other.level < own.level);
        return isAllowed ? [] : [`dashboard/src/${file} imports ${target}, which FOLDERS does not allow`];
      });
    }),
  ];
}

/** The module of each table and view: that of the migration which creates it, such as `000004-tracking.sql`. */
function tableOwners(): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of globSync('migrations/*.sql', { cwd: SERVER })) {
    const owner = moduleOfMigration(basename(path));
    const text = readFileSync(join(SERVER, path), 'utf8');
    for (const [, name = ''] of text.matchAll(/^create (?:table|view|sequence) (\w+)/gm)) found.set(name, owner);
  }
  return found;
}

/** `index.ts` of a module begins with what it owns, and names all of its tables. */
function introductionFaults(name: string): string[] {
  const file = `${name}/index.ts`;
  const [, introduction] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(SRC, file), 'utf8')) ?? [];
  if (introduction === undefined) return [`server/src/${file} does not begin with what the module owns`];
  const named = new Set(introduction.match(/\w+/g));
  return [...owners]
    .filter(([table, owner]) => owner === name && isTable.has(table) && !named.has(table))
    .map(([table]) => `server/src/${file} does not name the table ${table} of the module`);
}

/** Whether the tables of a module are in the control database; undefined if every database has them. */
function isControl(module: string): boolean | undefined {
  return module === 'shared' ? undefined : CONTROL_MODULES.includes(module);
}

/** The foreign keys between the control database and cells. */
function foreignKeyFaults(): string[] {
  return globSync('migrations/*.sql', { cwd: SERVER }).flatMap((path) => {
    const owner = moduleOfMigration(basename(path));
    const found = readFileSync(join(SERVER, path), 'utf8').matchAll(/\breferences (\w+)/g);
    return [...found].flatMap(([, table = '']) =>
      isControl(owners.get(table) ?? '') === isControl(owner)
        ? []
        : [`server/${path} refers to ${table}, which another database may have`],
    );
  });
}

/** The files that a file imports, by their path under `server/src`, without packages. */
function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'(\.[^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/g);
  return [...found].map(([, imported, referred]) => normalize(join(dirname(file), imported ?? referred ?? '')));
}

/** The tables that occur in SQL of a file. */
function tablesOf(text: string): Set<string> {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = code.matchAll(/\b(?:from|join|into|update|using|table(?:: ')?|nextval\(')\s*(?:only\s+)?([a-z_]+)\b/g);
  return new Set([...found].flatMap(([, name = '']) => (owners.has(name) ? [name] : [])));
}

function moduleOf(path: string): string {
  return path.split('/', 1)[0] ?? '';
}

function importFault(file: string, target: string): string | undefined {
  if (target.startsWith('..')) return 'it is outside of the source';
  if (isTest(target)) return 'it is a helper of tests';
  const [from, to] = [moduleOf(file), moduleOf(target)];
  if (to === 'shared') return undefined;
  if (from === to) {
    return target === `${to}/routes.ts` && file !== `${from}/index.ts`
      ? 'only index.ts registers the routes'
      : undefined;
  }
  const boundary = boundaries[from];
  if (boundary === undefined) return `${from} is not declared in server/scripts/check-boundaries.ts`;
  usedImports.get(from)?.add(to);
  if (!boundary.imports.includes(to)) return `${from} may import ${boundary.imports.join(', ') || 'no other module'}`;
  return to.endsWith('.ts') || target === `${to}/index.ts` ? undefined : 'a module is imported through its index.ts';
}

function tableFault(file: string, table: string): string | undefined {
  const [from, owner = ''] = [moduleOf(file), owners.get(table)];
  if (owner === from || owner === 'shared') return undefined;
  if (isControl(from) !== isControl(owner)) return 'control and cells may be different databases';
  usedTables.get(from)?.add(table);
  const isDeclared = boundaries[from]?.tables.includes(table);
  return isDeclared ? undefined : `it belongs to ${owner}; declare it in server/scripts/check-boundaries.ts`;
}
