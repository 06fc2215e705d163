import type { FastifyRequest } from 'fastify';
import { isGoverning } from '../../accounts/index.ts';
import { audit } from '../../shared/audit.ts';
import { type Fault, invalid, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx, Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { memberNames, nameAuthors, roleInsufficient } from '../../users/index.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import type { EntryRow } from '../entries/queries.ts';
import { changeable, type EntryPath, lockEntry } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { requireAction } from '../roles/permitted.ts';
import type { Review, ReviewChange } from './contract.ts';
import { findReview, findUnapproved, type ReviewRow, writeReview } from './queries.ts';

/** Approved versions that are remembered; older ones could only be published by a scheduled release. */
const MAX_APPROVED = 20;

/** The review state of an entry; a draft until it is changed. */
export async function serializeReview(
  control: ControlTx,
  accountId: string,
  { version }: Pick<EntryRow, 'version'>,
  row: ReviewRow | undefined,
): Promise<Review> {
  const [by] = row ? await nameAuthors(control, accountId, [row]) : [];
  const isOutdated = row?.state === 'approved' && row.version !== version;
  return {
    state: !row || isOutdated ? 'draft' : row.state,
    version,
    approvedVersions: row?.approved_versions ?? [],
    assigneeId: row?.assignee_id ? publicId('usr', row.assignee_id) : null,
    by: by ?? null,
    updatedAt: row ? isoTime(row.updated_at) : null,
    assignees: await memberNames(control, accountId),
  };
}

/**
 * Changes the state or the assignee of an entry. In a collection with `review`, only members with that role may approve.
 * @param isMember whether a user (UUID) can be assigned
 * @throws ApiError 404; 400 `version_conflict`, `role_insufficient`, `member_unknown`
 */
export async function changeReview(
  tx: Tx,
  context: CachedWriteContext,
  caller: FastifyRequest['caller'],
  path: EntryPath,
  { state, assigneeId, version }: ReviewChange,
  isMember: (userId: string) => boolean,
): Promise<{ entry: EntryRow; row: ReviewRow | undefined }> {
  const { author, now, cache } = context;
  const { accountId: account_id } = author;
  const { collection, entry } = await cache.use(tx, account_id, path.collectionId, async (found) => {
    const locked = changeable(await lockEntry(tx, account_id, found, path.entryId), { version });
    return locked.collection_version === found.version ? { collection: found, entry: locked } : STALE;
  });
  if (!isActive(entry)) throw notFound('entry');
  const isReviewer = collection.access?.permissions.review !== undefined || state === 'approved';
  await requireAction(tx, account_id, collection, isReviewer ? 'review' : 'update', [entry.id]);
  if (state === 'approved' && !mayApprove(collection, caller)) throw roleInsufficient('owner');
  const key = { account_id, entry_id: entry.id };
  const [before] = await findReview(tx, key);
  const approved = before?.approved_versions ?? [];
  const isCurrent = state === undefined ? before?.state !== 'approved' || before.version === entry.version : true;
  const next = state ?? (isCurrent ? (before?.state ?? 'draft') : 'draft');
  await writeReview(tx, {
    ...key,
    state: next,
    version: entry.version,
    approved_versions: versionsAfter(approved, entry.version, state),
    assignee_id: assigneeId === undefined ? (before?.assignee_id ?? null) : assigneeOf(assigneeId, isMember),
    author_type: author.type,
    author_id: author.id,
    now,
  });
  const [row] = await findReview(tx, key);
  const audited = (each: ReviewRow | undefined) => ({
    state: each?.state ?? 'draft',
    assignee: each?.assignee_id ?? null,
  });
  const change = { before: audited(before), after: audited(row) };
  await audit(
    tx,
    author,
    { action: 'entry.review_changed', subject: ['entry', publicId('ent', entry.id)], ...change },
    now,
  );
  return { entry, row };
}

/** An approval is withdrawn by any other state. */
function versionsAfter(approved: readonly number[], version: number, state: Review['state'] | undefined): number[] {
  if (state === undefined) return [...approved];
  const others = approved.filter((each) => each !== version);
  return state === 'approved' ? [...others, version].slice(-MAX_APPROVED) : others;
}

function mayApprove({ row }: Collection, caller: FastifyRequest['caller']): boolean {
  return row.review !== 'owner' || isGoverning(caller);
}

function assigneeOf(assigneeId: string | null, isMember: (userId: string) => boolean): string | null {
  if (assigneeId === null) return null;
  const id = parseId('usr', assigneeId);
  if (id !== undefined && isMember(id)) return id;
  const detail = 'There is no member with this ID in the account.';
  throw invalid([{ pointer: '/assigneeId', code: 'member_unknown', detail }]);
}

/** The faults of entries whose version must be approved before it is published, and was not. */
export async function unapprovedFaults(
  tx: Tx,
  account_id: string,
  { row }: Collection,
  entries: readonly Pick<EntryRow, 'id' | 'version'>[],
  pointerTo: (entryId: string) => string,
): Promise<Fault[]> {
  if (row.review === null || entries.length === 0) return [];
  const versions = new Map(entries.map(({ id, version }) => [id, version]));
  const found = await findUnapproved(tx, { account_id, entries: entries.map(({ id, version }) => ({ id, version })) });
  return found.map(({ id }) => ({
    pointer: pointerTo(id),
    code: 'not_approved',
    detail: `Version ${versions.get(id)} of the entry ${publicId('ent', id)} has not been approved.`,
  }));
}
