/** Data folders that this version cannot use are refused at once, and not touched. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { command, launchProgram, newDataDir } from './service-process.ts';

/** Every file and folder with its content, mode, owner and time. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, uid, mtimeMs } = statSync(path);
      const content = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return `${path} ${mode} ${uid} ${mtimeMs} ${content}`;
    })
    .sort();
}

function dataFolder(files: Record<string, string>): string {
  const dataDir = newDataDir();
  for (const [name, text] of Object.entries(files)) {
    const path = join(dataDir, 'postgres', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  return dataDir;
}

const current = { 'cluster/PG_VERSION': '18\n', 'cluster/pg_hba.conf': 'local all all peer map=service\n' };

const REFUSED: Record<string, { files: Record<string, string>; start: RegExp; commands?: RegExp }> = {
  // As commit 7437df4 wrote it: the service was a superuser, and there is no role `postgres`.
  'of a development version before 0.1.0': {
    files: {
      'cluster/PG_VERSION': '18\n',
      'cluster/pg_hba.conf': 'local   all             all                                     trust\n',
      'cluster/base/16384/1259': '',
    },
    start: /was written by a development version before 0\.1\.0, .* use an empty DATA_DIR/,
  },
  'of a newer version': {
    files: { ...current, 'version.json': '{"version":"7.0.0","migration":"999999-later.sql"}\n' },
    start: /belongs to a newer version of the service \(7\.0\.0\): install that version/,
  },
  'of a newer PostgreSQL': {
    files: { ...current, 'cluster/PG_VERSION': '99\n' },
    start: /belongs to PostgreSQL 99: install a newer version/,
  },
  'of an earlier PostgreSQL whose programs are not installed': {
    files: { ...current, 'cluster/PG_VERSION': '9\n' },
    start: /belongs to PostgreSQL 9, whose programs are not installed: make a backup/,
    commands: /has to be upgraded: start the service once/,
  },
};

const COMMANDS = [
  ['accounts', 'list'],
  ['backup', join(tmpdir(), 'backup.tar.zst')],
  ['secret', 'rotate'],
];

/** Starts the service and commands on a data folder of each kind. @param by every command, or each kind by another one */
export function testRefusedFolders(by: 'every command' | 'one command'): void {
  for (const [i, [name, { files, start, commands = start }]] of Object.entries(REFUSED).entries()) {
    test(`a data folder ${name} is refused in one sentence by the service and ${by}, and left as it is`, async () => {
      const dataDir = dataFolder(files);
      const before = stateOf(dataDir);
      const env = { DATA_DIR: dataDir, PORT: '0' };
      const chosen = by === 'every command' ? COMMANDS : COMMANDS.slice(i % COMMANDS.length).slice(0, 1);
      const [service, ...others] = await Promise.all([
        launchProgram('main', [], env).then(({ ended }) => ended),
        ...chosen.map((words) => command(words, env)),
      ]);
      for (const { code, stdout, stderr } of [service, ...others]) {
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^headwater: [^\n]+\n$/);
        assert.match(stderr, new RegExp(`DATA_DIR ${dataDir}`));
      }
      assert.match(service.stderr, start);
      for (const { stderr } of others) assert.match(stderr, commands);
      const { code, stdout } = await command(['doctor'], env);
      assert.equal(code, 1);
      assert.match(stdout, /^error +data folder +[^\n]+\n$/);
      assert.match(stdout, commands);
      assert.deepEqual(stateOf(dataDir), before);
    });
  }
}
