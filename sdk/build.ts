/** Builds `dist/`, the client as JavaScript: `npm run build`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = join(import.meta.dirname, 'dist');
for (const [format, outdir] of [
  ['esm', folder],
  ['cjs', join(folder, 'cjs')],
] as const) {
  await build({
    entryPoints: ['index.ts', 'delivery.ts', 'collection-types.ts', 'origins.ts'].map((file) =>
      join(import.meta.dirname, 'src', file),
    ),
    outdir,
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    tsconfigRaw: '{}',
  });
}
// The files beside it are CommonJS, for `require`.
writeFileSync(join(folder, 'cjs/package.json'), '{"type":"commonjs"}\n');
