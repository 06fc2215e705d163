import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  // It stores its compiled code when it stops.
  first.process.kill('SIGTERM');
  await once(first.process, 'exit');
  await (await startService(dataDir)).kill();
  const second = await startService(dataDir);
  report.row('start with existing data after SIGKILL', {
    result: `${(second.readyAfter / 1000).toFixed(2)} s`,
    target: '0.8 s',
  });
  await sleep(7_000);
  report.row('memory of the idle service', { result: `${Math.round(second.rss())} MiB`, target: '120 MiB' });
  await second.stop();
}
