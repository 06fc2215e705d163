import sharp from 'sharp';
import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const ROUNDS = 7;

/** A 12-megapixel image like a photograph: soft shapes with sensor noise, about 5 MB as JPEG. */
async function photograph(seed: number): Promise<Buffer> {
  const [width, height] = [4000, 3000];
  const shapes = await sharp({
    create: {
      width: 40,
      height: 30,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .resize(width, height, { kernel: 'cubic' })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const grain = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 8 + seed / 100 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(shapes)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer();
}

async function send(service: BenchService, bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  const headers = { 'x-api-key': `Bearer ${service.token}` };
  const url = `http://127.0.0.1:${service.port}/v1/files/upload`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  if (response.status !== 200) throw new Error(await response.text());
  return new URL(((await response.json()) as { url: string }).url).pathname;
}

/** Measures a variant that is not cached yet, from the request to the last byte, and then the cached one. */
export async function benchVariants(service: BenchService, report: Report): Promise<void> {
  const origin = `http://127.0.0.1:${service.port}`;
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const times: Record<string, number[]> = {};
  let path = '';
  let megabytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = await photograph(round);
    megabytes = bytes.length / 1e6;
    path = await send(service, bytes);
    for (const query of ['w=800&format=webp', 'w=800&format=jpeg', 'w=800&format=avif', 'w=400&h=400&format=webp']) {
      const start = performance.now();
      const response = await fetch(`${origin}${path}?${query}`);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${query}: ${response.status}`);
      times[query] = [...(times[query] ?? []), performance.now() - start];
    }
  }
  for (const [query, each] of Object.entries(times)) {
    report.row(`cold variant of a 12-megapixel JPEG (${megabytes.toFixed(1)} MB), ?${query}`, {
      result: `median ${Math.round(median(each))} ms, slowest ${Math.round(Math.max(...each))} ms`,
      target: query === 'w=800&format=webp' ? '150 ms median' : '',
    });
  }
  const warm = await load({
    port: service.port,
    requests: [httpRequest('GET', `${path}?w=800&format=webp`, {})],
    connections: 16,
    seconds: 4,
    warmUpSeconds: 1,
  });
  report.row('the same variant again', {
    result: `${Math.round(warm.perSecond)}/s, p99 ${warm.p99.toFixed(1)} ms`,
    failed: warm.failed,
  });
}
