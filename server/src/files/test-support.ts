import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Dirent, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Account, Answer, TestService } from '../../test/harness.ts';
import type { FileDeps } from './file-deps.ts';
import { openStorage } from './storage/open-storage.ts';
import { cleanUpUploads } from './uploads/upload-folders.ts';

export interface Part {
  name?: string;
  filename?: string;
  type?: string;
  body: Buffer | string;
}

export const BOUNDARY = '----boundary7d1';

export function partHead({ name = 'file', filename, type }: Omit<Part, 'body'>): Buffer {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n` +
      `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
  );
}

export function multipart(parts: Part[]): Buffer {
  const encoded = parts.flatMap((part) => [partHead(part), Buffer.from(part.body), Buffer.from('\r\n')]);
  return Buffer.concat([...encoded, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Uploads multipart parts, or a single file named `a.bin`. */
export function upload(
  service: TestService,
  as: Account,
  parts: Buffer | Part[],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const list = Buffer.isBuffer(parts) ? [{ filename: 'a.bin', body: parts }] : parts;
  return service.call('POST /v1/files/upload', { as, body: multipart(list), headers: { ...MULTIPART, ...headers } });
}

/** Every file in the service's storage, including uploads in progress. */
export function storedFiles(service: TestService): string[] {
  const entries: Dirent[] = readdirSync(join(service.dataDir, 'files'), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The folders of uploads in progress. */
export function uploadsInProgress(service: TestService, folder = 'files/uploads'): string[] {
  return readdirSync(join(service.dataDir, folder));
}

/** The service's port. The first call makes it listen. */
export async function portOf({ app }: TestService): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

/** Sends the headers of an upload, on a new connection or an open one. */
export async function startUpload(
  service: TestService,
  as: Account,
  headers: Record<string, string | number>,
  open?: Socket,
): Promise<Socket> {
  const socket = open ?? connect(await portOf(service), '127.0.0.1');
  if (!open) await once(socket, 'connect');
  const lines = Object.entries({ host: 'test', 'x-api-key': `Bearer ${as.token}`, ...MULTIPART, ...headers });
  socket.write(
    `POST /v1/files/upload HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  return socket;
}

/** Reads a response up to its Content-Length. */
export async function readResponse(socket: Socket): Promise<Answer> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('utf8');
    const [head = '', body] = text.split('\r\n\r\n', 2);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (body !== undefined && Buffer.byteLength(body) >= length) {
      const headers = Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      );
      return { status: Number(head.split(' ')[1]), headers, body: JSON.parse(body) };
    }
  }
  throw new Error(`the connection ended with: ${text}`);
}

/**
 * Runs the service in its own process, with a test service's database and storage.
 * @param fileBlocks no file can grow beyond this many blocks of 512 bytes, as on a full disk
 */
export async function startProcess(
  service: TestService,
  { fileBlocks, jobs = false, env }: { fileBlocks?: number; jobs?: boolean; env?: Record<string, string> } = {},
): Promise<{ child: ChildProcess; port: number }> {
  const { host, port, user, database } = service.control.pool.options;
  const program = join(import.meta.dirname, 'kill.service.ts');
  const limit = fileBlocks === undefined ? '' : `ulimit -f ${fileBlocks}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, program], {
    env: {
      ...process.env,
      DATA_DIR: service.dataDir,
      KILL_DATABASE: JSON.stringify({ host, port, user, database }),
      KILL_JOBS: jobs ? 'on' : '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { child, port: Number(line) };
}

/** Cleans up once, as the worker does. */
export function cleanUp({ db, config, clock }: TestService): Promise<void> {
  const deps: Partial<FileDeps> = { db, config, clock: () => clock.now, storage: openStorage(config) };
  return cleanUpUploads(deps as FileDeps);
}
