import { createWriteStream, openAsBlob } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { S3_CREDENTIALS } from '../test/s3-server.ts';
import type { Report } from './report.ts';
import { type BenchService, startProgram, startService } from './service.ts';

const MEBIBYTES = Number(process.env.BENCH_UPLOAD_MB ?? 400);

const FIXTURE = join(import.meta.dirname, '../src/media/fixtures/plain.mp4');

/** A real MP4, filled up to the size of the upload. */
async function writeVideo(path: string): Promise<void> {
  const fixture = await open(FIXTURE).catch(() => undefined);
  if (!fixture) throw new Error('the video fixture is missing');
  const head = await fixture.readFile();
  await fixture.close();
  const out = await open(path, 'w');
  await out.write(head);
  // A `free` box may have any size.
  const size = MEBIBYTES * 1_048_576 - head.length;
  const box = Buffer.alloc(8);
  box.writeUInt32BE(size, 0);
  box.write('free', 4, 'latin1');
  await out.write(box);
  const chunk = Buffer.alloc(1_048_576);
  for (let left = size - 8; left > 0; left -= chunk.length) await out.write(chunk, 0, Math.min(left, chunk.length));
  await out.close();
}

/** Compares an upload with piping the same bytes from a bare server's socket to the disk. */
export async function benchUpload(service: BenchService, report: Report): Promise<void> {
  const path = join(service.dataDir, 'bench.mp4');
  await writeVideo(path);
  const megabytes = (ms: number) => (MEBIBYTES / ms) * 1000;

  const bare = createServer(async (request, response) => {
    const target = `${path}.copy`;
    await pipeline(request, createWriteStream(target, { flush: true }));
    await rm(target);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => bare.once('listening', resolve));
  const { port } = bare.address() as { port: number };

  const send = async (url: string, headers: Record<string, string>, file = path) => {
    const form = new FormData();
    form.append('file', await openAsBlob(file), 'video.mp4');
    const start = performance.now();
    const response = await fetch(url, { method: 'POST', headers, body: form });
    await response.text();
    if (response.status !== 200) throw new Error(`the upload returned ${response.status}`);
    return megabytes(performance.now() - start);
  };
  await send(`http://127.0.0.1:${port}/`, {});
  const limit = await send(`http://127.0.0.1:${port}/`, {});
  bare.close();

  await measure(service, `upload of ${MEBIBYTES} MiB`);
  const s3 = await startProgram('s3-server.ts');
  const onS3 = await startService(undefined, { STORAGE_URL: s3.printed, ...S3_CREDENTIALS });
  await measure(onS3, `upload of ${MEBIBYTES} MiB to S3`);
  await onS3.stop();
  s3.stop();

  async function measure(service: BenchService, name: string) {
    const url = `http://127.0.0.1:${service.port}/v1/files/upload`;
    const headers = { 'x-api-key': `Bearer ${service.token}` };
    // The first upload loads code.
    await send(url, headers, FIXTURE);
    const before = service.rss();
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, service.rss());
    }, 20);
    const result = await send(url, headers);
    clearInterval(watch);
    report.row(name, {
      result: `${Math.round(result)} MiB/s, ${Math.round(highest - before)} MiB more memory`,
      limit: `pipe to disk ${Math.round(limit)} MiB/s`,
      ratio: result / limit,
      target: '0.50, less than 100 MB more',
    });
  }
}
