/**
 * Runs the service from the bundle that `npm ci` made, or from the sources if one of them has changed since. The bundle starts in two thirds of the processor
 * time (0.9 instead of 1.5 s) and takes 40 MB less memory.
 *
 * Compiled code is cached in the data folder, written when the service stops, which halves that time. This file is JavaScript, so that not even the compiler of
 * TypeScript is loaded (11 MB).
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '../dist');
const ROOT = join(import.meta.dirname, '../..');

function isBundled() {
  try {
    return JSON.parse(readFileSync(join(DIST, 'sources.json'), 'utf8')).every(([path, size, time]) => {
      const now = statSync(join(ROOT, path));
      return now.size === size && now.mtimeMs === time;
    });
  } catch {
    return false;
  }
}

// As in `main.ts`: the data folder may be created here.
if (process.env.FILE_DELIVERY !== 'nginx') process.umask(0o077);
const data = process.env.DATA_DIR || './data';
// Data that no version with this file has used may be refused by `main.ts`, and is not touched before.
const isKnown = !existsSync(join(data, 'postgres')) || existsSync(join(data, 'postgres/version.json'));
// If the folder cannot be written, there is no cache. A bad DATA_DIR is refused by `main.ts`.
if (isKnown && !process.env.NODE_COMPILE_CACHE) enableCompileCache(join(data, 'cache'));
await import(isBundled() ? join(DIST, 'main.js') : './main.ts');
