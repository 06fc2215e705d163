// Slow: compiles the types of the client three times.
/** What `npm install @headwater/sdk` gives: in ES modules and in CommonJS, the compiler and Node find the same client. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../../packaging/bundle.ts';
import { writeSdk } from '../../packaging/sdk.ts';

const home = mkdtempSync(join(tmpdir(), 'headwater-sdk-'));
after(() => rmSync(home, { recursive: true }));
execFileSync(process.execPath, [join(ROOT, 'sdk/build.ts')]);
// The compiler writes no declarations of what is in node_modules.
writeSdk(join(home, 'sdk'), { version: '1.2.3', type: 'module' });
mkdirSync(join(home, 'node_modules/@headwater'), { recursive: true });
renameSync(join(home, 'sdk'), join(home, 'node_modules/@headwater/sdk'));

const USE = `
const client = createClient({ baseUrl: 'http://127.0.0.1:1', retry: { attempts: 0 } });
export const job = client.startExport({ dataset: 'leads', format: 'csv' });
export const failure = job.then(({ params }): 'leads' => params.dataset);
failure.catch((error: unknown) => console.log(isHeadwaterError(error) ? error.code : 'other'));
createDelivery({ url: 'http://127.0.0.1:1', key: 'hw_pk_x' });
`;
const NAMES = "{ createClient, isHeadwaterError } from '@headwater/sdk'";
const SOURCES = {
  'esm.mts': `import ${NAMES};\nimport { createDelivery } from '@headwater/sdk/delivery';${USE}`,
  'cjs.cts': `import sdk = require('@headwater/sdk');
import delivery = require('@headwater/sdk/delivery');
const { createClient, isHeadwaterError } = sdk;
const { createDelivery } = delivery;${USE}`,
};

test('the client compiles and runs in ES modules and in CommonJS', () => {
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(home, name), text);
  const flags = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--types', '', '--ignoreConfig'];
  for (const module of ['node16', 'nodenext']) {
    const args = [...flags, '--module', module, ...Object.keys(SOURCES)];
    const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: home, encoding: 'utf8' });
    assert.equal(status, 0, `${module}: ${stdout}`);
  }
  for (const file of ['esm.mjs', 'cjs.cjs']) {
    // As in Node 20, `require` finds no ES module.
    const run = ['--no-experimental-require-module', join(home, file)];
    assert.equal(execFileSync(process.execPath, run, { encoding: 'utf8' }).trim(), 'unreachable', file);
  }
});
