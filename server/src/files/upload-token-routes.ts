import type { onRequestHookHandler } from 'fastify';
import { authorOf } from '../shared/audit.ts';
import { onceWithSecret } from '../shared/http/idempotency.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { NewUploadToken, UploadToken } from './contract.ts';
import type { FileDeps } from './file-deps.ts';
import { createUploadToken, sentUploadToken } from './uploads/upload-tokens.ts';

const EXPOSED =
  'location, retry-after, tus-extension, tus-max-size, tus-resumable, tus-version, upload-defer-length, upload-expires, upload-length, ' +
  'upload-metadata, upload-offset, x-request-id';
const ALLOWED =
  'authorization, content-type, idempotency-key, tus-resumable, upload-defer-length, upload-length, upload-metadata, upload-offset, ' +
  'x-api-key, x-http-method-override, x-request-id, x-requested-with';

/** What a browser asks before it sends a file to another site. */
export const uploadPreflight = (methods: string) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods,
  'access-control-allow-headers': ALLOWED,
  'access-control-expose-headers': EXPOSED,
  'access-control-max-age': '86400',
});

/** Lets pages read the responses to requests with an upload token. To others they stay closed: a secret token does not belong in a page. */
export const openToUploadTokens: onRequestHookHandler = (request, reply, next) => {
  if (sentUploadToken(request) !== undefined) {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
  }
  next();
};

/** Upload tokens, with which browsers upload. */
export function uploadTokenRoutes(app: App, { db, clock, publicUrl }: FileDeps): void {
  const { post } = routesOf(app, { tags: ['Files'], security: [{ token: [] }] });
  post('/v1/files/upload-tokens', {
    config: { access: 'secret', rate: 'write' },
    'x-idempotency-key': true,
    operationId: 'createUploadToken',
    summary: 'Create an upload token for a browser',
    description:
      'Lets whoever has the token upload one file, by `POST /v1/files/upload` or by tus, and nothing else: within its limits, from pages ' +
      'of `origin`, until it expires, or the API key or member that created it loses access. The ID of the file is known at once. Error codes: `folder_unknown`, `origin_invalid`, `too_many`. ' +
      'With the token, uploads are refused with `upload_token_expired`, `upload_token_used`, `origin_not_allowed` (401), ' +
      '`file_too_large` or `file_type_not_allowed`.',
    body: NewUploadToken,
    returns: UploadToken,
    handle: async (request) => {
      const author = authorOf(request);
      return onceWithSecret(db, request, author.accountId, (tx) =>
        createUploadToken(tx, author, request.body, clock(), publicUrl()),
      );
    },
  });
}
