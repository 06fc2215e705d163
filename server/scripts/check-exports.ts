/**
 * Checks that no code is left over: every export of the server and the dashboard is named in another file, and every file is
 * named by another one. `tsc` and Biome check names within a file only.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const EXPORT =
  /^export (?:declare |async |abstract )*(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;
/** Files that are started rather than imported. */
const STARTED = /(?:\.test\.ts|\/(?:main|cli|start)\.tsx?|\.d\.ts)$/;

const files = globSync('{server,dashboard,sdk,tracker,packaging,examples,guide}/**/*.{ts,tsx,js,json,html}', {
  cwd: ROOT,
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
});
files.push('package.json');
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

/** In how many files each word occurs, and file name that is quoted. */
const counts = new Map<string, number>();
for (const text of texts.values()) {
  for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [, name = ''] of text.matchAll(/([\w.-]+\.(?:tsx?|js))['"`\s]/g)) counts.set(name, 1);
}

const faults: string[] = [];
for (const [file, text] of texts) {
  if (!/^(server|dashboard)\/src\/.*\.tsx?$/.test(file)) continue;
  for (const [, name = ''] of text.matchAll(EXPORT)) {
    if ((counts.get(name) ?? 0) < 2) faults.push(`${file}: no other file uses ${name}`);
  }
  if (!STARTED.test(file) && !counts.has(basename(file))) faults.push(`${file}: nothing imports it`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
