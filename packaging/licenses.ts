import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface BundledPackage {
  name: string;
  version: string;
  license: string;
  /** The text of its license. */
  text: string;
}

/** Licenses that allow distribution with the notice, which the package contains. */
const ALLOWED =
  /^\(?(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|MPL-2\.0|Python-2\.0|PostgreSQL)\b/;

/** The packages that files of `node_modules` belong to. @throws if one has a license that is not allowed */
export function findPackages(files: string[]): BundledPackage[] {
  const folders = new Set<string>();
  for (const file of files) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (match?.[1]) folders.add(match[1]);
  }
  // A package may be installed in several places.
  const found = [
    ...new Map([...folders].map(readPackage).map((each) => [`${each.name}@${each.version}`, each])).values(),
  ];
  const refused = found.filter(({ license }) => !ALLOWED.test(license));
  if (refused.length > 0) {
    throw new Error(`licenses to check: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}`);
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
}

export function readPackage(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, licenses } = manifest;
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const id = license?.type ?? license ?? licenses?.[0]?.type ?? 'unknown';
  return { name, version, license: id, text: file ? readFileSync(join(folder, file), 'utf8').trim() : '' };
}

/** The folder of a package that another one resolves. */
export function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The notices of all packages, for the text file that a distribution must contain. */
export function noticesOf(packages: BundledPackage[]): string {
  const line = '-'.repeat(80);
  return packages
    .map(
      ({ name, version, license, text }) => `${line}\n${name} ${version} (${license})\n${line}\n\n${text || license}\n`,
    )
    .join('\n');
}

/** A software bill of materials in the format CycloneDX 1.6. */
export function billOfMaterials(name: string, version: string, packages: BundledPackage[]): string {
  const purl = (each: { name: string; version: string }) => `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`;
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name, version, purl: purl({ name, version }) } },
      components: packages.map((each) => ({
        type: 'library',
        'bom-ref': purl(each),
        name: each.name,
        version: each.version,
        licenses: [/[ ()]/.test(each.license) ? { expression: each.license } : { license: { id: each.license } }],
        purl: purl(each),
      })),
    },
    null,
    2,
  )}\n`;
}
