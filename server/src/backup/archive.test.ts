import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../test/until.ts';
import { ArchiveWriter, openFile, readArchive } from './archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-archive-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 1_048_576;

test('neither writing nor reading an archive keeps the content of its entries in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const held = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers / MIB;
  };
  const path = join(folder, 'large.tar.zst');
  const archive = new ArchiveWriter(path, undefined, new Date());
  const before = held();
  for (let i = 0; i < 100; i++) await archive.add(`entry-${i}`, Buffer.alloc(MIB, i));
  // Freed by a thread of the engine, a moment after the collection.
  await until(() => held() - before < 30);
  await archive.finish();
  let bytes = 0;
  for await (const { content } of readArchive(await openFile(path), undefined)) {
    for await (const chunk of content) bytes += chunk.length;
  }
  assert.equal(bytes, 100 * MIB);
  await until(() => held() - before < 30);
});

test('an archive that cannot be written fails at the next entry, and does not hang', async () => {
  const archive = new ArchiveWriter(join(folder, 'missing/archive'), undefined, new Date());
  await assert.rejects(async () => {
    for (let i = 0; i < 1_000; i++) await archive.add(`entry-${i}`, Buffer.alloc(MIB));
  }, /ENOENT/);
});
