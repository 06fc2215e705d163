// Slow: imports sites of four systems by the command, which is killed many times.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@headwater/sdk';
import { testService } from '../../test/harness.ts';
import { portOf } from '../files/test-support.ts';
import { noiseImage } from '../media/test-media.ts';
import type { ImportReport } from './report.ts';
import {
  type Again,
  FIRST,
  idOf,
  makeSite,
  type Site,
  writeContentful,
  writeDirectus,
  writePayload,
  writeStrapi5,
} from './test-sites.ts';
import { stateOf } from './test-state.ts';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const KILLS = Number(process.env.KILLS ?? 6);
const POSTS = Number(process.env.POSTS ?? 260);
const service = await testService();
const baseUrl = `http://127.0.0.1:${await portOf(service)}`;
const folder = mkdtempSync(join(tmpdir(), 'headwater-moving-in-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const files = await Promise.all(
  Array.from({ length: 12 }, (_, n) =>
    noiseImage(8 + n, 6)
      .png()
      .toBuffer(),
  ),
);

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYSTEMS = {
  strapi: { write: writeStrapi5, path: '', posts: 'post', has: ['german', 'drafts', 'quotes', 'note'] },
  contentful: { write: writeContentful, path: 'export.json', posts: 'post', has: ['german', 'note', 'link'] },
  directus: { write: writeDirectus, path: '', posts: 'posts', has: ['german', 'note', 'quotes'] },
  payload: { write: writePayload, path: '', posts: 'posts', has: ['german', 'drafts', 'quotes', 'link'] },
};

function start(name: string, path: string, token: string) {
  const cli = join(import.meta.dirname, '../cli.ts');
  const env = { ...process.env, HEADWATER_TOKEN: token };
  const child = spawn(process.execPath, [cli, 'import', name, path, '--json', '--url', baseUrl], { env });
  let [out, fault] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (fault += data));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, out, fault })) };
}

async function run(name: string, path: string, token: string): Promise<ImportReport> {
  const { code, out, fault } = await start(name, path, token).ended;
  assert.equal(code, 0, `${out}${fault}`);
  return JSON.parse(out) as ImportReport;
}

// biome-ignore lint/suspicious/noExplicitAny: values of every type
type Any = any;

