/**
 * Installs what the integrations for n8n and Zapier are checked with (some 750 MB), and runs all three against a service:
 * `npm run integrations`. They are no workspaces, so that the service is installed without them.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps'];

function run(program: string, args: string[], cwd = ROOT): void {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run(process.execPath, ['integrations/generate.ts']);
for (const name of ['n8n', 'zapier']) run('npm', INSTALL, join(ROOT, 'integrations', name));
run(process.execPath, [
  'server/test/run.ts',
  ...['n8n', 'zapier', 'make'].map((name) => `integrations/check/${name}.test.ts`),
]);
