import { audit } from '../../shared/audit.ts';
import { type Fault, invalid, notFound } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import type { NewRelease, Release, ReleaseChange } from './contract.ts';
import { publishRelease } from './publish-release.ts';
import {
  deleteItems,
  findItems,
  findPinned,
  findReleases,
  type ItemRow,
  insertItems,
  insertRelease,
  lockRelease,
  type ReleaseRow,
  updateRelease,
} from './queries.ts';
import { pinName, type ResolvedItem, resolveItems } from './resolve-items.ts';
import { serializeRelease } from './serialize.ts';
import { requireRelease } from './visible-releases.ts';

/** @throws ApiError 400 `time_past`, `version_unknown`, or with every fault of every item */
export async function createRelease(
  tx: Tx,
  context: CachedWriteContext,
  { name = null, at, items: sent = [] }: NewRelease,
): Promise<Release> {
  const { accountId: account_id } = context.author;
  const dueAt = futureTime(at, context.now);
  const items = await resolveItems(tx, context, sent, new Map(), dueAt !== null);
  const id = newUuid(context.now);
  await insertRelease(tx, { account_id, id, name, ...planned(dueAt), ...stamp(context) });
  await insertItems(tx, { account_id, id, items });
  return reread(tx, context, id, 'release.created');
}

/**
 * Changes a release that is not finished. A failed release can be rescheduled.
 * @throws ApiError 404; 400 `version_conflict`, `release_finished`, or as `createRelease`
 */
export async function changeRelease(
  tx: Tx,
  context: CachedWriteContext,
  releaseId: string,
  { name, at, items: sent, version }: ReleaseChange,
): Promise<Release> {
  const before = await lockUnfinished(tx, context, releaseId, version);
  const { account_id, id } = before;
  const isMoved = at !== undefined && at !== (before.at && isoTime(before.at));
  const isPlanned = isMoved || before.status === 'failed';
  const dueAt = isPlanned ? futureTime(at, context.now) : before.at;
  // A release with an entry that was deleted since can still be renamed, and lose its time.
  if (sent !== undefined || (isPlanned && dueAt !== null)) {
    const kept = new Map((await findPinned(tx, { account_id, id })).map((row) => [pinName(row), row.values]));
    const items = sent ?? (await findItems(tx, { account_id, id })).map(sentItem);
    const resolved = await resolveItems(tx, context, items, kept, dueAt !== null);
    await replaceItems(tx, before, resolved);
  }
  const next = { name: name === undefined ? before.name : name, ...planned(dueAt) };
  await updateRelease(tx, { account_id, id, ...next, ...stamp(context) });
  return reread(tx, context, id, 'release.changed', before);
}

/** Cancels a release. @throws ApiError 404; 400 `release_finished` */
export async function cancelRelease(tx: Tx, context: CachedWriteContext, releaseId: string): Promise<Release> {
  const before = await lockUnfinished(tx, context, releaseId, undefined);
  const { account_id, id, name, at } = before;
  await updateRelease(tx, { account_id, id, name, at, status: 'canceled', ...stamp(context) });
  return reread(tx, context, id, 'release.canceled', before);
}

/** Publishes a release now. @throws ApiError 404; 400 `release_finished`, `release_empty`, or with every fault of every entry */
export async function publishNow(tx: Tx, context: CachedWriteContext, releaseId: string): Promise<Release> {
  return publishRelease(tx, context, await lockUnfinished(tx, context, releaseId, undefined));
}

async function lockUnfinished(
  tx: Tx,
  context: CachedWriteContext,
  releaseId: string,
  version: number | undefined,
): Promise<ReleaseRow> {
  const id = parseId('rel', releaseId);
  const { author, cache } = context;
  const [row] = id === undefined ? [] : await lockRelease(tx, { account_id: author.accountId, id });
  if (!row) throw notFound('release');
  await requireRelease(tx, cache, row, 'publish');
  const refuse = (pointer: string, code: string, detail: string) => invalid([{ pointer, code, detail }]);
  if (row.status === 'completed' || row.status === 'canceled') {
    throw refuse('', 'release_finished', `The release is ${row.status}. Create another one.`);
  }
  if (version !== undefined && version !== row.version) {
    const detail = `The release is at version ${row.version}, not ${version}. Read it again and retry.`;
    throw refuse('/version', 'version_conflict', detail);
  }
  return row;
}

/** @throws ApiError 400 `time_past` */
function futureTime(at: string | null | undefined, now: number): Date | null {
  if (at === undefined || at === null) return null;
  const time = parseTimestamp(at) ?? 0;
  if (time > now) return new Date(time);
  const fault: Fault = {
    pointer: '/at',
    code: 'time_past',
    detail: `The time ${isoTime(time)} is in the past. Choose a later time, or publish the release now.`,
  };
  throw invalid([fault]);
}

const planned = (at: Date | null) => ({ at, status: at === null ? 'open' : 'scheduled' });

const stamp = ({ author, now }: CachedWriteContext) => ({ author_type: author.type, author_id: author.id, now });

const sentItem = ({ collection_id, entry_id, action, version, locales }: ItemRow) => ({
  collectionId: publicId('col', collection_id),
  entryId: publicId('ent', entry_id),
  action,
  version,
  ...(locales && { locales }),
});

async function replaceItems(tx: Tx, { account_id, id }: ReleaseRow, items: readonly ResolvedItem[]): Promise<void> {
  await deleteItems(tx, { account_id, id });
  await insertItems(tx, { account_id, id, items });
}

async function reread(
  tx: Tx,
  { author, now }: CachedWriteContext,
  id: string,
  action: string,
  before?: ReleaseRow,
): Promise<Release> {
  const { accountId: account_id } = author;
  const [after] = await findReleases(tx, { account_id, ids: [id] });
  if (!after) throw new Error('a release disappeared in its transaction');
  const state = (row: ReleaseRow) => ({ name: row.name, status: row.status, at: row.at, entries: row.item_count });
  const states = { before: before && state(before), after: state(after) };
  await audit(tx, author, { action, subject: ['release', publicId('rel', id)], ...states }, now);
  return serializeRelease(after);
}
