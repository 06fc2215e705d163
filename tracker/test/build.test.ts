import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';

const read = (name: string) => readFileSync(new URL(`../dist/${name}.js`, import.meta.url), 'utf8');

test('the script is at most 3,600 bytes, gzipped', () => {
  assert.ok(gzipSync(read('headwater'), { level: 9 }).length <= 3_600);
});

test('the snippet of experiments, which pages inline, is at most 1 kB as it is', () => {
  assert.ok(read('headwater-experiments').length <= 1_024);
});

test('the script of previews is at most 6 kB as it is', () => {
  assert.ok(read('headwater-edit').length <= 6_144);
});

test('the scripts need no syntax that came after 2021', async () => {
  for (const script of [
    read('headwater'),
    read('headwater-consent'),
    read('headwater-experiments'),
    read('headwater-edit'),
  ]) {
    const asIs = await transform(script, { target: 'esnext', minify: true });
    const lowered = await transform(script, { target: 'es2021', minify: true });
    assert.equal(lowered.code, asIs.code);
  }
});
