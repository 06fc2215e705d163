import { statfs } from 'node:fs/promises';
import type { Metrics } from './metrics.ts';

/** The disk of a folder, in bytes; undefined if the folder does not exist. */
export async function readDiskSpace(folder: string): Promise<{ total: number; free: number } | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && { total: found.blocks * found.bsize, free: found.bavail * found.bsize };
}

/** The disk of DATA_DIR, which a full disk would stop: the metric is there without an agent on the machine. */
export function diskMetrics(metrics: Metrics, dataDir: string): void {
  const read = (of: 'free' | 'total') => async () => (await readDiskSpace(dataDir))?.[of] ?? 0;
  metrics.gauge('headwater_disk_free_bytes', 'Free space on the disk of DATA_DIR', read('free'));
  metrics.gauge('headwater_disk_size_bytes', 'Size of the disk of DATA_DIR', read('total'));
}
