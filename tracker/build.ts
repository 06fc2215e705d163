/**
 * Builds `dist/headwater.js`, the page script, `dist/headwater-consent.js`, which pages may add, and `dist/index.js`, both for
 * bundlers, and `dist/headwater-edit.js`, which previews add: `npm run build`. Fails if a script exceeds its size limit.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { minify } from 'terser';

/** Scripts and their largest size, gzipped. */
const SCRIPTS = { headwater: ['script.ts', 3_600], 'headwater-consent': ['consent-script.ts', 1_200] } as const;
/** What pages inline: its largest size as it is. */
const SNIPPET_BYTES = 1_024;
/** The largest size of the script of previews, as it is. */
const EDITING_BYTES = 6_144;
/** Browsers since late 2020. */
const TARGET = 'es2021';
const DIST = join(import.meta.dirname, 'dist');

async function bundle(source: string, format: BuildOptions['format']): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'src', source)],
    bundle: true,
    write: false,
    target: TARGET,
    format,
    // Before terser: 20 bytes smaller, gzipped.
    minifySyntax: format === 'iife',
    // Omits "use strict", which nothing here needs.
    tsconfigRaw: '{}',
  });
  return outputFiles[0]?.text ?? '';
}

mkdirSync(DIST, { recursive: true });
async function minified(source: string): Promise<string> {
  const { code = '' } = await minify(await bundle(source, 'iife'), {
    ecma: 2020,
    toplevel: true,
    // 40 bytes smaller, gzipped, than with terser's defaults.
    compress: { passes: 3, unsafe: true, unsafe_arrows: true, unsafe_math: true, hoist_funs: true },
  });
  return code;
}

for (const [name, [source, maxBytes]] of Object.entries(SCRIPTS)) {
  const code = await minified(source);
  const gzipped = gzipSync(code, { level: 9 }).length;
  const report = `${name}.js: ${code.length} bytes, ${gzipped} gzipped, at most ${maxBytes}`;
  if (gzipped > maxBytes) {
    console.error(`${report}: too large`);
    process.exit(1);
  }
  writeFileSync(join(DIST, `${name}.js`), code);
  console.log(report);
}
const code = await minified('experiments-snippet.ts');
console.log(`headwater-experiments.js: ${code.length} bytes, at most ${SNIPPET_BYTES}`);
if (code.length > SNIPPET_BYTES) process.exit(1);
writeFileSync(join(DIST, 'headwater-experiments.js'), code);
const editing = await minified('click-to-edit.ts');
console.log(`headwater-edit.js: ${editing.length} bytes, at most ${EDITING_BYTES}`);
if (editing.length > EDITING_BYTES) process.exit(1);
writeFileSync(join(DIST, 'headwater-edit.js'), editing);
writeFileSync(join(DIST, 'index.js'), await bundle('index.ts', 'esm'));
