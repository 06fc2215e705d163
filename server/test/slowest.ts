import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USAGE_LOG, type Usage } from './usage.ts';

const COUNT = 10;
/** Of processor time. A file that takes more says why in its first line. */
const LIMIT_S = 10;

/** What the files of a run used, the slowest first. */
export function readUsage(folder: string): Usage[] {
  const log = join(folder, USAGE_LOG);
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map((line): Usage => JSON.parse(line)).sort((a, b) => b.cpu - a.cpu);
}

export function printSlowest(slowest: readonly Usage[]): void {
  for (const { file, cpu, seconds } of slowest.slice(0, COUNT)) {
    console.log(`${cpu.toFixed(1).padStart(7)} ${seconds.toFixed(1).padStart(6)}  ${file}`);
  }
}

/** Seconds of all processes, each with what its files share. What a process has used grows from file to file. */
export function totalOf(used: readonly Usage[]): number {
  const processes = new Map<number, number>();
  for (const { process } of used) processes.set(process.pid, Math.max(process.cpu, processes.get(process.pid) ?? 0));
  return processes.values().reduce((sum, each) => sum + each, 0);
}

/**
 * Prints how much processor time a run took, its slowest files, and which of them owe a reason.
 * @param shared seconds of what all files share: PostgreSQL
 */
export function printUsage(root: string, used: readonly Usage[], shared: number): void {
  const total = shared + totalOf(used);
  console.log(
    `\n${total.toFixed(0)} s of processor time, ${shared.toFixed(0)} of it the shared PostgreSQL. The slowest files, in seconds and by the clock:`,
  );
  printSlowest(used);
  for (const { file, cpu } of used) {
    if (cpu <= LIMIT_S || /^(?:\/\/|\/\*\*) Slow: /.test(readFileSync(join(root, file), 'utf8'))) continue;
    console.log(`${file} takes more than ${LIMIT_S} s: make it faster, or begin it with "// Slow: " and the reason.`);
  }
}
