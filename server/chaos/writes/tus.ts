import { randomFillSync } from 'node:crypto';
import { paddedVideo } from '../../src/media/test-media.ts';
import type { ServiceProcess } from '../../test/service-process.ts';
import { finding } from '../proof.ts';
import { send } from '../support.ts';
import { column, type Keys, storedOnce, type Workload } from './workload.ts';

const BYTES = 700_000;
const CHUNK = 200_000;
const TUS = { 'tus-resumable': '1.0.0' };

interface Resumable {
  name: string;
  content: Buffer;
  /** undefined: its creation was not acknowledged. */
  path: string | undefined;
  acknowledged: number;
  /** Whether the next request reads the offset, since a request failed. */
  isUnsure: boolean;
}

/** Resumable uploads, each sent in chunks and resumed where the service says. */
export function tusWorkload({ token }: Keys): Workload {
  const current = new Map<number, Resumable>();
  const completed = new Set<string>();
  /** Their creation, or their end, was not acknowledged. */
  const unknown: string[] = [];
  const wrong: string[] = [];
  let made = 0;

  async function step(service: ServiceProcess, client: number): Promise<number> {
    const upload = current.get(client) ?? {
      name: `tus-${made++}`,
      content: paddedVideo(BYTES, randomFillSync),
      path: undefined,
      acknowledged: 0,
      isUnsure: false,
    };
    current.set(client, upload);
    const { name, content, path } = upload;
    if (path === undefined) {
      const metadata = `filename ${Buffer.from(name).toString('base64')}`;
      const headers = { ...TUS, 'upload-length': String(content.length), 'upload-metadata': metadata };
      const created = await send(service, 'POST /files/tus', { token, headers });
      if (created.status !== 201) return created.status;
      upload.path = new URL(created.headers.get('location') ?? '', 'http://service/files/tus').pathname;
      return 200;
    }
    if (upload.isUnsure) {
      const { status, headers } = await send(service, `HEAD ${path}`, { token, headers: TUS });
      const offset = Number(headers.get('upload-offset'));
      if (status === 404 || (status === 200 && offset < upload.acknowledged)) {
        wrong.push(`${name} is at ${offset}, status ${status}, after ${upload.acknowledged}`);
        current.delete(client);
      }
      if (status !== 200) return status;
      upload.isUnsure = false;
      upload.acknowledged = offset;
      if (offset === content.length) end(client, upload);
      return status;
    }
    upload.isUnsure = true;
    const at = upload.acknowledged;
    const headers = { ...TUS, 'upload-offset': String(at), 'content-type': 'application/offset+octet-stream' };
    const body = content.subarray(at, at + CHUNK);
    const { status, headers: sent } = await send(service, `PATCH ${path}`, { token, headers, body });
    if (status !== 204 && status !== 200) return status;
    upload.isUnsure = false;
    upload.acknowledged = Number(sent.get('upload-offset'));
    if (upload.acknowledged !== at + body.length) wrong.push(`${name}: ${upload.acknowledged} after ${at}`);
    if (upload.acknowledged === content.length) end(client, upload);
    return 200;
  }

  function end(client: number, { name }: Resumable): void {
    completed.add(name);
    current.delete(client);
  }

  return {
    name: 'resumable uploads',
    step,
    hasEnded: () => completed.size > 0,
    async check(db) {
      for (const { name } of current.values()) unknown.push(name);
      const stored = await column(db, `select name from assets where name like 'tus-%'`);
      return [
        finding(
          'no acknowledged part of a resumable upload is lost',
          [`${wrong.length} lost`, ...wrong.slice(0, 2)].join(', '),
          wrong.length === 0,
        ),
        storedOnce('resumable uploads', completed, unknown, stored),
      ];
    },
  };
}
