import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { until } from '../../../test/until.ts';
import { openDiskStorage } from '../../files/storage/disk-storage.ts';
import { LogReader } from './log-reader.ts';
import { SEGMENT_BYTES } from './segments.ts';

test('a server that asks before segments are served gets them once they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-log-'));
  after(() => rmSync(folder, { recursive: true }));
  const segment = Buffer.alloc(SEGMENT_BYTES, 7);
  const name = '000000010000000000000001';
  const file = join(folder, 'compressed');
  writeFileSync(file, zstdCompressSync(segment));
  const storage = openDiskStorage(join(folder, 'files'));
  await storage.put(file, 'log/a', 'application/zstd');
  const chain = { id: 'a', bases: [], segments: [{ name, key: 'log/a', modifiedAt: new Date() }], blobLists: [] };
  const reader = new LogReader(chain, storage, undefined, join(folder, 'recovery'), undefined);
  await reader.prepare();
  const to = join(folder, 'restored');
  const server = spawn('sh', ['-c', reader.command.replaceAll('%f', name).replaceAll('%p', `'${to}'`)], {
    stdio: 'inherit',
  });
  await until(() => existsSync(join(folder, 'recovery', `${name}.wanted`)));
  const stopping = new AbortController();
  const serving = reader.serve(stopping.signal);
  const [code] = await once(server, 'exit');
  stopping.abort();
  await serving;
  assert.equal(code, 0);
  assert.ok(readFileSync(to).equals(segment));
});
