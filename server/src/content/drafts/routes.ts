import type { FastifyRequest } from 'fastify';
import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, invalid } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { EntryPath } from '../entries/contract.ts';
import { useEntry } from '../entries/get-entry.ts';
import { DeleteDraftQuery, EntryDraft, EntryDraftBody } from './contract.ts';
import { type DraftRow, deleteDraft, findDraft, saveDraft } from './queries.ts';

const about = { tags: ['Entries'], security: [{ token: [] }] };
const DRAFT = '/v1/cms/collections/:collectionId/entries/:entryId/draft';

const serialize = (row: DraftRow | undefined): EntryDraft => ({
  draft: row ? { version: row.version, changes: row.changes, updatedAt: isoTime(row.updated_at) } : null,
});

/** What a write expects to be stored: of any time, or of one, or nothing. */
const expectation = (updatedAt: string | null | undefined) => ({
  is_any: updatedAt === undefined,
  expected: updatedAt == null ? null : new Date(parseTimestamp(updatedAt) ?? 0),
});

const conflict = (pointer: string) =>
  invalid([{ pointer, code: 'version_conflict', detail: 'Other unsaved changes have been stored since.' }]);

/** Changes of an entry that its editor has not saved yet, kept for them alone, so that another browser has them, too. */
export function draftRoutes(app: App, { db, clock }: Deps, cache: CollectionCache): void {
  const use = <T>(
    request: FastifyRequest<{ Params: { collectionId: string; entryId: string } }>,
    operation: (of: { account_id: string; entry_id: string; owner_id: string }) => Promise<T>,
  ) => {
    const { caller, params } = request;
    const { id: owner_id } = authorOf(request);
    return useEntry(db, cache.of(caller), caller.accountId, params, false, async (_collection, { id }) => {
      if (owner_id === null) throw badRequest('user_required', 'Only users and API keys have unsaved changes.');
      return operation({ account_id: caller.accountId, entry_id: id, owner_id });
    });
  };

  const { get, put, remove } = routesOf(app, about);
  get(DRAFT, {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getEntryDraft',
    summary: 'Get your unsaved changes of an entry',
    description: 'What the same user or API key stored last and has not deleted; null without. Others do not see it.',
    params: EntryPath,
    returns: EntryDraft,
    handle: (request) => use(request, async (of) => serialize((await findDraft(db, of))[0])),
  });

  put(DRAFT, {
    config: { access: 'secret', rate: 'write', isJsonKept: true },
    operationId: 'saveEntryDraft',
    summary: 'Store your unsaved changes of an entry',
    description:
      'Replaces them. The entry stays as it is: no version, no webhook, no check of the values. The dashboard does so every 2 ' +
      'seconds while somebody types. They are deleted after 30 days.',
    params: EntryPath,
    body: EntryDraftBody,
    returns: EntryDraft,
    handle: (request) =>
      use(request, async (of) => {
        const { version, changes, updatedAt } = request.body;
        const row = { ...of, version, changes: JSON.stringify(changes), now: new Date(clock()) };
        const [saved] = await saveDraft(db, { ...row, ...expectation(updatedAt) });
        if (!saved) throw conflict('/updatedAt');
        return serialize(saved);
      }),
  });

  remove(DRAFT, {
    config: { access: 'secret', rate: 'write' },
    operationId: 'deleteEntryDraft',
    summary: 'Delete your unsaved changes of an entry',
    description: 'Returns what was deleted.',
    params: EntryPath,
    querystring: DeleteDraftQuery,
    returns: EntryDraft,
    handle: (request) =>
      use(request, async (of) => {
        const [deleted] = await deleteDraft(db, { ...of, ...expectation(request.query.updatedAt) });
        if (!deleted && (await findDraft(db, of))[0]) throw conflict('?updatedAt');
        return serialize(deleted);
      }),
  });
}
