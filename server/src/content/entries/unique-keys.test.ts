import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, Answer } from '../../../test/harness.ts';
import { counted, importService, rowErrors } from '../../imports/test-support.ts';
import { faultsOf } from '../test-support.ts';

const service = await importService();
const { call, ok, db, newAccount, newCollection, createEntry, dryRun, runStage } = service;

const SLUG = { id: 'slug', label: 'Slug', type: 'text', unique: true };
const CODE = { id: 'code', label: 'Code', type: 'number', unique: true };
const TITLE = { id: 'title', label: 'Title', type: 'text' };

/** The keys are those of the index, which other tests compare with the values. */
async function assertConsistent(account: Account): Promise<void> {
  const { rows } = await db.query(
    `with keys as (select field_key, split_part(sort_key, chr(1), 1) as sort_key, entry_id from entry_keys where account_id = $1), indexed as (
       select i.field_key, i.sort_key, i.entry_id from entry_index i where i.account_id = $1 and i.sort_key < chr(1114111)
         and i.field_key in (
           select (field ->> 'key')::bigint from collections c, jsonb_array_elements(c.fields) as field
           where c.account_id = $1 and (field ->> 'unique')::boolean))
     (select * from keys except all select * from indexed) union all (select * from indexed except all select * from keys)`,
    [account.uuid],
  );
  assert.deepEqual(rows, []);
}

const takenBy = (answer: Answer, field: string, id: string) => {
  assert.deepEqual(faultsOf(answer), [`/values/${field} value_taken`]);
  assert.ok(answer.body.errors[0].detail.includes(id), answer.body.errors[0].detail);
};

test('a unique value belongs to one active entry, whatever writes it', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const path = await newCollection(account, [SLUG, CODE, TITLE]);
  const entries = `${path}/entries`;
  const first = await createEntry(account, path, { slug: 'a', code: 1 });
  const second = await createEntry(account, path, { slug: 'b' });
  await createEntry(account, path, { slug: 'A' });
  await createEntry(account, path, {});
  const elsewhere = await newCollection(account, [SLUG]);
  await createEntry(account, elsewhere, { slug: 'a' });
  await createEntry(other, await newCollection(other, [SLUG]), { slug: 'a' });

  const post = (values: unknown, headers = {}) => call(`POST ${entries}`, { as: account, body: { values }, headers });
  takenBy(await post({ slug: 'a', code: 2 }), 'slug', first.id);
  takenBy(await post({ slug: 'a', code: 2 }, { 'idempotency-key': 'k' }), 'slug', first.id);
  assert.deepEqual(faultsOf(await post({ slug: 'a', code: '1' })), [
    '/values/code value_taken',
    '/values/slug value_taken',
  ]);
  const patch = (id: string, body: unknown) => call(`PATCH ${entries}/${id}`, { as: account, body });
  takenBy(await patch(second.id, { values: { slug: 'a' } }), 'slug', first.id);
  assert.equal((await ok(`GET ${entries}/${second.id}`, account)).version, 1, 'a refused change changes nothing');

  // An entry can keep its value and give it up, by a change, its deletion or a field of its own.
  await ok(`PATCH ${entries}/${first.id}`, account, { values: { slug: 'a', title: 'x' } });
  await ok(`DELETE ${entries}/${first.id}`, account);
  await ok(`PATCH ${entries}/${second.id}`, account, { values: { slug: 'a' } });
  takenBy(await patch(first.id, { status: 'active' }), 'slug', second.id);
  await ok(`PATCH ${entries}/${second.id}`, account, { values: { slug: null } });
  await ok(`PATCH ${entries}/${first.id}`, account, { status: 'active' });
  takenBy(await call(`POST ${entries}/${second.id}/versions/2/restore`, { as: account, body: {} }), 'slug', first.id);

  // Values of a deleted field stay taken, since they come back with it.
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'code', status: 'deleted' }] });
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'code', status: 'active' }] });
  takenBy(await post({ code: 1 }), 'code', first.id);
  await assertConsistent(account);
});

