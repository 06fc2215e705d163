import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from './report.ts';
import { type BenchService, startService } from './service.ts';

/** Start-up time on an empty and on an existing data folder, and the memory of the idle service. */
export async function benchStartUp(_service: BenchService, report: Report): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const first = await startService(dataDir);
  report.row('start with an empty data folder', {
    result: `${(first.readyAfter / 1000).toFixed(2)} s`,
    target: '10 s',
  });
  await first.kill();
  const second = await startService(dataDir);
  report.row('start with existing data after SIGKILL', {
    result: `${(second.readyAfter / 1000).toFixed(2)} s`,
    target: '3 s',
  });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  report.row('memory of the idle service', { result: `${Math.round(second.rss())} MiB`, target: '200 MiB' });
  await second.stop();
}
