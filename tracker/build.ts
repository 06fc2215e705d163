/**
 * Builds `dist/headwater.js`, the page script, and `dist/index.js`, the same for bundlers: `npm run build`. Fails if the
 * script exceeds its size limit.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { minify } from 'terser';

const MAX_GZIPPED_BYTES = 3_000;
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
    // Omits "use strict", which nothing here needs.
    tsconfigRaw: '{}',
  });
  return outputFiles[0]?.text ?? '';
}

const { code = '' } = await minify(await bundle('script.ts', 'iife'), {
  ecma: 2020,
  toplevel: true,
  // 40 bytes smaller, gzipped, than with terser's defaults.
  compress: { passes: 3, unsafe: true, unsafe_arrows: true, unsafe_math: true, hoist_funs: true },
});
const gzipped = gzipSync(code, { level: 9 }).length;
const report = `headwater.js: ${code.length} bytes, ${gzipped} gzipped, at most ${MAX_GZIPPED_BYTES}`;
if (gzipped > MAX_GZIPPED_BYTES) {
  console.error(`${report}: too large`);
  process.exit(1);
}
mkdirSync(DIST, { recursive: true });
writeFileSync(join(DIST, 'headwater.js'), code);
writeFileSync(join(DIST, 'index.js'), await bundle('index.ts', 'esm'));
console.log(report);