test('a field becomes unique if its values are, and stops being it', async () => {
  const account = await newAccount();
  const { unique: _, ...plain } = SLUG;
  const path = await newCollection(account, [TITLE, plain]);
  const [first, second] = [
    await createEntry(account, path, { slug: 'a' }),
    await createEntry(account, path, { slug: 'a' }),
  ];
  const update = (fields: unknown[]) => call(`PATCH ${path}`, { as: account, body: { fields } });
  const refused = await update([{ id: 'title' }, { id: 'slug', unique: true }]);
  assert.deepEqual(faultsOf(refused), ['/fields/1/unique values_not_unique']);
  assert.ok(refused.body.detail.includes(first.id) && refused.body.detail.includes(second.id));
  await ok(`PATCH ${path}/entries/${second.id}`, account, { values: { slug: 'b' } });
  const changed = (await update([{ id: 'slug', unique: true }])).body;
  assert.deepEqual(changed.fields[0], {
    ...plain,
    unique: true,
    required: false,
    status: 'active',
    options: null,
    repeated: false,
    fields: null,
  });
  assert.deepEqual((await update(changed.fields)).body.fields, changed.fields, 'what was read can be written');
  const post = () => call(`POST ${path}/entries`, { as: account, body: { values: { slug: 'b' } } });
  takenBy(await post(), 'slug', second.id);
  await assertConsistent(account);
  assert.ok(!('unique' in (await update([{ id: 'slug', unique: false }])).body.fields[0]));
  assert.equal((await post()).status, 200);
  await assertConsistent(account);

  const group = { id: 'g', label: 'G', type: 'group', fields: [TITLE] };
  const wrong = [
    { ...SLUG, repeated: true },
    { ...group, unique: true },
    { id: 'b', label: 'B', type: 'boolean', unique: true },
  ];
  const body = { name: 'X', fields: wrong };
  const expected = [0, 1, 2].map((i) => `/fields/${i}/unique unique_not_allowed`);
  assert.deepEqual(faultsOf(await call('POST /v1/cms/collections', { as: account, body })), expected);
});

test('of a thousand writers of one value, one wins, and no writer of another value is refused', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [SLUG]);
  const empty = await Promise.all(Array.from({ length: 20 }, () => createEntry(account, path, {})));
  const answers: Answer[] = [];
  const writer = async (_: unknown, w: number) => {
    for (let i = w; i < 1_000; i += 100) {
      const body = { values: { slug: i % 10 === 9 ? `own ${i}` : 'same' } };
      const entry = i % 50 === 0 ? empty[i / 50] : undefined;
      answers[i] = await call(entry ? `PATCH ${path}/entries/${entry.id}` : `POST ${path}/entries`, {
        as: account,
        body,
      });
    }
  };
  await Promise.all(Array.from({ length: 100 }, writer));
  const same = answers.filter((_, i) => i % 10 !== 9);
  assert.equal(same.filter(({ status }) => status === 200).length, 1);
  const winner = same.find(({ status }) => status === 200)?.body.id;
  for (const answer of same) if (answer.status !== 200) takenBy(answer, 'slug', winner);
  assert.ok(answers.every(({ status }, i) => i % 10 !== 9 || status === 200));
  await assertConsistent(account);
});

test('an import fails the rows whose value another entry or an earlier row has, in the dry run, too', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [SLUG, TITLE]);
  const taken = await createEntry(account, path, { slug: 'taken' });
  const sent = await dryRun(account, path, 'slug,title\ntaken,1\nnew,2\nnew,3\n,4\n,5\n');
  assert.deepEqual(rowErrors(sent), ['2 slug value_taken', '4 slug value_taken']);
  // Meanwhile somebody takes a value that the dry run found free.
  const late = await createEntry(account, path, { slug: 'new' });
  const done = await runStage(account, path, sent.id, 'start');
  const { rows, created, failed } = done.imported ?? assert.fail();
  assert.deepEqual({ rows, created, failed }, { rows: 5, created: 2, failed: 3 });
  await assertConsistent(account);

  // Undoing an update gives a value back, unless somebody has it.
  const file = `id,slug\n${taken.id},moved\n${late.id},other\n`;
  const update = await dryRun(account, path, file);
  await runStage(account, path, update.id, 'start');
  const thief = await createEntry(account, path, { slug: 'taken' });
  const undone = await runStage(account, path, update.id, 'undo');
  assert.deepEqual(counted(undone.undone), { entries: 2, deleted: 0, restored: 1, skipped: 1 });
  assert.equal((await ok(`GET ${path}/entries/${thief.id}`, account)).values.slug, 'taken');
  await assertConsistent(account);
});
