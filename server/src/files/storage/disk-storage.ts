import { type FileHandle, glob, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PooledRead } from './pooled-read.ts';
import { MissingBlob, type Storage } from './storage.ts';

/** Blobs up to this size are read at once (measured: 13,000 requests/s of 10 kB, 7,000 as a stream). */
const READ_BYTES = 256 * 1024;

/** Blobs as files under `root`, in a folder per account. */
export function openDiskStorage(root: string): Storage {
  /** Folders known to be durable, with their parents. */
  const durable = new Set<string>();

  async function makeFolder(folder: string): Promise<void> {
    const created = await mkdir(folder, { recursive: true });
    if (created === undefined && durable.has(folder)) return;
    // A folder's entry is durable once its parent is flushed, also if another process created it.
    for (let each = folder; each !== dirname(root); each = dirname(each)) await flush(dirname(each));
    durable.add(folder);
  }

  return {
    uploadsFolder: join(root, 'uploads'),
    async put(file, key) {
      const path = join(root, key);
      await makeFolder(dirname(path));
      await flush(file);
      await rename(file, path);
      await flush(dirname(path));
    },
    async read(key, start, end) {
      const handle = await openFile(join(root, key));
      if (end - start < READ_BYTES) return readOnce(handle, start, end);
      return handle.createReadStream({ start, end, highWaterMark: READ_BYTES });
    },
    async readFor(response, key, start, end) {
      const handle = await openFile(join(root, key));
      return end - start < READ_BYTES ? readOnce(handle, start, end) : new PooledRead(handle, start, end, response);
    },
    async size(key) {
      const found = await stat(join(root, key)).catch(unlessMissing);
      return found?.size;
    },
    delete: (key) => rm(join(root, key), { force: true }),
    async *list(prefix) {
      for await (const entry of glob(`${prefix}**/*`, { cwd: root, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await stat(path).catch(unlessMissing);
        if (found) yield { key: relative(root, path), bytes: found.size, modifiedAt: found.mtime };
      }
    },
    path: (key) => join(root, key),
  };
}

async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path).catch(unlessMissing);
  if (handle === undefined) throw new MissingBlob(`there is no blob at ${path}`);
  return handle;
}

async function readOnce(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const length = end - start + 1;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, start);
    if (bytesRead !== length) throw new Error('the blob is truncated');
    return buffer;
  } finally {
    await handle.close();
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'ENOENT') throw error;
}

/** Flushes a file or a folder to the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
