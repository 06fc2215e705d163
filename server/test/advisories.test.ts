import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/fastify/package.json'), 'utf8'));

/** A registry that knows one vulnerability, of a package that the service uses. @param fixed a version that has a fix */
async function registryWith(fixed: string[]): Promise<string> {
  const advisory = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Requests are smuggled',
    severity: 'high',
    vulnerable_versions: `<=${version}`,
  };
  const versions = Object.fromEntries([version, ...fixed].map((each) => [each, { name: 'fastify', version: each }]));
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isAudit = request.url === '/-/npm/v1/security/advisories/bulk';
      if (!isAudit && request.url !== '/fastify') return response.writeHead(404).end('{}');
      const packument = { name: 'fastify', 'dist-tags': { latest: fixed[0] ?? version }, versions };
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify(isAudit ? { fastify: [advisory] } : packument));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function check(registry: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const script = join(ROOT, 'server/scripts/check-advisories.ts');
    const env = { ...process.env, npm_config_registry: registry };
    execFile(process.execPath, [script], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test('a known vulnerability of a production dependency that has a fix fails', async () => {
  const { code, output } = await check(await registryWith([version.replace(/\d+$/, '999')]));
  assert.equal(code, 1, output);
  assert.match(output, /fastify .*\(high\): Requests are smuggled, https:\/\/advisories\.example\/1\. Update it\./);
});

test('one without a fix is named and does not fail', async () => {
  const { code, output } = await check(await registryWith([]));
  assert.match(output, /Requests are smuggled.*There is no fix yet/);
  assert.equal(code, 0, output);
});

test('without the registry it says that it could not check', async () => {
  const { code, output } = await check('http://127.0.0.1:9/');
  assert.match(output, /^Could not check for known vulnerabilities: /);
  assert.equal(code, 0, output);
});
