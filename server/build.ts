/** Bundles the service into `server/dist/`. `npm start` runs the bundle as long as no source has changed since. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScripts, ROOT } from '../packaging/bundle.ts';

const OUT = join(import.meta.dirname, 'dist');

rmSync(OUT, { recursive: true, force: true });
const inputs = await bundleScripts(OUT, ROOT, true);
const sources = inputs
  .filter((path) => !path.includes('node_modules/'))
  .map((path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    return [path, size, mtimeMs];
  });
// The last, so that a build that was interrupted is not run.
writeFileSync(join(OUT, 'sources.json'), JSON.stringify(sources));
