import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestUser, type TestUser } from '../../../test/users.ts';
import type { Role } from '../../accounts/index.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, clock, newAccount, newCollection, createEntry } = service;

async function setup(more: Record<string, unknown> = {}) {
  const account = await newAccount();
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const path = await newCollection(account, fields, { publishing: true, ...more });
  const entry = await createEntry(account, path, { title: 'One' });
  const user = (role: Role) => createTestUser(service, account, role);
  const at = `${path}/entries/${entry.id}`;
  const by = (who: TestUser, request: string, body?: unknown) =>
    call(request, { by: who, ...(body !== undefined && { body }) });
  return { account, path, entry, at, user, by };
}

test('with a review, only approved versions are published, and only the role that may approves them', async () => {
  const { account, path, entry, at, user, by } = await setup({ review: 'owner' });
  const [owner, editor] = [await user('owner'), await user('editor')];
  const publish = (who: TestUser) => by(who, `POST ${at}/publish`, {});
  const review = (who: TestUser, body: unknown) => by(who, `PUT ${at}/review`, body);
  assert.deepEqual(faultsOf(await publish(owner)), [' not_approved']);
  const { body: asked } = await review(editor, { state: 'in_review', assigneeId: owner.userId, version: 1 });
  assert.deepEqual([asked.state, asked.assigneeId, asked.by.id], ['in_review', owner.userId, editor.userId]);
  const assignees = asked.assignees.map(({ id }: { id: string }) => id).sort();
  assert.deepEqual(assignees, [owner.userId, editor.userId].sort());
  assert.deepEqual(faultsOf(await review(editor, { state: 'approved' })), [' role_insufficient']);
  assert.deepEqual(faultsOf(await review(owner, { state: 'approved', version: 7 })), ['/version version_conflict']);
  const stranger = await createTestUser(service, await newAccount());
  assert.deepEqual(faultsOf(await review(owner, { assigneeId: stranger.userId })), ['/assigneeId member_unknown']);
  assert.equal((await review(owner, { state: 'approved', version: 1 })).body.state, 'approved');

  // A change is a draft again, while the approved version can still be published at its time.
  const items = [{ collectionId: entry.collectionId, entryId: entry.id, version: 1 }];
  const { id: releaseId } = await ok('POST /v1/cms/releases', account, { items });
  await ok(`PATCH ${at}`, account, { values: { title: 'Two' } });
  assert.equal((await ok(`GET ${at}/review`, account)).state, 'draft');
  assert.deepEqual(faultsOf(await publish(editor)), [' not_approved']);
  await review(editor, { state: 'in_review' });
  assert.equal((await by(editor, `POST /v1/cms/releases/${releaseId}/publish`)).status, 200);
  assert.equal((await ok(`GET ${at}?state=published`, account)).values.title, 'One');
  await review(owner, { state: 'approved' });
  assert.equal((await publish(editor)).status, 200);
  await review(owner, { state: 'draft' });
  assert.deepEqual((await ok(`GET ${at}/review`, account)).approvedVersions, [1], 'an approval can be withdrawn');
  const several = await by(editor, `POST ${path}/publish`, { entryIds: [entry.id] });
  assert.deepEqual(faultsOf(several), ['/entryIds/0 not_approved']);

  assert.deepEqual(faultsOf(await by(editor, `PATCH ${path}`, { review: null })), [' role_insufficient']);
  assert.equal((await by(editor, `PATCH ${path}`, { review: 'owner', name: 'Same' })).status, 200);
  assert.ok(!('review' in (await by(owner, `PATCH ${path}`, { review: null })).body));
  assert.equal((await publish(editor)).status, 200);
});

test('comments are listed newest first, and deleted by their authors and by owners', async () => {
  const { account, at, user, by } = await setup();
  const [owner, editor, viewer] = [await user('owner'), await user('editor'), await user('viewer')];
  const comment = async (who: TestUser, text: string) => (await by(who, `POST ${at}/comments`, { text })).body;
  const [first, second] = [await comment(editor, 'One'), await comment(owner, 'Two')];
  assert.deepEqual((await ok(`GET ${at}/comments`, account)).comments, [second, first]);
  assert.equal(first.by.id, editor.userId);
  assert.deepEqual(faultsOf(await by(viewer, `POST ${at}/comments`, { text: 'x' })), [' role_insufficient']);
  const remove = (who: TestUser, { id }: { id: string }) => by(who, `DELETE ${at}/comments/${id}`);
  assert.deepEqual(faultsOf(await remove(editor, second)), [' not_yours']);
  assert.deepEqual((await remove(owner, first)).body, first);
  assert.equal((await remove(owner, first)).status, 404);
  assert.deepEqual((await ok(`GET ${at}/comments`, account)).comments, [second]);
  await ok(`DELETE ${at}`, account);
  await ok(`DELETE ${at}?permanently=true`, account);
  const left = await service.db.query('select count(*)::int from entry_comments where account_id = $1', [account.uuid]);
  assert.equal(left.rows[0].count, 0, 'nothing remains of a removed entry');
});

test('users see who else has an entry open, until they have left', async () => {
  const { account, at, user, by } = await setup();
  const [one, two] = [await user('editor'), await user('owner')];
  const seenBy = async (who: TestUser) =>
    (await by(who, `POST ${at}/presence`)).body.users.map(({ id }: { id: string }) => id);
  assert.deepEqual(await seenBy(one), []);
  assert.deepEqual(await seenBy(two), [one.userId]);
  assert.deepEqual(await seenBy(one), [two.userId]);
  const { users } = await ok(`POST ${at}/presence`, account);
  assert.deepEqual(
    users.map(({ id }: { id: string }) => id),
    [one.userId, two.userId],
  );
  clock.now += 41_000;
  assert.deepEqual(await seenBy(one), [], 'a user who has left is no longer listed');
});
