import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from './report.ts';
import { type BenchService, startService } from './service.ts';

/** Time until the ready line, on no data and on what the service before left, and the memory of an idle service. */
export async function benchStartUp(_service: BenchService, report: Report): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const first = await startService(dataDir);
  report.row('start on no data', { result: `${(first.readyAfter / 1000).toFixed(2)} s`, target: '10 s' });
  await first.kill();
  const second = await startService(dataDir);
  report.row('start on existing data, after kill -9', {
    result: `${(second.readyAfter / 1000).toFixed(2)} s`,
    target: '3 s',
  });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  report.row('memory of the idle service', { result: `${Math.round(second.rss())} MiB`, target: '200 MiB' });
  await second.stop();
}
