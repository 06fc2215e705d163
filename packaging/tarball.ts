import { createReadStream, createWriteStream, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/**
 * Writes a folder as a gzipped tar whose bytes depend on its content alone: sorted, without owners, with one time for all.
 * @param epoch seconds since 1970
 */
export async function writeTarball(
  folder: string,
  path: string,
  prefix: string,
  epoch: number,
): Promise<{ bytes: number; unpacked: number }> {
  const tar = pack();
  const written = pipeline(Readable.from(tar), createGzip(), createWriteStream(path));
  let unpacked = 0;
  const mtime = new Date(epoch * 1_000);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, name);
    const found = lstatSync(file);
    const header = { name: `${prefix}/${name}`, mtime, uid: 0, gid: 0 };
    if (found.isSymbolicLink()) tar.entry({ ...header, type: 'symlink', linkname: readlinkSync(file) });
    if (!found.isFile()) continue;
    unpacked += found.size;
    const mode = (found.mode & 0o100) === 0 ? 0o644 : 0o755;
    await new Promise<void>((resolve, reject) => {
      const entry = tar.entry({ ...header, mode, size: found.size }, (error) => (error ? reject(error) : resolve()));
      pipeline(createReadStream(file), entry as unknown as Writable).catch(reject);
    });
  }
  tar.finalize();
  await written;
  return { bytes: statSync(path).size, unpacked };
}
