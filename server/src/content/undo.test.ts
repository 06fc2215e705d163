/** Every undo and restore of content and files brings back what was: publication, schedule, releases, reviews and references included. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filePart, PNG } from '../../test/furnished-account.ts';
import type { Account } from '../../test/harness.ts';
import { contentService } from './test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const TITLE = { id: 'title', label: 'Title', type: 'text', required: true };
const SLUG = { id: 'slug', label: 'Slug', type: 'text', unique: true };
const RELEASES = '/v1/cms/releases';

interface Undo {
  /** Does something, and returns what undoes it. */
  act(world: World): Promise<() => Promise<unknown>>;
  /** Members that count the changes, which no undo takes back. */
  except?: readonly string[];
}

type World = Awaited<ReturnType<typeof furnish>>;

/** A published entry with an unpublished change, one without, a scheduled release, and a file. */
async function furnish() {
  const account: Account = await newAccount();
  const path = await newCollection(account, [TITLE, SLUG, { id: 'cover', label: 'Cover', type: 'asset' }], {
    publishing: true,
  });
  const { payload, headers } = filePart('file', 'picture.png', PNG);
  const { body: file } = await call('POST /v1/files/upload', { as: account, body: payload, headers });
  assert.ok(file.assetId, JSON.stringify(file));
  const clean = await createEntry(account, path, { title: 'Clean', slug: 'clean', cover: { assetId: file.assetId } });
  const draft = await createEntry(account, path, { title: 'One', slug: 'one' });
  for (const { id } of [clean, draft]) await ok(`POST ${path}/entries/${id}/publish`, account, {});
  await ok(`PATCH ${path}/entries/${draft.id}`, account, { values: { title: 'Two' } });
  const { id: release } = await ok(`POST ${RELEASES}`, account, {
    name: 'Spring',
    at: new Date(service.clock.now + 86_400_000).toISOString(),
    items: [draft, clean].map(({ collectionId, id: entryId }) => ({ collectionId, entryId, action: 'publish' })),
  });
  return { account, path, file, clean, draft, release };
}

/** All that people see of it, without counters and times of changes. */
async function stateOf({ account, path, file, clean, draft, release }: World) {
  const get = async (url: string) => (await call(`GET ${url}`, { as: account })).body;
  const entryOf = async (id: string) => {
    const { version, publishedVersion, updatedAt: _, publishedAt, ...entry } = await get(`${path}/entries/${id}`);
    const published = await get(`${path}/entries/${id}?state=published`);
    return {
      ...entry,
      isPublished: publishedAt !== null && publishedAt !== undefined,
      hasDraft: publishedVersion !== version,
      published: published.values,
    };
  };
  const { updatedAt: _, version: __, ...collection } = await get(path);
  const { name, status, at } = await get(`${RELEASES}/${release}`);
  const { items } = await get(`${RELEASES}/${release}/items`);
  const { title, status: fileStatus, usedBy } = await get(`/v1/files/${file.assetId}`);
  return {
    collection,
    clean: await entryOf(clean.id),
    draft: await entryOf(draft.id),
    list: (await get(`${path}/entries?state=published`)).entries?.length,
    release: { name, status, at, entries: items?.map(({ entryId }: { entryId: string }) => entryId).sort() },
    file: { title, fileStatus, uses: usedBy?.length },
  };
}

const status = (url: string, { account }: World, value: 'active' | 'deleted') =>
  ok(`PATCH ${url}`, account, { status: value });

const UNDOS: Record<string, Undo> = {
  'deleting a published entry': {
    async act(world) {
      const url = `${world.path}/entries/${world.clean.id}`;
      await ok(`DELETE ${url}`, world.account);
      return () => status(url, world, 'active');
    },
  },
  'deleting a published entry with an unpublished change': {
    async act(world) {
      const url = `${world.path}/entries/${world.draft.id}`;
      await status(url, world, 'deleted');
      return () => status(url, world, 'active');
    },
  },
  'deleting entries twice': {
    async act(world) {
      const url = `${world.path}/entries/${world.clean.id}`;
      for (const value of ['deleted', 'active', 'deleted'] as const) await status(url, world, value);
      return () => status(url, world, 'active');
    },
  },
  'deleting several entries': {
    async act(world) {
      const urls = [world.clean, world.draft].map(({ id }) => `${world.path}/entries/${id}`);
      for (const url of urls) await status(url, world, 'deleted');
      return () => Promise.all(urls.map((url) => status(url, world, 'active')));
    },
  },
  'deleting a collection': {
    async act(world) {
      await ok(`DELETE ${world.path}`, world.account);
      return () => status(world.path, world, 'active');
    },
  },
  'restoring a version': {
    async act({ account, path, clean }) {
      const url = `${path}/entries/${clean.id}`;
      await ok(`PATCH ${url}`, account, { values: { title: 'Changed' } });
      const restore = (version: number) => ok(`POST ${url}/versions/${version}/restore`, account, {});
      return () => restore(1);
    },
  },
  'deleting a file': {
    async act(world) {
      const url = `/v1/files/${world.file.assetId}`;
      await status(url, world, 'deleted');
      return () => status(url, world, 'active');
    },
  },
};

describe('an undo restores what was', { concurrency: true }, () => {
  for (const [name, { act }] of Object.entries(UNDOS)) {
    test(name, async () => {
      const world = await furnish();
      const before = await stateOf(world);
      assert.deepEqual([before.list, before.clean.hasDraft, before.draft.hasDraft], [2, false, true]);
      const undo = await act(world);
      assert.notDeepEqual(await stateOf(world), before, 'something changed');
      await undo();
      assert.deepEqual(await stateOf(world), before);
    });
  }
});

test('a restored entry does not take the slug of another one that was published meanwhile', async () => {
  const world = await furnish();
  const { account, path, clean } = world;
  const url = `${path}/entries/${clean.id}`;
  await ok(`DELETE ${url}`, account);
  const other = await createEntry(account, path, { title: 'Other', slug: 'clean' });
  await ok(`POST ${path}/entries/${other.id}/publish`, account, {});
  const refused = await call(`PATCH ${url}`, { as: account, body: { status: 'active' } });
  assert.deepEqual([refused.status, refused.body.code], [400, 'value_taken']);
});
