import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { createLog } from './log.ts';
import { Outages } from './outages.ts';

test('a cell that goes away is one line, what fails meanwhile is counted, and one line says that it is back', async () => {
  const lines: Record<string, unknown>[] = [];
  let isAlive = false;
  const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) });
  const outages = new Outages(log, async () => isAlive);
  const cellLog = outages.logOf('east');
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  for (let i = 0; i < 200; i++) cellLog.warn({ err: refused }, 'failed to claim jobs');
  for (let i = 0; i < 100; i++) assert.ok(outages.take('east', new Error('request failed', { cause: refused })));
  cellLog.warn({ err: new Error('something else') }, 'failed to claim jobs');
  assert.equal(outages.take('east', new Error('a bug')), false);
  assert.deepEqual(
    lines.map(({ msg, cell }) => [msg, cell]),
    [
      ['the database of a cell does not respond', 'east'],
      ['failed to claim jobs', 'east'],
    ],
  );
  isAlive = true;
  await until(() => lines.length === 3);
  const { msg, cell, failures } = lines[2] ?? {};
  assert.deepEqual([msg, cell, failures], ['the database of a cell responds again', 'east', 300]);
  outages.close();
});
