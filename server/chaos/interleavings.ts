import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { defineProof, finding } from './proof.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The property test of the suite, with many more orders. */
export const interleavings = defineProof({
  title: 'Reports, changes, late matches, erasures, crashes and faults of four ad platforms in random orders.',
  parameters: { orders: 200 },
  async run({ orders }, log) {
    const args = ['server/test/run.ts', '--test-timeout=7200000', 'server/src/destinations/interleavings.test.ts'];
    const env = { ...process.env, INTERLEAVINGS: String(orders) };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) log(output);
    return [finding('each platform counts what is expected, and nothing twice', `${orders} orders`, code === 0)];
  },
});
