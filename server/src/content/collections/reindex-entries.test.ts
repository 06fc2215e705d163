import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseId } from '../../shared/ids.ts';
import type { Entry } from '../entries/contract.ts';
import { contentService } from '../test-support.ts';
import { backfillChunk } from './backfill-fields.ts';

const service = await contentService();
const { db, ok } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'code', label: 'Code', type: 'text', unique: true },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  { id: 'box', label: 'Box', type: 'group', fields: [{ id: 'note', label: 'Note', type: 'text' }] },
  {
    id: 'parts',
    label: 'Parts',
    type: 'group',
    repeated: true,
    fields: [{ id: 'name', label: 'Name', type: 'text' }],
  },
];

const indexOf = async (accountId: string) => {
  const { rows } = await db.query(
    `select (select jsonb_agg(i order by field_key, sort_key, entry_id) from (
         select field_key, sort_key, entry_id from entry_index where account_id = $1) i) as index,
       (select jsonb_agg(k order by field_key, sort_key) from (
         select field_key, sort_key, entry_id from entry_keys where account_id = $1) k) as keys,
       (select jsonb_agg(jsonb_build_array(id, sort_keys) order by id) from entries where account_id = $1) as entries,
       (select jsonb_agg(jsonb_build_array(id, sort_keys) order by id) from published_entries where account_id = $1) as published,
       (select jsonb_agg(jsonb_build_array(entry_id, convert_to(text, 'UTF8')) order by entry_id) from entry_texts where account_id = $1) as texts`,
    [accountId],
  );
  return rows[0];
};

/** Turns the index of an account into what the first format was: exact keys, and none of fields in groups. */
async function toFormerFormat(accountId: string, nested: number[]) {
  for (const table of ['entries', 'published_entries']) {
    await db.query(`update ${table} set sort_keys = sort_keys - 'format' - 'rows' - $2::text[] where account_id = $1`, [
      accountId,
      nested.map(String),
    ]);
  }
  await db.query(`delete from entry_index where account_id = $1 and field_key = any($2)`, [accountId, nested]);
  for (const table of ['entries', 'published_entries']) {
    await db.query(
      `with former as (
         select e.id, k.key::bigint as field_key, v.value as sort_key, e.filter_bitmap
         from ${table} e, jsonb_each(e.sort_keys) k,
           jsonb_array_elements_text(case when jsonb_typeof(k.value) = 'array' then k.value else jsonb_build_array(k.value) end) v
         where e.account_id = $1
       ), gone as (
         delete from entry_index i using former
         where i.account_id = $1 and i.field_key = former.field_key and i.entry_id = former.id returning 1
       )
       select count(*) from gone`,
      [accountId],
    );
    await db.query(
      `insert into entry_index (account_id, field_key, sort_key, entry_id, filter_bitmap)
       select distinct $1::uuid, k.key::bigint, v.value, e.id, e.filter_bitmap
       from ${table} e, jsonb_each(e.sort_keys) k,
         jsonb_array_elements_text(case when jsonb_typeof(k.value) = 'array' then k.value else jsonb_build_array(k.value) end) v
       where e.account_id = $1`,
      [accountId],
    );
  }
  await db.query(`update entry_texts set text = replace(text, 'ss', 'ß') where account_id = $1`, [accountId]);
  await db.query(`update collections set index_format = null, version = version + 1 where account_id = $1`, [
    accountId,
  ]);
  await db.query(
    `insert into field_backfills (account_id, collection_id, field_key, entry_id, published)
     select account_id, id, -nextval('field_key_seq'), '00000000-0000-0000-0000-000000000000', published
     from collections cross join (values (false), (true)) as version (published) where account_id = $1`,
    [accountId],
  );
}

