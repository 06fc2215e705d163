import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '@headwater/sdk';
import fc from 'fast-check';
import { testService } from '../../test/harness.ts';
import { portOf } from '../files/test-support.ts';
import { noiseImage } from '../media/test-media.ts';
import { importContent } from './index.ts';
import { writeContentful, writeDirectus, writePayload, writeStrapi } from './test-exports.ts';
import { stateOf } from './test-state.ts';

const service = await testService();
const baseUrl = `http://127.0.0.1:${await portOf(service)}`;
const folder = mkdtempSync(join(tmpdir(), 'headwater-killed-imports-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const png = await noiseImage(40, 30).png().toBuffer();

const EXPORTS = {
  contentful: writeContentful(folder, png),
  directus: writeDirectus(folder, png),
  payload: writePayload(folder, png),
  strapi: writeStrapi(folder),
};

class Killed extends Error {}

/**
 * Imports, and ends as a killed process does: nothing is sent after a number of requests. The last one reaches the service or not, and
 * its response is lost.
 * @returns whether the import ended before
 */
async function importKilled(name: keyof typeof EXPORTS, token: string, requests: number, arrives: boolean) {
  let left = requests;
  const dying: typeof fetch = async (...request) => {
    if (--left > 0) return fetch(...request);
    if (left === 0 && arrives) await (await fetch(...request)).arrayBuffer();
    throw new Killed();
  };
  const client = createClient({ baseUrl, token, fetch: dying, retry: { attempts: 0 } });
  return importContent(name, EXPORTS[name], client).then(
    () => true,
    () => false,
  );
}

for (const name of Object.keys(EXPORTS) as (keyof typeof EXPORTS)[]) {
  test(`an import of ${name} that is killed at any request, and run again, creates exactly what one run creates`, async () => {
    const whole = await service.newAccount();
    const client = createClient({ baseUrl, token: whole.token });
    const report = await importContent(name, EXPORTS[name], client);
    const expected = await stateOf(baseUrl, whole.token);
    const again = await importContent(name, EXPORTS[name], client);
    assert.deepEqual([again.entries, again.files, again.collections, again.updated], [0, 0, 0, 0]);
    assert.deepEqual(again.failed, report.failed);
    assert.deepEqual(await stateOf(baseUrl, whole.token), expected);
    const moments = fc.sample(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()), { numRuns: 4, seed: 44 });
    for (const [requests, arrives] of moments) {
      const { token } = await service.newAccount();
      await importKilled(name, token, requests, arrives);
      await importKilled(name, token, requests + 2, !arrives);
      await importContent(name, EXPORTS[name], createClient({ baseUrl, token }));
      assert.deepEqual(await stateOf(baseUrl, token), expected, `killed at request ${requests}`);
    }
  });
}
