import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Outcome } from './outcomes.ts';

/** The outcomes of programs, each given as the text of its tests and the files that it claims to have. */
function outcomesOf(programs: { text: string; files: string[] }[]): Outcome[] {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-'));
  const written = programs.map(({ text, files }, i) => {
    const path = join(folder, `${i}.test.mjs`);
    writeFileSync(path, `import { describe, test } from 'node:test';\n${text}`);
    return { path, files };
  });
  const script = `
    import { run } from 'node:test';
    import { Outcomes } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'outcomes.ts')).href)};
    const programs = ${JSON.stringify(written)};
    const outcomes = new Outcomes(programs);
    for await (const event of run({ files: programs.map(({ path }) => path), concurrency: 2 })) outcomes.add(event);
    console.log(JSON.stringify(outcomes.all()));`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const path = join(folder, 'run.mjs');
  writeFileSync(path, script);
  const { stdout, stderr } = spawnSync(process.execPath, [path], {
    env,
    encoding: 'utf8',
  });
  assert.ok(stdout, stderr);
  return JSON.parse(stdout);
}

const passing = (file: string) =>
  `await describe('${file}', () => { test('passes', () => {}); test.skip('skipped'); });\n`;

test('each file of a process has its counts and its first failure', () => {
  const failing = `await describe('b.test.ts', () => {
    test('outer', (context) => context.test('inner', () => { throw new Error('broken'); }));
    test('second', () => { throw new Error('also broken'); });
  });\n`;
  const outcomes = outcomesOf([
    { text: passing('a.test.ts') + failing, files: ['a.test.ts', 'b.test.ts'] },
    { text: passing('c.test.ts'), files: ['c.test.ts'] },
  ]);
  assert.deepEqual(
    outcomes.map(({ failure, ...counts }) => ({ ...counts, test: failure?.test })),
    [
      { file: 'a.test.ts', passed: 1, failed: 0, skipped: 1, test: undefined },
      { file: 'b.test.ts', passed: 0, failed: 3, skipped: 0, test: 'inner' },
      { file: 'c.test.ts', passed: 1, failed: 0, skipped: 1, test: undefined },
    ],
  );
  assert.match(outcomes[1]?.failure?.error ?? '', /Error: broken\n +at /);
});

test('a process that is killed, or fails after its last file, fails its files', () => {
  const killed = `await describe('b.test.ts', () => { test('is killed', () => process.kill(process.pid, 'SIGKILL')); });\n`;
  const outcomes = outcomesOf([
    { text: passing('a.test.ts') + killed, files: ['a.test.ts', 'b.test.ts'] },
    { text: `${passing('c.test.ts')} process.on('exit', () => { process.exitCode = 1; });`, files: ['c.test.ts'] },
  ]);
  const failed = outcomes.filter(({ failure }) => failure !== undefined).map(({ file }) => file);
  assert.ok(failed.includes('b.test.ts') && failed.includes('c.test.ts'), JSON.stringify(outcomes));
});

test('a failure stays with its file, and one of what files share with them', () => {
  const failing = (file: string) =>
    `await describe('${file}', () => { test('fails', () => { throw new Error('broken'); }); });\n`;
  const around = (text: string, ending = '') =>
    `await describe('with a service', async () => { ${ending} ${text} });\n`;
  const broken = "(await import('node:test')).after(() => { throw new Error('not closed'); });";
  const outcomes = outcomesOf([
    { text: around(failing('a.test.ts') + passing('b.test.ts')), files: ['a.test.ts', 'b.test.ts'] },
    { text: passing('c.test.ts'), files: ['c.test.ts'] },
    { text: around(passing('d.test.ts'), broken), files: ['d.test.ts'] },
    { text: passing('e.test.ts'), files: ['e.test.ts'] },
  ]);
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  assert.deepEqual(
    failed.map(({ file, failure }) => [file, failure?.error.split('\n', 1)[0]]),
    [
      ['a.test.ts', 'Error: broken'],
      ['d.test.ts', 'Error: not closed'],
    ],
  );
});
