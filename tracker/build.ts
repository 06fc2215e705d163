/**
 * Builds `dist/headwater.js`, the page script, `dist/headwater-consent.js`, which pages may add, and `dist/index.js`, both for
 * bundlers: `npm run build`. Fails if a script exceeds its size limit.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { minify } from 'terser';

/** Scripts and their largest size, gzipped. */
const SCRIPTS = { headwater: ['script.ts', 3_000], 'headwater-consent': ['consent-script.ts', 1_200] } as const;
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

mkdirSync(DIST, { recursive: true });
for (const [name, [source, maxBytes]] of Object.entries(SCRIPTS)) {
  const { code = '' } = await minify(await bundle(source, 'iife'), {
    ecma: 2020,
    toplevel: true,
    // 40 bytes smaller, gzipped, than with terser's defaults.
    compress: { passes: 3, unsafe: true, unsafe_arrows: true, unsafe_math: true, hoist_funs: true },
  });
  const gzipped = gzipSync(code, { level: 9 }).length;
  const report = `${name}.js: ${code.length} bytes, ${gzipped} gzipped, at most ${maxBytes}`;
  if (gzipped > maxBytes) {
    console.error(`${report}: too large`);
    process.exit(1);
  }
  writeFileSync(join(DIST, `${name}.js`), code);
  console.log(report);
}
writeFileSync(join(DIST, 'index.js'), await bundle('index.ts', 'esm'));
