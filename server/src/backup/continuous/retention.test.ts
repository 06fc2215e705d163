import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { openRepository } from '../repository.ts';
import { type Base, listChains, missingSegment, timeName } from './chain.ts';
import { applyContinuousRetention } from './retention.ts';
import { parsePosition, segmentAt, segmentName } from './segments.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-retention-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 24 * 3_600_000;
const now = Date.parse('2026-11-22T12:00:00Z');
const daysAgo = (days: number) => new Date(now - days * DAY);

function write(path: string, content: unknown): void {
  const file = join(folder, 'continuous', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

/** A chain with a copy on each of some days, three segments a day, and a list of blobs with each copy. */
function writeChain(days: number[], until: number): string {
  const id = timeName(daysAgo(days[0] ?? 0));
  for (const day of days) {
    const name = timeName(daysAgo(day));
    const first = BigInt((100 - day) * 3);
    const base: Partial<Base> = {
      startedAt: daysAgo(day).toISOString(),
      finishedAt: new Date(daysAgo(day).getTime() + 60_000).toISOString(),
      firstSegment: segmentName(1, first),
      lastSegment: segmentName(1, first),
      isEncrypted: false,
    };
    write(`${id}/bases/${name}.json`, base);
    write(`${id}/bases/${name}.tar.zst`, '');
    write(`${id}/blobs/${name}.files`, '');
    for (let i = 0n; i < 3n; i++) write(`${id}/log/${segmentName(1, first + i)}.zst`, '');
  }
  write(`${id}/until.json`, { until: daysAgo(until).toISOString(), segment: '' });
  return id;
}

test('retention keeps what restores to the days within the window need, and deletes chains that ended before it', async () => {
  const ended = writeChain([30, 29], 28);
  const current = writeChain([10, 9, 8, 7, 6], 0);
  const repository = openRepository(folder, join(folder, 'data'));
  await applyContinuousRetention(repository, 7, now);
  const files = globSync('**/*', { cwd: join(folder, 'continuous') }).filter((file) =>
    /\.(json|zst|files)$/.test(file),
  );
  assert.deepEqual(
    files.filter((file) => file.startsWith(ended)),
    [],
  );
  // The copy of day 7 was finished a minute after the start of the window.
  const names = [8, 7, 6].map((day) => timeName(daysAgo(day)));
  const [chain] = await listChains(repository.storage);
  assert.equal(chain?.id, current);
  assert.deepEqual(chain?.bases, names);
  assert.deepEqual(
    chain?.blobLists.map((key) => key.split('/').at(-1)),
    names.map((name) => `${name}.files`),
  );
  const [first, last] = [segmentName(1, 276n), segmentName(1, 284n)];
  assert.deepEqual([chain?.segments[0]?.name, chain?.segments.at(-1)?.name], [first, last]);
  assert.equal(missingSegment(chain as never, first, last), undefined);
  rmSync(join(folder, 'continuous', current, 'log', `${segmentName(1, 280n)}.zst`));
  const [broken] = await listChains(repository.storage);
  assert.equal(missingSegment(broken as never, first, last), segmentName(1, 280n));
});

test('segments are named as PostgreSQL names them', () => {
  for (const [position, timeline, name] of [
    ['0/16B3741A', 1, '000000010000000000000016'],
    ['1/0', 1, '000000010000000100000000'],
    ['A2/FF000001', 17, '00000011000000A2000000FF'],
  ] as const) {
    assert.equal(segmentName(timeline, segmentAt(parsePosition(position))), name);
  }
});