test('entries of an earlier release are indexed anew, by a worker that resumes or by their next change', async () => {
  const account = await service.newAccount();
  const path = await service.newCollection(account, FIELDS, { publishing: true });
  const entries: Entry[] = [];
  for (let i = 0; i < 12; i++) {
    const values = {
      title: ['Straße', 'STRASSE', 'strasse', 'Other'][i % 4],
      code: `Code ${i}`,
      tags: i % 2 ? ['a', 'A'] : [],
      box: { note: `N${i}` },
      parts: [{ name: 'X' }, { name: `Y${i}` }],
    };
    const entry = await service.createEntry(account, path, values);
    entries.push(entry);
    if (i % 3 === 0) await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  }
  const { fields } = await service.readCollection(account, path);
  const nested = fields.flatMap(({ fields: own }) =>
    (own ?? []).flatMap(({ key, publishedKey }) => [key, publishedKey ?? 0]),
  );
  const current = await indexOf(account.uuid);
  await toFormerFormat(account.uuid, nested);

  // What is found by a text does not depend on the format, while texts in their order may be apart.
  const find = async (query: string) =>
    (await ok(`GET ${path}/entries?${query}`, account)).entries.map(({ id }: Entry) => id);
  const exact = entries.filter(({ values }) => values.title === 'STRASSE').map(({ id }) => id);
  assert.deepEqual(await find('filter[title][eq]=STRASSE'), exact);
  await backfillChunk(db, 5);
  assert.deepEqual(await find('filter[title][eq]=STRASSE'), exact);
  const [changed] = entries.slice(-1);
  await ok(`PATCH ${path}/entries/${changed?.id}`, account, { values: { title: 'Other ' } });
  await ok(`PATCH ${path}/entries/${changed?.id}`, account, { values: { title: changed?.values.title } });
  while (await backfillChunk(db, 5));
  assert.equal((await service.readCollection(account, path)).isIndexed, true);
  assert.deepEqual(await indexOf(account.uuid), current);
  const byTitle = entries.slice(0, 12).filter(({ values }) => values.title !== 'Other');
  assert.deepEqual(
    (await find('sort=title:asc')).slice(-9),
    byTitle.map(({ id }) => id),
  );
  assert.deepEqual((await find('sort=title:desc')).slice(0, 9), byTitle.map(({ id }) => id).reverse());
  assert.equal((await find('q=straße')).length, 9);
  const taken = await service.call(`POST ${path}/entries`, { as: account, body: { values: { code: 'Code 0' } } });
  assert.ok(parseId('ent', taken.body.id), 'drafts can share a value');
});

test('texts are found and sorted by any form of their letters, also those that an earlier release indexed by some', async () => {
  const account = await service.newAccount();
  const slug = { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' };
  const path = await service.newCollection(account, [...FIELDS, slug]);
  for (const title of ['ΟΔΟΣ', 'οδοσ', 'οδος', 'Οδός β', 'ΙΣΠΑΡΤΑ', 'ISPARTA', 'ısparta']) {
    await service.createEntry(account, path, { title });
  }
  const titles = async (query: string) =>
    (await ok(`GET ${path}/entries?${query}`, account)).entries.map(({ values }: Entry) => values.title);
  const streets = ['ΟΔΟΣ', 'οδοσ', 'οδος'];
  const check = async () => {
    for (const form of streets) {
      assert.deepEqual(await titles(`where=${encodeURIComponent(`{"title":{"ieq":"${form}"}}`)}`), streets, form);
      assert.deepEqual(await titles(`q=${encodeURIComponent(form)}`), [...streets, 'Οδός β'], form);
      assert.deepEqual(
        await titles(`filter[title][contains]=${encodeURIComponent(form)}`),
        [...streets, 'Οδός β'],
        form,
      );
      assert.deepEqual(await titles(`filter[title][eq]=${encodeURIComponent(form)}`), [form]);
    }
    assert.deepEqual(await titles('sort=title:asc'), ['ISPARTA', 'ısparta', 'ΙΣΠΑΡΤΑ', ...streets, 'Οδός β']);
    assert.deepEqual(await titles('filter[title][contains]=%C4%B1spart'), ['ISPARTA', 'ısparta']);
  };
  await check();
  const { entries } = await ok(`GET ${path}/entries`, account);
  const slugs = entries.map(({ values }: Entry) => values.slug);
  assert.deepEqual(slugs, ['odos', 'odos-2', 'odos-3', 'odos-v', 'isparta', 'isparta-2', 'isparta-3']);

  const current = await indexOf(account.uuid);
  const former = (column: string) => `replace(${column}::text, 'οδοσ', 'οδος')`;
  const changes = [
    `update entry_index set sort_key = ${former('sort_key')} where account_id = $1`,
    `update entries set sort_keys = ${former('sort_keys')}::jsonb || '{"format": 2}' where account_id = $1`,
    `update entry_texts set "text" = ${former('"text"')} where account_id = $1`,
    'update collections set index_format = null, version = version + 1 where account_id = $1',
    `insert into field_backfills (account_id, collection_id, field_key, entry_id, published)
     select account_id, id, -nextval('field_key_seq'), '00000000-0000-0000-0000-000000000000', false from collections where account_id = $1`,
  ];
  for (const change of changes) await db.query(change, [account.uuid]);
  assert.notDeepEqual(await indexOf(account.uuid), current);
  while (await backfillChunk(db, 5));
  assert.deepEqual(await indexOf(account.uuid), current);
  await check();
});
