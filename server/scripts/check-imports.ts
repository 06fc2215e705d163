/** Holds the imports to their one direction: `main → app → rooms → shared`, rooms among each other along few arrows. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const SRC = join(import.meta.dirname, '../src');

/** Which other rooms a room may import, through their `index.ts`. Every room may import `shared`, which imports no room. */
const ARROWS: Record<string, string[]> = {
  shared: [],
  accounts: [],
  users: ['accounts'],
  files: ['jobs'],
  tracking: ['jobs'],
  jobs: [],
  content: ['files', 'users'],
  conversions: ['tracking'],
  exports: ['jobs', 'tracking', 'conversions'],
  transfer: ['content', 'exports', 'files', 'jobs'],
  analytics: ['tracking', 'conversions'],
  webhooks: ['jobs', 'tracking', 'conversions', 'content'],
  dashboard: [],
};

/** What puts the rooms together, and what each of these files imports besides `shared`. */
const TOP: Record<string, string[]> = {
  'main.ts': ['app.ts'],
  'app.ts': Object.keys(ARROWS),
  'cli.ts': ['accounts', 'demo', 'files', 'users', 'webhooks'],
  demo: ['app.ts', 'accounts', 'analytics', 'content', 'tracking', 'demo'],
};

/** Tests, and what they share, may look into everything. */
const isTest = (file: string) => /\.test\.ts$|\btest-[a-z-]+\.ts$|\.service\.ts$/.test(file);

const faults = globSync('**/*.ts', { cwd: SRC })
  .filter((file) => !isTest(file))
  .sort()
  .flatMap((file) =>
    importsOf(file).flatMap((target) => {
      const fault = faultOf(file, target);
      return fault === undefined ? [] : [`server/src/${file} imports ${target}: ${fault}`];
    }),
  );
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);

/** The files that a file imports, by their path under `server/src`; packages are left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const found = text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'(\.[^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/g);
  return [...found].map(([, imported, referred]) => normalize(join(dirname(file), imported ?? referred ?? '')));
}

function faultOf(file: string, target: string): string | undefined {
  if (target.startsWith('..')) return 'it lies outside of the source';
  if (isTest(target)) return 'it is there for tests';
  const [from = '', to = ''] = [file, target].map((path) => path.split('/', 1)[0]);
  if (to === 'shared') return undefined;
  if (from in TOP) {
    const allowed = TOP[from]?.includes(to) && (to.endsWith('.ts') || target === `${to}/index.ts` || from === to);
    return allowed ? undefined : `${from} imports only ${TOP[from]?.join(', ')}, of rooms their index.ts`;
  }
  const arrows = ARROWS[from];
  if (arrows === undefined) return `${from} is not among the rooms that server/scripts/check-imports.ts knows`;
  if (to in TOP) return 'nothing imports what puts the rooms together';
  if (from === 'shared') return 'shared imports no room';
  if (from === to) {
    if (target === `${to}/routes.ts` && file !== `${from}/index.ts`) return 'only index.ts opens the routes';
    if (file === `${from}/queries.ts` && target === `${to}/index.ts`) return 'queries stand below operations';
    return undefined;
  }
  if (!arrows.includes(to)) return `${from} may import ${arrows.join(', ') || 'no other room'}`;
  return target === `${to}/index.ts` ? undefined : 'a room is imported through its index.ts';
}
