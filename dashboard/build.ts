/**
 * Builds the dashboard into `dist/`, each file compressed as well: `npm run build`. Fails where the first page is larger
 * than it may be.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const MAX_GZIPPED_BYTES = 250_000;
const DIST = join(import.meta.dirname, 'dist');

process.env.NODE_ENV = 'production';
const modules = new Set<string>();
await build({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  logLevel: 'warn',
  plugins: [
    {
      name: 'list modules',
      generateBundle() {
        for (const id of this.getModuleIds()) modules.add(id);
      },
    },
  ],
});
// For the notices of their licenses.
const root = join(import.meta.dirname, '..');
const packaged = [...modules].filter((id) => id.startsWith(join(root, 'node_modules'))).map((id) => relative(root, id));
writeFileSync(join(DIST, '.vite/modules.json'), JSON.stringify(packaged.sort()));

/** The paths of the router, which the service serves the page at. */
const router = readFileSync(join(import.meta.dirname, 'src/router.tsx'), 'utf8');
const paths = [...router.matchAll(/(?:[pP]age\(\s*|path: )'(\/[^']*)'/g)].map(([, path]) => path);
writeFileSync(join(DIST, 'paths.json'), JSON.stringify(paths));

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** What the browser loads before it shows the home page (vite.config.ts): this part, what it imports, their style sheets. */
// The manifest also has the style sheet, under a similar name.
const FIRST_PAGE = Object.keys(manifest).find((name) => /^_first-page.*\.js$/.test(name));

function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const each of chunk.imports ?? []) filesOf(each, seen);
  return seen;
}

const sizes = new Map<string, number>();
for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const bytes = readFileSync(join(DIST, name));
  const gzipped = gzipSync(bytes, { level: 9 });
  sizes.set(name, gzipped.length);
  writeFileSync(join(DIST, `${name}.gz`), gzipped);
  // 9 takes a tenth of the time of 11, for 3 % more bytes.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(join(DIST, `${name}.br`), brotliCompressSync(bytes, { params }));
}

const first = [...filesOf(FIRST_PAGE ?? '')].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
const report = `dashboard: first page ${first} bytes gzipped, at most ${MAX_GZIPPED_BYTES}; ${sizes.size} files`;
if (first === 0 || first > MAX_GZIPPED_BYTES) {
  console.error(`${report}: too large, or not found`);
  process.exit(1);
}
console.log(report);
