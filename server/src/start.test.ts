import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('a start runs the bundle, but the sources once one of them has changed', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'start-'));
  t.after(() => rmSync(root, { recursive: true }));
  const [src, dist] = [join(root, 'server/src'), join(root, 'server/dist')];
  for (const folder of [src, dist]) mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, 'start.js'), join(src, 'start.js'));
  const write = (text: string) => writeFileSync(join(src, 'main.ts'), `process.stdout.write('${text}' as string);`);
  const start = () =>
    execFileSync(process.execPath, [join(src, 'start.js')], {
      env: { NODE_COMPILE_CACHE: join(root, 'cache') },
      encoding: 'utf8',
    });
  write('sources');
  assert.equal(start(), 'sources');
  const { size, mtimeMs } = statSync(join(src, 'main.ts'));
  writeFileSync(join(dist, 'main.js'), "process.stdout.write('bundle');");
  writeFileSync(join(dist, 'sources.json'), JSON.stringify([['server/src/main.ts', size, mtimeMs]]));
  assert.equal(start(), 'bundle');
  write('changed sources');
  assert.equal(start(), 'changed sources');
});
