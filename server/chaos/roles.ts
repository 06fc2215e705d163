import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { defineProof, finding } from './proof.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The generated check of the suite, with many more roles. */
export const roles = defineProof({
  title: 'Random roles ask every route for every field, and try to change everything; an oracle decides what they may.',
  parameters: { roles: 300, writes: 40, seed: 20_261_127 },
  async run({ roles, writes, seed }, log) {
    const args = ['server/test/run.ts', '--test-timeout=7200000', 'server/test/any-role.test.ts'];
    const env = { ...process.env, ROLES: String(roles), WRITES: String(writes), SEED: String(seed) };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) log(output);
    const counts = JSON.parse(/roles: \d+ (\{.*\})/.exec(output)?.[1] ?? '{}');
    const of = `${roles} roles, ${counts.requests} requests`;
    const figure = (what: string) => `${counts[what]} of ${of}`;
    return [
      finding('no response shows what the role may not read', figure('leaks'), counts.leaks === 0),
      finding(
        'nothing is changed that the role may not change',
        `${figure('excess')}, ${counts.written} changes`,
        counts.excess === 0,
      ),
      finding(
        'what the role may read and change is not refused or wrong',
        figure('differences'),
        counts.differences === 0,
      ),
    ];
  },
});
