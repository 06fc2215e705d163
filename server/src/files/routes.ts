import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import { ApiError } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { validatorCompilerExceptBody } from '../shared/http/validate.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
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
  FileTags,
  StoredAsset,
  UploadFromUrl,
} from './contract.ts';
import { fileDelivery } from './delivery/deliver-file.ts';
import type { FileDeps } from './file-deps.ts';
import { decodeFileKey, serializeFile } from './library/asset-response.ts';
import { auditFile } from './library/audit-file.ts';
import { CLEAR_UNUSED } from './library/clear-unused.ts';
import { deleteFile } from './library/delete-file.ts';
import { getFile } from './library/get-file.ts';
import { listFiles } from './library/list-files.ts';
import { countTags } from './library/queries.ts';
import { updateFile } from './library/update-file.ts';
import type { Posters } from './posters/posters.ts';
import { openToUploadTokens, uploadPreflight } from './upload-token-routes.ts';
import { replaceFile } from './uploads/replace-file.ts';
import { TUS_PATH, type TusUploads } from './uploads/tus-uploads.ts';
import { uploadFile } from './uploads/upload-file.ts';
import { uploadFromUrl } from './uploads/upload-from-url.ts';
import type { Variants } from './variants/variants.ts';

const REFUSALS =
  '`file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, ' +
  '`multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported`, `request_timeout`';

/** Uploads, in their own scope: only there is a body multipart/form-data, and streamed instead of parsed. */
export function uploadRoutes(app: App, deps: FileDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    scope.addHook('onRequest', openToUploadTokens);
    const config = { access: 'secret', rate: 'upload', streams: true } as const;
    const about = {
      'x-idempotency-key': true as const,
      tags: ['Files'],
      security: [{ token: [] }],
      consumes: ['multipart/form-data'],
      body: Type.Object({
        file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The file' }),
        folderId: Type.Optional(Type.String()),
        private: Type.Optional(Type.Boolean({ description: 'Whether its URL is signed and expires' })),
      }),
    };
    // The body's schema only documents it: the body is read as a stream.
    const validatorCompiler = validatorCompilerExceptBody;
    scope.options('/v1/files/upload', { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
      reply.headers(uploadPreflight('POST')).send('');
    });
    scope.post(
      '/v1/files/upload',
      {
        config: { ...config, allowsUploadToken: true },
        schema: {
          ...about,
          security: [{ token: [] }, { uploadToken: [] }] as Record<string, string[]>[],
          operationId: 'uploadFile',
          summary: 'Upload a file',
          description:
            'Accepts JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV and WebM, detected from the content, and any other type as ' +
            '`file`. `GET /v1/limits` returns the size limits. Stores the first file part named `file`. With an ' +
            '`Idempotency-Key`, retrying the same file under the same name stores it once. Browsers send an upload token ' +
            '(`POST /v1/files/upload-tokens`), which decides about `folderId` and `private`. ' +
            `Error codes: ${REFUSALS}.`,
          response: withErrors(AssetValue),
        },
        validatorCompiler,
      },
      async (request) => uploadFile(deps, request),
    );
    scope.post(
      '/v1/files/:assetId/replace',
      {
        config,
        schema: {
          ...about,
          operationId: 'replaceFile',
          summary: 'Replace the content of a file',
          description:
            'Accepts the same body as an upload. Entries keep using the file, which gets a new URL, because the content of ' +
            'a URL never changes; the previous URL redirects to it. Name, alt text and focal point stay. An image can ' +
            `only be replaced by an image, a video by a video and another file by such a file (\`file_type_changed\`). Error codes: ${REFUSALS}.`,
          params: FilePath,
          response: withErrors(StoredAsset),
        },
        validatorCompiler,
      },
      async (request) => replaceFile(deps, request, (request.params as { assetId: string }).assetId),
    );
  });
}

/** Uploads whose content the service fetches. */
export function fetchRoutes(app: App, deps: FileDeps): void {
  const mayConnect = connectPolicy(deps.config.webhookAllowCidrs);
  const { post } = routesOf(app);
  post('/v1/files/upload-from-url', {
    config: { access: 'secret', rate: 'upload', takesLong: true },
    'x-idempotency-key': true,
    tags: ['Files'],
    security: [{ token: [] }],
    operationId: 'uploadFileFromUrl',
    summary: 'Upload a file from a URL',
    description:
      'Fetches the file and stores it as if it had been uploaded. Only public addresses are fetched, as for webhooks, ' +
      'and the same holds for redirects. Error codes: `url_invalid`, `url_credentials`, `url_not_public`, ' +
      `\`url_fetch_failed\`, \`folder_unknown\`, ${REFUSALS}.`,
    body: UploadFromUrl,
    returns: AssetValue,
    handle: async (request, reply) => uploadFromUrl(deps, mayConnect, request, reply, request.body),
  });
}

const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;
const DEFAULT_UNUSED_DAYS = 30;

