import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';

const read = (name: string) => readFileSync(new URL(`../dist/${name}.js`, import.meta.url), 'utf8');

test('the script is at most 3,000 bytes, gzipped', () => {
  assert.ok(gzipSync(read('headwater'), { level: 9 }).length <= 3_000);
});

test('the scripts need no syntax that came after 2021', async () => {
  for (const script of [read('headwater'), read('headwater-consent')]) {
    const asIs = await transform(script, { target: 'esnext', minify: true });
    const lowered = await transform(script, { target: 'es2021', minify: true });
    assert.equal(lowered.code, asIs.code);
  }
});
