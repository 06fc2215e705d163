import { Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { AssetValue } from './contract.ts';
import { fileDelivery } from './deliver-file.ts';
import type { Storage } from './storage.ts';
import { uploadFile } from './upload-file.ts';

/** The upload, in a scope of its own: there, and nowhere else, a body is multipart/form-data and left unread. */
export function uploadRoute(app: App, deps: Deps, storage: Storage, idleMs: number): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    scope.post(
      '/v1/files/upload',
      {
        config: { access: 'secret', rate: 'upload', streams: true },
        schema: {
          operationId: 'uploadFile',
          tags: ['Files'],
          summary: 'Upload an image or a video',
          description:
            'Takes JPEG, PNG, GIF, WebP, AVIF, MP4, MOV and WebM, told by their bytes; see `GET /v1/limits` for how large. ' +
            'The first file part named `file` is stored, the rest is not read. With an `Idempotency-Key` the same file ' +
            'under the same name is stored once. Refused with `file_missing`, `file_empty`, `file_type_unsupported`, ' +
            '`svg_unsupported`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, ' +
            '`too_many_parts`, `body_too_large`, `content_type_unsupported` or `request_timeout`.',
          security: [{ token: [] }],
          consumes: ['multipart/form-data'],
          body: Type.Object({
            file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The file' }),
          }),
          response: withErrors(AssetValue),
        },
        // The body's schema is for the description: the body is read as a stream.
        validatorCompiler: () => () => true,
      },
      async (request) => {
        if (request.headers['content-type'] === undefined) {
          throw badRequest('content_type_unsupported', 'A multipart/form-data body is needed.');
        }
        return uploadFile(deps, storage, request, idleMs);
      },
    );
  });
}

/** The files themselves, for anybody who has the address. The last part is for people; the key alone counts. */
export function deliveryRoute(app: App, deps: Deps, storage: Storage): void {
  app.route<{ Params: { key: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:key/:name',
    config: { access: 'open' },
    schema: { hide: true },
    handler: fileDelivery(deps, storage),
  });
}