/** The differences between a site and an account, field by field, by a reader of its own. */
async function differencesOf(token: string, system: keyof typeof SYSTEMS, site: Site): Promise<string[]> {
  const client = createClient({ baseUrl, token });
  const found: string[] = [];
  const same = (where: string, here: unknown, there: unknown) => {
    const [one, other] = [JSON.stringify(here), JSON.stringify(there)];
    if (one !== other) found.push(`${where}: ${one} instead of ${other}`);
  };
  const { posts: key, has } = SYSTEMS[system];
  const entriesOf = async (collectionId: string, state: 'draft' | 'published' = 'draft') =>
    client.listEntries({ collectionId, state, pageSize: 100 }).all();
  const collections = await client.listCollections().all();
  const peopleKey = collections.find((each) => /^(person|people)$/.test(each.key ?? ''))?.key ?? '';
  const people = await entriesOf(peopleKey);
  const nameOf = new Map<unknown, unknown>(people.map(({ id, values }) => [id, values.name]));
  same(
    'people',
    people.map(({ values }) => values.name).sort(),
    Array.from({ length: site.people }, (_, n) => `Person ${n}`).sort(),
  );
  const all = await entriesOf(key);
  const published = new Map((await entriesOf(key, 'published')).map((each) => [each.id, each.values as Any]));
  same('posts', all.length, site.posts.length);
  const idHere = new Map(all.map(({ id, values }) => [values.importId, id]));
  const library = await client.listFiles().all();
  same(
    'files',
    library.map(({ name, alt }) => `${name} ${alt}`).sort(),
    site.files.map((_, n) => `file ${n}.png File ${n}`).sort(),
  );
  const fileOf = new Map<unknown, string>(library.map(({ assetId, name }) => [assetId, name]));
  const quotes = new Map(
    system === 'directus' ? (await entriesOf('quotes')).map(({ id, values }) => [id, values] as const) : [],
  );
  for (const post of site.posts) {
    const id = idHere.get(idOf('post', post.n));
    const entry = all.find((each) => each.id === id);
    const at = `post ${post.n}`;
    if (!entry || id === undefined) {
      found.push(`${at} is missing`);
      continue;
    }
    same(`${at} is published`, published.has(id), post.isPublished);
    for (const [values, isDraft] of [
      [entry.values as Any, true],
      [published.get(id), false],
    ] as const) {
      if (!values) continue;
      const german = system === 'directus' ? 'title@de-DE' : 'title@de';
      const draft = isDraft && has.includes('drafts') ? post.draftTitle : undefined;
      same(`${at} title`, values.title, draft ?? post.title);
      same(`${at} german`, values[german], post.german);
      same(`${at} rating`, values.rating, post.rating);
      same(`${at} reads`, Number(values.reads), post.reads);
      same(`${at} featured`, values.featured, post.isFeatured);
      same(`${at} day`, values.day, post.day);
      same(`${at} moment`, values.moment, post.moment);
      if (system === 'strapi' && post.isPublished) same(`${at} published on`, values.publishedOn, post.moment);
      same(`${at} kind`, values.kind, post.kind);
      same(`${at} author`, nameOf.get(values.author), `Person ${post.author}`);
      same(
        `${at} related`,
        values.related ?? [],
        post.related.map((n) => idHere.get(idOf('post', n))),
      );
      same(`${at} cover`, values.cover?.name, post.cover === undefined ? undefined : `file ${post.cover}.png`);
      same(
        `${at} gallery`,
        (values.gallery ?? []).map((each: Any) => each.name),
        post.gallery.map((n) => `file ${n}.png`),
      );
      const [paragraph, figure] = values.body?.content ?? [];
      same(`${at} text`, paragraph?.content?.[0]?.text, post.body.text);
      same(`${at} image`, fileOf.get(figure?.attrs?.assetId), `file ${post.body.image}.png`);
      const image = library.find(({ name }) => name === `file ${post.body.image}.png`);
      if (has.includes('note')) same(`${at} note`, values.note, `![x](${image?.url})`);
      if (has.includes('link')) {
        same(
          `${at} link`,
          paragraph?.content?.[1]?.marks?.[0]?.attrs?.href,
          `entry:${idHere.get(idOf('post', post.body.link))}`,
        );
      }
      if (has.includes('quotes')) {
        const rows = (values.quotes ?? []).map((row: Any) => quotes.get(row) ?? row);
        same(
          `${at} quotes`,
          rows.map((row: Any) => [row.text, nameOf.get(row.person)]),
          post.quotes.map(({ text, person }) => [text, `Person ${person}`]),
        );
      }
    }
  }
  return found;
}

for (const name of Object.keys(SYSTEMS) as (keyof typeof SYSTEMS)[]) {
  test(`a site of ${name} moves in as it is, whatever moments the import is killed at, and once more changes nothing (SEED=${SEED})`, async () => {
    const random = randomOf(SEED);
    const site = makeSite(POSTS, 9, files, random);
    const { write, path } = SYSTEMS[name];
    const first = join(folder, name, 'first');
    write(first, site, FIRST);
    const whole = await service.newAccount();
    const startedAt = performance.now();
    await run(name, join(first, path), whole.token);
    const took = performance.now() - startedAt;
    assert.deepEqual(await differencesOf(whole.token, name, site), []);
    const expected = await stateOf(baseUrl, whole.token);
    const { token } = await service.newAccount();
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = start(name, join(first, path), token);
      await Promise.race([ended, sleep(random() * took)]);
      child.kill('SIGKILL');
      await ended;
    }
    await run(name, join(first, path), token);
    assert.deepEqual(await stateOf(baseUrl, token), expected, 'killed');
    const shuffle: Again['shuffle'] = (items) => {
      const keyed = items.map((item) => [random(), item] as const);
      return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
    };
    const second = join(folder, name, 'second');
    write(second, site, { offset: 100_000, shuffle });
    const again = await run(name, join(second, path), token);
    assert.deepEqual([again.collections, again.entries, again.files, again.updated, again.failed], [0, 0, 0, 0, []]);
    assert.deepEqual(await stateOf(baseUrl, token), expected, 'exported once more');
  });
}