export function fileRoutes(app: App, deps: FileDeps): void {
  const { db, clock, publicUrl, delivered, readableUses } = deps;
  const about = { tags: ['Files'], security: [{ token: [] }] };

  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/files', {
    config: read,
    operationId: 'listFiles',
    summary: 'List files',
    description: 'Newest first.',
    querystring: FilesQuery,
    returns: FilePage,
    handle: async ({ caller, query }) => listFiles(deps, caller.accountId, query),
  });

  get('/v1/files/tags', {
    config: read,
    operationId: 'listFileTags',
    summary: 'List the tags of files',
    description: 'Each with the number of files that have it, by name; at most 500. Files in the trash do not count.',
    returns: FileTags,
    handle: async ({ caller }) => ({ tags: await countTags(db, { account_id: caller.accountId, max: 500 }) }),
  });

  get('/v1/files/:assetId', {
    config: read,
    operationId: 'getFile',
    summary: 'Get a file and the entries that use it',
    description: '`usedBy` has up to 100 of these entries, `usedByCount` is their number.',
    params: FilePath,
    returns: AssetWithUses,
    handle: async ({ caller, params, method }) =>
      getFile(db, caller.accountId, assetIdOf(params, method), publicUrl(), (uses) => readableUses(caller, uses)),
  });

  patch('/v1/files/:assetId', {
    config: write,
    operationId: 'updateFile',
    summary: 'Update the name, alt text, focal point or tags of a file, move it to the trash or restore it',
    description:
      'Changes only the given members. Previous URLs keep working: the name in a URL is only for people. With ' +
      '`"status": "deleted"` the file moves to the trash, from where `"active"` restores it; entries keep it until it is ' +
      'deleted permanently.',
    params: FilePath,
    body: FileChange,
    returns: StoredAsset,
    handle: async (request) => {
      const assetId = assetIdOf(request.params, request.method);
      const after = await db.transaction(async (tx) => {
        const change = await updateFile(tx, request.caller.accountId, assetId, request.body, clock());
        await auditFile(tx, request, 'changed', change, clock());
        return change.after;
      });
      delivered.invalidate(after);
      return serializeFile(after, publicUrl());
    },
  });

  remove('/v1/files/:assetId', {
    config: write,
    operationId: 'deleteFile',
    summary: 'Delete a file permanently',
    description:
      'Fails with `file_in_use` while an active entry uses the file, unless `force=true`: then the entry loses the value.',
    params: FilePath,
    querystring: DeleteQuery,
    returns: DeletedFile,
    handle: async (request) => {
      const assetId = assetIdOf(request.params, request.method);
      delivered.invalidate(await deleteFile(deps, request, assetId, request.query.force ?? false));
      return { assetId, deleted: true };
    },
  });

  post('/v1/files/clear-unused', {
    config: write,
    'x-idempotency-key': true,
    operationId: 'clearUnusedFiles',
    summary: 'Delete unused files',
    description:
      'Starts a job that deletes the files that no entry has used for some days; its `result` is `{files, bytes}`. ' +
      '`GET /v1/files?unused=true` lists the candidates. Deleted entries count as using their files, because they can ' +
      'be restored.',
    body: ClearUnused,
    returns: Job,
    handle: async (request) => {
      const { accountId } = request.caller;
      const { unusedForDays = DEFAULT_UNUSED_DAYS } = request.body;
      return idempotently(db, request, accountId, async (tx) => {
        const job = await enqueueJob(deps, tx, accountId, CLEAR_UNUSED, { unusedForDays }, authorOf(request));
        const change = { action: 'unused_files.deleted', subject: ['job', job.id] as const, after: { unusedForDays } };
        await audit(tx, authorOf(request), change, clock());
        return job;
      });
    },
  });
}

/** The id in the path. The fixed paths beside it support only POST. */
function assetIdOf({ assetId }: { assetId: string }, method: string): string {
  const allow = {
    upload: 'POST',
    'upload-from-url': 'POST',
    'upload-tokens': 'POST',
    'clear-unused': 'POST',
    tags: 'GET',
  }[assetId];
  if (allow === undefined) return assetId;
  const detail = `${method} is not supported here. Use ${allow}.`;
  throw new ApiError(405, 'method_not_allowed', detail, { headers: { allow } });
}

/** Tus is outside of /v1 because the protocol has its own statuses (201, 204, 409, 410, 412, 413). Bodies are streamed. */
export function tusRoutes(app: App, tus: TusUploads): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.addHook('onRequest', openToUploadTokens);
    const config = { access: 'secret', streams: true, allowsUploadToken: true } as const;
    const handler = (request: FastifyRequest, reply: FastifyReply) => tus.handle(request, reply);
    const schema = { hide: true };
    scope.route({ method: 'POST', url: TUS_PATH, config: { ...config, rate: 'upload' }, schema, handler });
    const methods = ['HEAD' as const, 'PATCH' as const, 'DELETE' as const];
    const upload = { url: `${TUS_PATH}/:id`, config: { ...config, rate: 'write' }, schema } as const;
    scope.route({ ...upload, method: methods, handler });
    // For networks that let no other methods through.
    scope.route({
      ...upload,
      method: 'POST',
      handler: (request, reply) => {
        const named = String(request.headers['x-http-method-override'] ?? '').toUpperCase();
        const method = methods.find((each) => each === named);
        if (method === undefined) {
          const headers = { allow: [...methods, 'OPTIONS', 'POST'].join(', ') };
          const detail = 'A POST to an upload names HEAD, PATCH or DELETE in X-HTTP-Method-Override.';
          throw new ApiError(405, 'method_not_allowed', detail, { headers });
        }
        request.raw.method = method;
        return handler(request, reply);
      },
    });
    for (const url of [TUS_PATH, upload.url]) {
      scope.options(url, { config: { access: 'open' }, schema }, (_request, reply) => {
        reply.code(204).headers(tus.capabilities).headers(uploadPreflight('POST, HEAD, PATCH, DELETE')).send();
      });
    }
  });
}

/** The files themselves, public to anybody who has the URL. */
export function deliveryRoute(app: App, deps: FileDeps, variants: Variants, posters: Posters): void {
  app.route<{ Params: { key: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: '/files/:key/:name',
    config: { access: 'open', accountOf: ({ params }) => decodeFileKey((params as { key: string }).key)?.account_id },
    schema: { hide: true },
    handler: fileDelivery(deps, variants, posters),
  });
}
