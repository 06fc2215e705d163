import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryLock } from './data-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-lock-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a lock has one holder, also within a process, until it is released', () => {
  const path = join(folder, 'one', 'lock');
  const lock = tryLock(path);
  assert.ok(lock);
  assert.equal(tryLock(path), undefined);
  assert.ok(tryLock(join(folder, 'another.lock')));
  lock.release();
  lock.release();
  const next = tryLock(path);
  assert.ok(next);
  next.release();
});

test('a lock is free as soon as its holder has died, for any reason', async () => {
  const path = join(folder, 'killed.lock');
  const program = `import { tryLock } from '${join(import.meta.dirname, 'data-lock.ts')}';
    globalThis.held = tryLock('${path}'); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  assert.equal(tryLock(path), undefined);
  holder.kill('SIGKILL');
  await ended;
  assert.ok(tryLock(path));
});
