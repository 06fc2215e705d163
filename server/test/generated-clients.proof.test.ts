// Slow: nine generators of clients, each with a compiler.
/**
 * Clients that public generators write from the API document compile under `strict`, and three of them make the tour of the README. The
 * generators are a package of their own (`packaging/generators`), which is installed from the package registry once per machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { asOpenApi30 } from '../src/shared/http/openapi-3.0.ts';
import { emptyDatabase } from './empty-database.ts';
import { stretched } from './machine.ts';
import { commandJson, newDataDir, ROOT, startService } from './service-process.ts';
import { until } from './until.ts';

const run = promisify(execFile);

interface Tour {
  tour(access: object): Promise<{
    read: object;
    isBot: boolean;
    reports: string[];
    overview(): Promise<{ visits: number; conversions: number }>;
  }>;
}

const PACKAGE = join(ROOT, 'packaging/generators');
const LOCK = readFileSync(join(PACKAGE, 'package-lock.json'), 'utf8');
const INSTALL_MS = stretched(600_000);

/** By the name of the client, the program that writes it, with its arguments. */
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '-o', 'clients/openapi-typescript/index.ts'],
  'hey-api': ['openapi-ts', '-i', 'openapi.json', '-o', 'clients/hey-api'],
  'orval-fetch': ['orval', '--config', 'orval.config.mjs', '--project', 'fetch'],
  'orval-zod': ['orval', '--config', 'orval.config.mjs', '--project', 'zod'],
  'swagger-typescript-api': [
    ...['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', 'clients/swagger-typescript-api'],
    ...['-n', 'index.ts'],
  ],
  'openapi-zod-client': ['openapi-zod-client', 'openapi-3.0.json', '-o', 'clients/openapi-zod-client/index.ts'],
  oazapfts: ['oazapfts', 'openapi.json', 'clients/oazapfts/index.ts'],
  kubb: ['kubb.mjs'],
  'openapi-typescript-codegen': [
    ...['openapi', '--input', 'openapi-3.0.json', '--output', 'clients/openapi-typescript-codegen'],
    ...['--client', 'fetch'],
  ],
};
const TOURS = ['hey-api', 'openapi-typescript', 'oazapfts'];

/** The folder in which the generators are installed. @throws if the package registry does not have them */
async function installed(): Promise<string> {
  const hash = createHash('sha256').update(LOCK).digest('hex').slice(0, 16);
  const home = join(ROOT, 'node_modules/.cache', `generators-${hash}`);
  if (existsSync(home)) return home;
  mkdirSync(dirname(home), { recursive: true });
  const making = mkdtempSync(`${home}-`);
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(PACKAGE, name), join(making, name));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=30000'];
  try {
    await run('npm', ['ci', ...flags], { cwd: making, timeout: INSTALL_MS });
    renameSync(making, home);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another run may have been faster.
    if (existsSync(home)) return home;
    const advice =
      'This proof installs generators of clients from the package registry, once per machine, and could not';
    throw new Error(`${advice}: ${(error as { stderr?: string }).stderr || error}`);
  }
  return home;
}

const home = await installed();
const work = mkdtempSync(join(home, 'run-'));
after(() => rmSync(work, { recursive: true, force: true }));
for (const name of ['orval.config.mjs', 'kubb.mjs', 'tours'])
  cpSync(join(PACKAGE, name), join(work, name), { recursive: true });
const text = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
writeFileSync(join(work, 'openapi.json'), text);
writeFileSync(join(work, 'openapi-3.0.json'), JSON.stringify(asOpenApi30(JSON.parse(text))));

const OPTIONS = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
  ...{ target: 'esnext', module: 'esnext', moduleResolution: 'bundler', lib: ['esnext', 'dom', 'dom.iterable'] },
};

/** What the compiler says of files. */
async function faultsOf(name: string, include: string[]): Promise<string> {
  const project = join(work, `tsconfig.${name}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions: OPTIONS, include }));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  return run(compiler, ['-p', project], { maxBuffer: 1e9 }).then(
    () => '',
    ({ stdout, stderr }) => stdout || stderr,
  );
}

async function generate(name: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const folder = join(work, 'clients', name);
  mkdirSync(folder, { recursive: true });
  const path = program.endsWith('.mjs') ? join(work, program) : join(home, 'node_modules/.bin', program);
  await run(process.execPath, [path, ...args], { cwd: work, maxBuffer: 1e8 });
  for (const file of globSync('**/*.ts', { cwd: folder })) {
    const code = readFileSync(join(folder, file), 'utf8');
    // Otherwise the compiler would look at nothing.
    if (code.includes('// @ts-nocheck')) writeFileSync(join(folder, file), code.replaceAll('// @ts-nocheck', ''));
  }
}

test('the generators come from the package registry in exact versions, whatever mirror it was', () => {
  assert.doesNotMatch(LOCK, /"resolved"/);
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  for (const version of Object.values(dependencies)) assert.match(String(version), /^\d+\.\d+\.\d+$/);
});

describe('clients compile under strict', { concurrency: 2 }, () => {
  for (const [name, command] of Object.entries(GENERATORS)) {
    test(name, async () => {
      await generate(name, command);
      const files = globSync('**/*.ts', { cwd: join(work, 'clients', name) });
      assert.ok(files.length > 0, 'it writes files');
      assert.equal(await faultsOf(name, [`clients/${name}`]), '');
    });
  }
});

describe('the tour by generated clients', async () => {
  const env = { DATA_DIR: newDataDir(), DATABASE_URL: await emptyDatabase() };
  const accounts = await Promise.all(TOURS.map((name) => commandJson(['accounts', 'create', name], env)));
  const { url } = await startService(env);
  const day = (distance: number) => new Date(Date.now() + distance * 86_400_000).toISOString().slice(0, 10);

  test('the tours compile', async () => assert.equal(await faultsOf('tours', ['tours']), ''));

  for (const [i, name] of TOURS.entries()) {
    test(name, async () => {
      const outfile = join(work, `${name}.mjs`);
      const entryPoints = [join(work, 'tours', `${name}.ts`)];
      await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
      const { tour }: Tour = await import(pathToFileURL(outfile).href);
      const seen = await tour({ url, ...accounts[i], from: day(-1), to: day(2) });
      assert.deepEqual(seen.read, { headline: 'Summer sale' });
      assert.equal(seen.isBot, false);
      assert.deepEqual(seen.reports, ['reported']);
      await until(async () => {
        const { visits, conversions } = await seen.overview();
        return visits === 1 && conversions === 1;
      });
    });
  }
});
