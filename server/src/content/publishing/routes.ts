import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { auditPublishing } from '../audit-content.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import {
  CollectionPath,
  Entry,
  EntryPath,
  EntryPublishing,
  ExpectedVersion,
  SomeEntries,
  WrittenEntries,
} from '../entries/contract.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { writeContext } from '../entries/write-context.ts';
import type { PublishHooks } from '../publish-hooks/publish-hooks.ts';
import { changeSeveral, discardDraft, publishEntry, unpublishEntry } from './publish-entries.ts';

const about = { tags: ['Entries'], security: [{ token: [] }], 'x-idempotency-key': true as const };
const config = { access: 'secret', rate: 'write' } as const;

type ChangeOne = typeof publishEntry;

const ONE: {
  path: string;
  operationId: string;
  action: string;
  summary: string;
  description: string;
  body: typeof EntryPublishing | typeof ExpectedVersion;
  change: ChangeOne;
}[] = [
  {
    path: 'publish',
    operationId: 'publishEntry',
    action: 'entry.published',
    summary: 'Publish an entry',
    description:
      'Publishes the current version, whose values must follow every rule of their fields. Later changes are drafts ' +
      'until the entry is published again.',
    body: EntryPublishing,
    change: publishEntry,
  },
  {
    path: 'unpublish',
    operationId: 'unpublishEntry',
    action: 'entry.unpublished',
    summary: 'Unpublish an entry',
    description: 'The entry and its draft stay. Does nothing if the entry is not published.',
    body: EntryPublishing,
    change: unpublishEntry,
  },
  {
    path: 'discard-draft',
    operationId: 'discardEntryDraft',
    action: 'entry.draft_discarded',
    summary: 'Discard the draft of an entry',
    description: 'Gives the entry the values that are published, as a new version. The draft stays in the history.',
    body: ExpectedVersion,
    change: discardDraft,
  },
];

const SEVERAL = [
  {
    name: 'publish',
    operationId: 'publishEntries',
    action: 'entry.published',
    summary: 'Publish entries',
    description: 'Publishes the current versions of entries of a collection at once: all of them, or none.',
  },
  {
    name: 'unpublish',
    operationId: 'unpublishEntries',
    action: 'entry.unpublished',
    summary: 'Unpublish entries',
    description: 'Unpublishes entries of a collection at once: all of them, or none.',
  },
] as const;

/** Drafts become public, and stop being it. */
export function publishingRoutes(app: App, deps: Deps, cache: CollectionCache, hooks: PublishHooks): void {
  const { db, clock } = deps;

  const write = <Result>(
    request: FastifyRequest,
    action: string,
    work: (tx: Tx, context: CachedWriteContext) => Promise<Result>,
    entriesOf: (result: Result) => readonly Entry[],
  ) =>
    hooks.cleared((clearance) =>
      idempotently(db, request, request.caller.accountId, async (tx) => {
        const result = await work(tx, writeContext(request, deps, cache.of(request.caller), clearance));
        await auditPublishing(tx, request, action, entriesOf(result), clock());
        return result;
      }),
    );

  const { post } = routesOf(app, about);
  for (const { path, action, change, ...schema } of ONE) {
    post(`/v1/cms/collections/:collectionId/entries/:entryId/${path}`, {
      config,
      ...schema,
      params: EntryPath,
      returns: Entry,
      handle: async (request) =>
        write(
          request,
          action,
          (tx, context) => change(tx, context, request.params, request.body),
          (entry) => [entry],
        ),
    });
  }

  for (const { name, action, ...schema } of SEVERAL) {
    post(`/v1/cms/collections/:collectionId/${name}`, {
      config,
      ...schema,
      params: CollectionPath,
      body: SomeEntries,
      returns: WrittenEntries,
      handle: async (request) => {
        const { params, body } = request;
        return write(
          request,
          action,
          async (tx, context) => ({
            entries: await changeSeveral(tx, context, params.collectionId, body, name),
          }),
          ({ entries }) => entries,
        );
      },
    });
  }
}
