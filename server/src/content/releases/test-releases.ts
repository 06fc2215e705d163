/** A service with what tests of releases need. */
import assert from 'node:assert/strict';
import type { Account } from '../../../test/harness.ts';
import { parseId } from '../../shared/ids.ts';
import { CollectionCache } from '../collections/collection-cache.ts';
import type { Entry } from '../entries/contract.ts';
import { contentService, faultsOf } from '../test-support.ts';
import type { Release } from './contract.ts';
import { publishDue } from './release-worker.ts';

export const service = await contentService();
export const { call, ok, db, clock, newAccount, newCollection, createEntry } = service;

export const TITLE = { id: 'title', label: 'Title', type: 'text', required: true };
export const SLUG = { id: 'slug', label: 'Slug', type: 'text', unique: true };
export const RELEASES = '/v1/cms/releases';

/** Runs the worker once. */
export async function runDue(failed?: () => void): Promise<void> {
  const { config, control, secret, sessionIds } = service;
  const log = { error: failed ?? ((...all: unknown[]) => assert.fail(JSON.stringify(all))), warn() {} };
  const deps = {
    db,
    control,
    config,
    secret,
    sessionIds,
    clock: () => clock.now,
    publicUrl: () => 'http://headwater.test',
    log,
  };
  while (await publishDue(deps as never, new CollectionCache(), () => assert.fail('nobody is asked')));
}

export async function setup() {
  const account = await newAccount();
  const newPath = () => newCollection(account, [TITLE, SLUG], { publishing: true });
  const [path, other] = [await newPath(), await newPath()];
  const itemOf = ({ collectionId, id: entryId }: Entry, more: object = {}) => ({ collectionId, entryId, ...more });
  const create = (body: unknown): Promise<Release> => ok(`POST ${RELEASES}`, account, body);
  const items = async ({ id }: Release) => (await ok(`GET ${RELEASES}/${id}/items`, account)).items;
  const read = ({ id }: Release): Promise<Release> => ok(`GET ${RELEASES}/${id}`, account);
  const refused = async (body: unknown) => faultsOf(await call(`POST ${RELEASES}`, { as: account, body }));
  const published = async (entry: Entry) => {
    const answer = await call(`GET /v1/cms/collections/${entry.collectionId}/entries/${entry.id}?state=published`, {
      as: account,
    });
    return answer.status === 404 ? undefined : answer.body.values.title;
  };
  const rename = (entry: Entry, title: string | null): Promise<Entry> =>
    ok(`PATCH /v1/cms/collections/${entry.collectionId}/entries/${entry.id}`, account, { values: { title } });
  return { account, path, other, itemOf, create, items, read, refused, published, rename };
}

export const inMs = (ms: number) => new Date(clock.now + ms).toISOString();

/** How often each release ended, and how often something of a collection was published. */
export async function counts(account: Account, path: string) {
  const ended = await db.query(
    "select subject_id, count(*)::int from audit_log where account_id = $1 and action = 'release.completed' group by 1",
    [account.uuid],
  );
  const changes = await db.query('select changes::int from published_changes where collection_id = $1', [
    parseId('col', path.split('/').at(-1) ?? ''),
  ]);
  return { ended: ended.rows.map(({ count }) => count), changes: changes.rows[0]?.changes };
}
