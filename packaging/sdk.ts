import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bundle.ts';

/** Writes the package of the client, from what `npm run build` has built: ES modules and CommonJS, each with types. */
export function writeSdk(folder: string, common: object): void {
  mkdirSync(folder, { recursive: true });
  const source = join(ROOT, 'sdk');
  const { description, exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    description: string;
    exports: Record<string, { types: string; default: string }>;
  };
  for (const name of ['dist', 'src']) cpSync(join(source, name), join(folder, name), { recursive: true });
  writeTypes(
    folder,
    Object.values(exports).map(({ types }) => types),
  );
  rmSync(join(folder, 'src'), { recursive: true });
  // The same types, beside a package.json by which they are of CommonJS.
  const dist = join(folder, 'dist');
  for (const file of globSync('*.d.ts', { cwd: dist })) cpSync(join(dist, file), join(dist, 'cjs', file));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'docs/sdk.md'), join(folder, 'README.md'));
  const withTypes = (file: string) => ({ types: file.replace(/\.js$/, '.d.ts'), default: file });
  const exported = Object.entries(exports).map(([path, { default: file }]) => [
    path,
    { import: withTypes(file), require: withTypes(file.replace('./dist/', './dist/cjs/')) },
  ]);
  const manifest = {
    name: '@headwater/sdk',
    description,
    ...common,
    exports: Object.fromEntries(exported),
    main: './dist/cjs/index.js',
    types: './dist/cjs/index.d.ts',
    files: ['dist'],
    sideEffects: false,
    publishConfig: { access: 'public', provenance: true },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function writeTypes(folder: string, sources: string[]): void {
  const options = ['--declaration', '--emitDeclarationOnly', '--outDir', join(folder, 'dist'), '--rootDir', 'src'];
  const flags = ['--noEmit', 'false', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];
  const rewrite = [
    '--allowImportingTsExtensions',
    '--rewriteRelativeImportExtensions',
    '--lib',
    'es2023,dom',
    '--types',
    '',
  ];
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  execFileSync(tsc, [...options, ...flags, ...rewrite, '--ignoreConfig', ...sources], {
    cwd: folder,
    stdio: 'inherit',
  });
}
