// Slow: a command and compilers run as processes, and it is often the first to need the bundled service.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Collection } from '@headwater/sdk';
import { collectionTypes } from '@headwater/sdk/collection-types';
import { launchProgram } from '../../server/test/service-process.ts';
import { listeningService } from './service.ts';

const service = await listeningService();
const ROOT = join(import.meta.dirname, '../..');

/** Types of a real account's collections, beside a program that uses them; compiled as a user would. */
describe('headwater types', () => {
  let types: string;
  let collection: Collection;
  let folder: string;

  before(async () => {
    const account = await service.newAccount();
    const client = service.clientOf(account);
    await client.setLocales({ default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
    collection = await client.createCollection({
      name: 'Landing pages */',
      description: "A page's parts",
      fields: [
        { id: 'title', label: 'Title', type: 'text', required: true, localized: true },
        { id: 'price-net', label: 'Net price', type: 'number' },
        { id: 'hero', label: 'Hero', type: 'asset' },
        { id: 'gone', label: 'Gone', type: 'text' },
        {
          id: 'tags',
          label: 'Tags',
          type: 'select',
          repeated: true,
          options: [
            { value: "it's", label: 'It' },
            { value: 'old', label: 'Old' },
          ],
        },
        {
          id: 'cta',
          label: 'Call',
          type: 'group',
          repeated: true,
          fields: [{ id: 'url', label: 'Url', type: 'url', required: true }],
        },
        {
          ...{ id: 'parts', label: 'Parts', type: 'group', repeated: true, format: 'blocks' },
          blocks: [
            { id: 'hero', label: 'Hero', fields: [{ id: 'price', label: 'Price', type: 'number', format: 'decimal' }] },
            {
              id: 'map',
              label: 'Map',
              fields: [{ id: 'at', label: 'At', type: 'text', format: 'point', required: true }],
            },
          ],
        },
      ],
    });
    const { id: target } = await client.createCollection({ name: 'Landing Pages' });
    await client.createCollection({
      name: 'News',
      publishing: true,
      fields: [{ id: 'title', label: 'Title', type: 'text', required: true }],
    });
    await client.createCollection({ name: '2026' });
    await client.updateCollection(
      { collectionId: collection.id },
      {
        fields: [
          { id: 'body', label: 'Body', type: 'text', format: 'richtext' },
          {
            id: 'related',
            label: 'Related',
            type: 'text',
            format: 'reference',
            collectionIds: [collection.id, target],
            repeated: true,
          },
          { id: 'gone', status: 'deleted' },
          { id: 'tags', options: [{ value: 'old', status: 'deleted' }] },
        ],
      },
    );
    const child = await launchProgram('cli', ['types', '--url', service.url], {
      HEADWATER_TOKEN: account.token,
    });
    const { code, stdout, stderr } = await child.ended;
    assert.equal(code, 0, stderr);
    types = stdout;
    folder = mkdtempSync(join(ROOT, 'sdk/test/.types-'));
    writeFileSync(join(folder, 'types.ts'), types);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../tsconfig.json', compilerOptions: { types: ['node'] }, include: ['*.ts'] }),
    );
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function faultsOf(lines: string): string[] {
    const program = `import { createClient } from '@headwater/sdk';
import { type Collections, collections } from './types.ts';
const client = createClient<Collections>();
const collectionId = collections.LandingPages;
export const { values } = await client.getEntry({ collectionId, entryId: 'x' });
export const create = (values: Collections[typeof collectionId]['newValues']) => client.createEntry({ collectionId }, { values });
${lines}
`;
    writeFileSync(join(folder, 'program.ts'), program);
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    return stdout.split('\n').filter((line) => line.includes('error'));
  }

  it('generates types from fields, with a unique name for each collection', () => {
    const faults = faultsOf(`
export const title: string = values.title;
export const german: string | undefined = values['title@de'];
export const price: number | undefined = values['price-net'];
export const hero: string | undefined = values.hero?.url;
export const tags: ("it's" | 'old')[] | undefined = values.tags;
export const url: string | undefined = values.cta?.[0]?.url;
export const body: string | undefined = values.body?.content?.[0]?.type;
const [related] = values.related ?? [];
export const id: string | undefined = typeof related === 'string' ? related : related?.id;
export const name = typeof related === 'object' && 'title' in related.values ? related.values.title : undefined;
const [part] = values.parts ?? [];
export const partPrice: string | undefined = part?._block === 'hero' ? part.price : undefined;
export const lat: number | undefined = part?._block === 'map' ? part.at.lat : undefined;
export const rowId: string | undefined = part?._id;
export const others = [collections.LandingPages2, collections.Collection2026];
create({ title: 'x', 'title@de': null, hero: { assetId: 'a' }, tags: ["it's"], 'price-net': null, cta: [{ url: 'https://a.example' }], body: { markdown: '# x' }, related: ['ent_1'], parts: [{ _block: 'hero', price: 12.5 }, { _block: 'map', _id: 'row_1', at: { lat: 1, lng: 2 } }] });
client.updateEntry({ collectionId, entryId: 'x' }, { values: { title: 'y' } });
client.createEntry({ collectionId: collections.News }, { values: {} });
client.listEntries({ collectionId, filter: { title: { contains: 'x' } } });`);
    assert.deepEqual(faults, []);
  });

  it('rejects what the service would reject', () => {
    for (const line of [
      'create({});',
      "create({ title: 'x', tags: ['old'] });",
      "create({ title: 'x', tags: \"it's\" });",
      'create({ title: 1 });',
      "create({ title: 'x', related: [{ id: 'ent_1' }] });",
      "create({ title: 'x', gone: 'x' });",
      "create({ title: 'x', 'title@fr': 'x' });",
      "create({ title: 'x', cta: [{}] });",
      "create({ title: 'x', parts: [{ _block: 'none' }] });",
      "create({ title: 'x', parts: [{ _block: 'map' }] });",
      "client.listEntries({ collectionId, filter: { nothing: { eq: 'x' } } });",
      'values.gone;',
    ]) {
      assert.equal(faultsOf(line).length, 1, line);
    }
  });

  it('generates the same file for the same collections', () => {
    assert.equal(collectionTypes([collection]), collectionTypes([structuredClone(collection)]));
  });
});
