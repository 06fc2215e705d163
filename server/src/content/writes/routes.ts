import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { withErrors } from '../../shared/http/problem.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { auditEntry } from '../audit-content.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { idsByKey } from '../collections/collection-keys.ts';
import { Entry, EntryPath } from '../entries/contract.ts';
import { writeContext } from '../entries/write-context.ts';
import { Clearance } from '../publish-hooks/clearance.ts';
import type { PublishHooks } from '../publish-hooks/publish-hooks.ts';
import { Batch, BatchResults, EntryDuplicate, EntryUpsert, UniqueValuePath } from './contract.ts';
import { duplicateEntry } from './duplicate-entry.ts';
import { expectedVersion, withEntryTag } from './expected-version.ts';
import { readKey } from './find-by-key.ts';
import type { Operation } from './operation.ts';
import { retryTaken } from './retry-taken.ts';
import { rolledBack } from './rolled-back.ts';
import { type OperationResult, runOperations } from './run-operations.ts';

const about = { tags: ['Entries'], security: [{ token: [] }], 'x-idempotency-key': true as const };
const write = { access: 'secret', rate: 'write', isJsonKept: true } as const;

const UpsertedEntry = Type.Object({
  ...Entry.properties,
  created: Type.Boolean({ description: 'Whether the entry is new' }),
});

/** Entries are created, changed and deleted together, by their unique values, and as copies. */
export function writeRoutes(app: App, deps: Deps, cache: CollectionCache, hooks: PublishHooks): void {
  const { db, clock, config } = deps;

  /** Runs operations and audits them, in a transaction that is repeated if another one takes a value in between. */
  const run = <Result>(
    request: FastifyRequest,
    operationsOf: (tx: Tx) => Promise<Operation[]>,
    resultOf: (results: OperationResult[]) => Result,
  ) =>
    hooks.cleared((clearance) =>
      retryTaken(() =>
        idempotently(db, request, request.caller.accountId, async (tx) => {
          const operations = await operationsOf(tx);
          const context = writeContext(request, deps, cache.of(request.caller), clearance);
          const results = await runOperations(tx, context, operations);
          for (const { entry, before } of results) await auditEntry(tx, request, before, entry, clock());
          return resultOf(results);
        }),
      ),
    );

  const { post, put } = routesOf(app, about);
  put('/v1/cms/collections/:collectionId/entries/by/:fieldId/:value', {
    config: write,
    operationId: 'upsertEntry',
    'x-etag': 'version',
    summary: 'Create or update an entry by a unique value',
    description:
      'Updates the entry that has the value, or creates one that does. Of concurrent requests, one creates the entry and ' +
      'the others update it. With `If-Match`, only the version that it names is updated, and nothing created.',
    params: UniqueValuePath,
    body: EntryUpsert,
    returns: UpsertedEntry,
    handle: async (request, reply) => {
      const { collectionId: collection, fieldId, value } = request.params;
      const { accountId } = request.caller;
      await cache
        .of(request.caller)
        .use(db, accountId, collection, async (found) => readKey(found, fieldId, value, ''));
      const { values } = request.body;
      const version = expectedVersion(request, undefined);
      const at = { pointer: '', valuesPointer: '/values', ...(version !== undefined && { version }) };
      const upserted = await run(
        request,
        async () => [{ op: 'upsert', collection, by: { [fieldId]: value }, values, ...at }],
        ([first]) => first && { ...first.entry, created: first.created },
      );
      if (!upserted) throw new Error('an operation has a result');
      return withEntryTag(reply, upserted);
    },
  });

  post('/v1/cms/collections/:collectionId/entries/:entryId/duplicate', {
    config: write,
    operationId: 'duplicateEntry',
    'x-etag': 'version',
    summary: 'Duplicate an entry',
    description:
      'Creates an entry with the current values. Values of unique fields are left out, and slugs are generated anew.',
    params: EntryPath,
    body: EntryDuplicate,
    returns: Entry,
    handle: async (request, reply) => {
      const copy = () =>
        idempotently(db, request, request.caller.accountId, async (tx) => {
          const context = writeContext(request, deps, cache.of(request.caller));
          const created = await duplicateEntry(tx, context, request.params, request.body.values);
          await auditEntry(tx, request, undefined, created, clock());
          return created;
        });
      return withEntryTag(reply, await copy());
    },
  });

  app.post(
    '/v1/cms/batch',
    {
      config: write,
      bodyLimit: config.limits.conversionBodyBytes,
      schema: {
        ...about,
        operationId: 'batchEntries',
        summary: 'Change entries together',
        description:
          'Runs operations on entries of any collections in order, all of them or none. An operation can name the entry of ' +
          'an earlier one by `@` and its `ref`. Faults name their operation, such as `/operations/3/values/title`.',
        body: Batch,
        response: withErrors(BatchResults),
      },
    },
    async (request) => {
      const { operations, dryRun = false } = request.body;
      const { accountId } = request.caller;
      const operationsOf = async (tx: Tx) => {
        const ids = await idsByKey(
          tx,
          accountId,
          operations.map(({ collection }) => collection),
        );
        return operations.map((operation, i): Operation => {
          const pointer = `/operations/${i}`;
          const collection = ids.get(operation.collection) ?? operation.collection;
          return { ...operation, collection, pointer, valuesPointer: `${pointer}/values` };
        });
      };
      const resultOf = (results: OperationResult[]) => ({
        results: results.map(({ entry, created }) => ({
          id: dryRun && created ? null : entry.id,
          version: entry.version,
        })),
      });
      if (!dryRun) return run(request, operationsOf, resultOf);
      return rolledBack((check) =>
        db.transaction(async (tx) => {
          check(
            resultOf(
              await runOperations(
                tx,
                // Hooks are not asked about what is rolled back.
                writeContext(request, deps, cache.of(request.caller), new Clearance(true)),
                await operationsOf(tx),
              ),
            ),
          );
        }),
      );
    },
  );
}
