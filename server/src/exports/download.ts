import { extname } from 'node:path';
import { MissingBlob, type Storage } from '../files/index.ts';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { parseByteRange } from '../shared/http/byte-range.ts';
import type { App } from '../shared/http/server.ts';
import { DOWNLOADS, isGoodLink } from '../shared/signed-link.ts';
import { exportKey } from './export-files.ts';
import { FORMATS, type FormatName } from './formats/index.ts';

/** Headers of every download: it is saved under its name, never rendered, and not kept by shared caches. */
export function downloadHeaders(file: string, contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${file}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=0',
  };
}

/** Serves finished exports to anyone with a signed URL. */
export function downloadRoute(app: App, deps: Deps, storage: Storage): void {
  app.route<{ Params: { file: string }; Querystring: { expires?: unknown; signature?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: `${DOWNLOADS}/:file`,
    config: { access: 'open', streams: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { file } = request.params;
      if (!isGoodLink(deps, `${DOWNLOADS}/${file}`, request.query)) throw notFound('download');
      const key = exportKey(file);
      const size = await storage.size(key);
      if (size === undefined) throw notFound('download');
      // The file behind a name never changes.
      const etag = `"${file}"`;
      const isCurrent = [undefined, etag].includes(request.headers['if-range'] as string | undefined);
      // HTTP defines ranges for GET only.
      const range = isCurrent && request.method === 'GET' ? parseByteRange(request.headers.range, size) : undefined;
      const { contentType } = FORMATS[extname(file).slice(1) as FormatName];
      reply.headers({ ...downloadHeaders(file, contentType), 'accept-ranges': 'bytes', etag });
      if (range === 'unsatisfiable') {
        return reply.code(416).header('content-range', `bytes */${size}`).send();
      }
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
      const { start, end } = range ?? { start: 0, end: size - 1 };
      reply.header('content-length', end - start + 1);
      if (request.method === 'HEAD' || size === 0) return reply.send();
      return reply.send(await storage.read(key, start, end).catch(missingAs404));
    },
  });
}

/** The export was deleted between two calls to the storage. */
function missingAs404(error: unknown): never {
  throw error instanceof MissingBlob ? notFound('download') : error;
}
