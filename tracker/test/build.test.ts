import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';

const script = readFileSync(new URL('../dist/headwater.js', import.meta.url), 'utf8');

test('the script is at most 3,000 bytes, gzipped', () => {
  assert.ok(gzipSync(script, { level: 9 }).length <= 3_000);
});

test('the script needs no syntax that came after 2021', async () => {
  const asIs = await transform(script, { target: 'esnext', minify: true });
  const lowered = await transform(script, { target: 'es2021', minify: true });
  assert.equal(lowered.code, asIs.code);
});
