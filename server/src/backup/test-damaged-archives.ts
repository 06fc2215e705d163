/** Archives that are damaged in every way, each restored into an empty database. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { emptyDatabase } from '../../test/empty-database.ts';
import { furnish } from '../../test/furnished-account.ts';
import { testService } from '../../test/harness.ts';
import { ConfigError, readConfig } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { NO_INSTANCE, openStore } from '../shared/postgres/open-store.ts';
import { restoreBackup } from './restore-backup.ts';
import { findSource } from './source.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

const service = await testService({}, { apart: false });
const account = await furnish(service, 'damaged');
const folder = mkdtempSync(join(tmpdir(), 'headwater-damaged-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** @param parts of the archive, between which it is damaged */
export function testDamagedArchives(parts: number): void {
  test('whatever is damaged in an archive, the message names it, says what is wrong and what to do', async () => {
    const path = join(folder, 'whole');
    await writeBackup({
      cells: [{ cell: 'main', connection: service.db.connection }],
      storageUrl: undefined,
      dataDir: service.dataDir,
      target: path,
      recipient: undefined,
      secret: service.secret,
      keep: undefined,
      unlessYoungerThanMs: undefined,
    });
    const whole = readFileSync(path);
    const config = readConfig({ DATABASE_URL: await emptyDatabase(), DATA_DIR: join(folder, 'data') });
    const store = await openStore(config, 'command', createLog('silent'), async () => NO_INSTANCE);
    after(() => store.close());
    const flip = (at: number) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      return bytes;
    };
    const zstd = (bytes: Buffer) => zstdCompressSync(bytes);
    const tar = zstdDecompressSync(whole);
    const replaced = (from: string, to: string) => {
      const at = tar.indexOf(from);
      assert.ok(at >= 0, from);
      return zstd(Buffer.concat([tar.subarray(0, at), Buffer.from(to), tar.subarray(at + from.length)]));
    };
    const damages: Record<string, Buffer> = {
      empty: Buffer.alloc(0),
      text: Buffer.from('not a backup'),
      zeros: Buffer.alloc(10_000),
      'another archive': zstd(Buffer.from('x'.repeat(5_000))),
      'an empty archive': zstd(Buffer.alloc(1_024)),
      'a header that is no JSON': replaced('"format":', '"format";'),
      'rows of another form': replaced(account.uuid, 'x'.repeat(36)),
      'a part of a tar': zstd(tar.subarray(0, Math.floor(tar.length / 2))),
      'a tar without its end': zstd(tar.subarray(0, tar.lastIndexOf('end.json') - 257)),
    };
    for (let i = 1; i < parts; i++) {
      const at = Math.floor((whole.length * i) / parts);
      damages[`flipped at ${at}`] = flip(at);
      damages[`cut at ${at}`] = whole.subarray(0, at);
    }
    for (const at of [0, 4, 8, whole.length - 3]) damages[`flipped at ${at}`] = flip(at);
    const damaged = join(folder, 'damaged');
    for (const [name, bytes] of Object.entries(damages)) {
      writeFileSync(damaged, bytes);
      const source = () => findSource(damaged, undefined, folder);
      const tryTo: Record<string, () => Promise<{ isValid?: boolean }>> = {
        verify: async () => verifyBackup(await source(), undefined),
        restore: async () =>
          restoreBackup({
            source: await source(),
            identity: undefined,
            storage: config,
            connect: () => store.db.connect('test'),
          }) as Promise<object>,
      };
      for (const [what, run] of Object.entries(tryTo)) {
        const error = await run().then(
          // The rows of a table are only compared.
          ({ isValid }) =>
            what === 'verify' && isValid === false ? undefined : new Error(`${what} of ${name} succeeded`),
          (thrown: Error) => thrown,
        );
        if (!error) continue;
        assert.ok(error instanceof ConfigError, `${what} of ${name}: ${error.stack}`);
        assert.ok(error.message.includes(damaged), `${what} of ${name}: ${error.message}`);
        assert.match(error.message, /Restore another backup|Install that version/, `${what} of ${name}`);
      }
      const { rows } = await store.db.query("select from pg_tables where schemaname = 'public'");
      assert.equal(rows.length, 0, 'nothing is left of it');
    }
  });
}
