/** Builds `dist/`, the client as JavaScript: `npm run build`. */
import { join } from 'node:path';
import { build } from 'esbuild';

await build({
  entryPoints: ['index.ts', 'delivery.ts', 'collection-types.ts', 'origins.ts'].map((file) =>
    join(import.meta.dirname, 'src', file),
  ),
  outdir: join(import.meta.dirname, 'dist'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  tsconfigRaw: '{}',
});
