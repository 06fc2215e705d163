import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { defineProof, finding } from './proof.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The generated check of the suite, with many more statements. */
export const sql = defineProof({
  title: 'Generated and hostile SQL statements try to reach another account, by the API and as the role alone.',
  parameters: { statements: 20_000, seed: 20_261_127 },
  async run({ statements, seed }, log) {
    const args = ['server/test/run.ts', '--test-timeout=7200000', 'server/src/sql/any-statement.test.ts'];
    const env = { ...process.env, STATEMENTS: String(statements), SEED: String(seed) };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) log(output);
    const counts = JSON.parse(/statements: \d+ (\{.*\})/.exec(output)?.[1] ?? '{}');
    const of = `${statements} statements: ${counts.executed} executed, ${counts.rejected} with an error of PostgreSQL, ${counts.refused} refused, ${counts.executedAlone} executed as the role alone`;
    return [
      finding('no statement shows anything of another account', `${counts.leaks} of ${of}`, counts.leaks === 0),
      finding('each statement is answered by 200 or 400', `${counts.faults} others`, counts.faults === 0),
      finding('no row was changed', code === 0 ? 'none' : 'see the log', code === 0),
    ];
  },
});
