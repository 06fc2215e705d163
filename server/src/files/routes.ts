import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { fileAnswer } from './asset-url.ts';
import { auditFile } from './audit-file.ts';
import { changeFile } from './change-file.ts';
import { CLEAR_UNUSED } from './clear-unused.ts';
import {
  AssetValue,
  AssetWithUses,
  ClearUnused,
  DeletedFile,
  DeleteQuery,
  FileChange,
  FilePage,
  FilePath,
  FilesQuery,
  StoredAsset,
} from './contract.ts';
import { deleteFile } from './delete-file.ts';
import { fileDelivery } from './deliver-file.ts';
import { getFile } from './get-file.ts';
import type { KnownFiles } from './known-files.ts';
import { listFiles } from './list-files.ts';
import { replaceFile } from './replace-file.ts';
import type { Storage } from './storage.ts';
import { TUS_PATH, type TusUploads } from './tus-uploads.ts';
import { uploadFile } from './upload-file.ts';
import type { Variants } from './variants.ts';

const REFUSED =
  '`file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, ' +
  '`multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported` or `request_timeout`';

/** Uploads, in a scope of their own: there, and nowhere else, a body is multipart/form-data and left unread. */
export function uploadRoutes(app: App, deps: Deps, storage: Storage, files: KnownFiles, idleMs: number): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    const config = { access: 'secret', rate: 'upload', streams: true } as const;
    const about = {
      'x-idempotency-key': true as const,
      tags: ['Files'],
      security: [{ token: [] }],
      consumes: ['multipart/form-data'],
      body: Type.Object({
        file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The file' }),
      }),
    };
    // The body's schema is for the description: the body is read as a stream.
    const validatorCompiler = () => () => true;
    scope.post(
      '/v1/files/upload',
      {
        config,
        schema: {
          ...about,
          operationId: 'uploadFile',
          summary: 'Upload an image or a video',
          description:
            'Takes JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV and WebM, told by their bytes; see `GET /v1/limits` for how large. ' +
            'The first file part named `file` is stored, the rest is not read. With an `Idempotency-Key` the same file ' +
            `under the same name is stored once. Refused with ${REFUSED}.`,
          response: withErrors(AssetValue),
        },
        validatorCompiler,
      },
      async (request) => uploadFile(deps, storage, request, idleMs),
    );
    scope.post(
      '/v1/files/:assetId/replace',
      {
        config,
        schema: {
          ...about,
          operationId: 'replaceFile',
          summary: 'Give a file other bytes',
          description:
            'Takes what an upload takes. Entries go on naming the file, which answers a new address: every address stands for ' +
            'its bytes for ever. The address it had leads there by a redirect. Name, alternative text and focal point stay. An ' +
            `image stays an image and a video a video, else \`file_kind_changed\`. Refused also with ${REFUSED}.`,
          params: FilePath,
          response: withErrors(StoredAsset),
        },
        validatorCompiler,
      },
      async (request) => {
        const { assetId } = request.params as { assetId: string };
        return replaceFile(deps, storage, files, request, assetId, idleMs);
      },
    );
  });
}

const token = [{ token: [] }];
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;
const UNUSED_FOR_DAYS = 30;

/** The list of files, and what can be done with one. */
export function fileRoutes(app: App, deps: Deps, storage: Storage, files: KnownFiles): void {
  const { db, pageTokens, clock, publicUrl } = deps;
  const about = { tags: ['Files'], security: token };

  app.get(
    '/v1/files',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listFiles',
        summary: 'List files',
        description: 'The newest first.',
        querystring: FilesQuery,
        response: withErrors(FilePage),
      },
    },
    async ({ caller, query }) => listFiles(db, pageTokens, caller.accountId, query, publicUrl()),
  );

  app.get(
    '/v1/files/:assetId',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getFile',
        summary: 'Get a file, and where it is used',
        params: FilePath,
        response: withErrors(AssetWithUses),
      },
    },
    async ({ caller, params, method }) => getFile(db, caller.accountId, idOf(params, method), publicUrl()),
  );

  app.patch(
    '/v1/files/:assetId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'updateFile',
        summary: 'Change the name, alternative text or focal point of a file',
        description: 'Changes what is sent. The old address stays good: its last part is for people alone.',
        params: FilePath,
        body: FileChange,
        response: withErrors(StoredAsset),
      },
    },
    async (request) => {
      const assetId = idOf(request.params, request.method);
      const after = await db.transaction(async (tx) => {
        const changed = await changeFile(tx, request.caller.accountId, assetId, request.body, clock());
        await auditFile(tx, request, 'changed', changed, clock());
        return changed.after;
      });
      files.forget(after);
      return fileAnswer(after, publicUrl());
    },
  );

  app.delete(
    '/v1/files/:assetId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'deleteFile',
        summary: 'Delete a file',
        description:
          'For good. Refused with `file_in_use` while an active entry names it, unless `force=true`: then the entry ' +
          'has no value there any more.',
        params: FilePath,
        querystring: DeleteQuery,
        response: withErrors(DeletedFile),
      },
    },
    async (request) => {
      const assetId = idOf(request.params, request.method);
      files.forget(await deleteFile(deps, storage, request, assetId, request.query.force ?? false));
      return { assetId, deleted: true };
    },
  );

  app.post(
    '/v1/files/clear-unused',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'clearUnusedFiles',
        summary: 'Delete the files that no entry has named for some days',
        description:
          'Starts a job; its `result` is `{files, bytes}`. `GET /v1/files?unused=true` lists what it may delete. A ' +
          'deleted entry still names its files, for it can be restored.',
        body: ClearUnused,
        response: withErrors(Job),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { unusedForDays = UNUSED_FOR_DAYS } = request.body;
      return idempotently(db, request, accountId, async (tx) => {
        const job = await enqueueJob(deps, tx, accountId, CLEAR_UNUSED, { unusedForDays });
        const change = { action: 'unused_files.deleted', subject: ['job', job.id] as const, after: { unusedForDays } };
        await audit(tx, authorOf(request), change, clock());
        return job;
      });
    },
  );
}

/** The id in the path, where the router did not take one of the fixed paths beside it for an id. */
function idOf({ assetId }: { assetId: string }, method: string): string {
  if (assetId !== 'upload' && assetId !== 'clear-unused') return assetId;
  throw new ApiError(405, 'method_not_allowed', `${method} is not possible here.`, { headers: { allow: 'POST' } });
}

/**
 * Uploads by tus, outside of /v1: the protocol has statuses of its own (201, 204, 409, 410, 412, 413). Their bodies are left
 * unread, whatever their type.
 */
export function tusRoutes(app: App, tus: TusUploads): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const config = { access: 'secret', streams: true } as const;
    const handler = (request: FastifyRequest, reply: FastifyReply) => tus.handle(request, reply);
    const schema = { hide: true };
    scope.route({ method: 'POST', url: TUS_PATH, config: { ...config, rate: 'upload' }, schema, handler });
    const methods = ['HEAD' as const, 'PATCH' as const, 'DELETE' as const];
    scope.route({ method: methods, url: `${TUS_PATH}/:id`, config: { ...config, rate: 'write' }, schema, handler });
  });
}

/** The files themselves, for anybody who has the address. The last part is for people; the key alone counts. */
export function deliveryRoute(app: App, deps: Deps, storage: Storage, files: KnownFiles, variants: Variants): void {
  app.route<{ Params: { key: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: '/files/:key/:name',
    config: { access: 'open' },
    schema: { hide: true },
    handler: fileDelivery(deps, storage, files, variants),
  });
}
