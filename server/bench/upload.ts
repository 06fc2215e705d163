import { createWriteStream, openAsBlob } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { S3_CREDENTIALS } from '../test/s3-server.ts';
import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import { type BenchService, startProgram, startService } from './service.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const MEBIBYTES = Number(process.env.BENCH_UPLOAD_MB ?? 400);

const FIXTURE = join(import.meta.dirname, '../src/media/fixtures/plain.mp4');

/** Uploads of different videos over several connections, against a bare server that writes the same to the disk. */
async function benchVideos(
  service: BenchService,
  bare: number,
  report: Report,
  megabytes: number,
  connections: number,
  target: string,
): Promise<void> {
  const unique = '0123456789abcdef';
  const fixture = await readFile(FIXTURE);
  // A `free` box may have any size.
  const free = Buffer.alloc(megabytes * 1_000_000 - fixture.length, '.');
  free.writeUInt32BE(free.length);
  free.write(`free${unique}`, 4, 'latin1');
  const part = 'content-disposition: form-data; name="file"; filename="video.mp4"\r\ncontent-type: video/mp4';
  const body = Buffer.concat([Buffer.from(`--b\r\n${part}\r\n\r\n`), fixture, free, Buffer.from('\r\n--b--\r\n')]);
  const head = httpRequest('POST', '/v1/files/upload', {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(body.length),
    'x-api-key': `Bearer ${service.token}`,
  });
  const requests = [Buffer.concat([Buffer.from(head), body])];
  const plan = { requests, unique, connections, seconds: SECONDS, warmUpSeconds: 2 };
  const limit = await load({ port: bare, ...plan });
  const before = service.cpu();
  const result = await load({ port: service.port, ...plan });
  const after = service.cpu();
  const ms = (used: number) => ((used * 1000) / (result.perSecond * (SECONDS + 2))).toFixed(1);
  const cpu = `CPU for each: ${ms(after.service - before.service)} ms, PostgreSQL ${ms(after.postgres - before.postgres)} ms`;
  report.row(`videos of ${megabytes} MB, ${connections} connections`, {
    result: `${result.perSecond.toPrecision(3)}/s, p50 ${Math.round(result.p50)} ms; ${cpu}`,
    limit: `pipe to disk ${limit.perSecond.toPrecision(3)}/s`,
    ratio: result.perSecond / limit.perSecond,
    target,
    failed: result.failed + limit.failed,
  });
}

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

  let copies = 0;
  const bare = createServer(async (request, response) => {
    const target = `${path}.${++copies}`;
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
  await benchVideos(service, port, report, 1, 32, '150/s');
  await benchVideos(service, port, report, 50, 1, '0.80');

  await measure(service, `upload of ${MEBIBYTES} MiB`, '0.50');
  const s3 = await startProgram('s3-server.ts');
  const onS3 = await startService(undefined, { STORAGE_URL: s3.printed, ...S3_CREDENTIALS });
  await measure(onS3, `upload of ${MEBIBYTES} MiB to S3`, '0.60');
  await onS3.stop();
  s3.stop();
  bare.close();

  async function measure(service: BenchService, name: string, target: string) {
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
      target: `${target}, less than 100 MB more`,
    });
  }
}
