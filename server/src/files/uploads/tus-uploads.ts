import type { IncomingMessage } from 'node:http';
import type { Server } from '@tus/server';
import { ERRORS, type Upload } from '@tus/utils';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, badRequest, notFound } from '../../shared/errors.ts';
import { problemBody } from '../../shared/http/problem.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { runAs } from '../../shared/postgres/work.ts';
import type { AssetValue } from '../contract.ts';
import type { FileDeps } from '../file-deps.ts';
import { serializeAssetValue } from '../library/asset-response.ts';
import { auditFile } from '../library/audit-file.ts';
import { type AssetRow, findAssetRows } from '../library/queries.ts';
import { LIMITS } from '../limits.ts';
import { openTusStore } from './open-tus-store.ts';
import { placementOf } from './placement.ts';
import type { SentFile } from './receive-file.ts';
import { receiveUpload } from './receive-upload.ts';
import { type Commit, storeFile } from './store-file.ts';
import type { TusStore } from './tus-store.ts';
import { findTokenIds, findUploadGrant, tokenUsed, useUploadToken } from './upload-tokens.ts';

export const TUS_PATH = '/files/tus';

const VERSION = '1.0.0';
const VERSION_HEADERS = { 'tus-resumable': VERSION, 'tus-version': VERSION };

/** The shape in which the library passes Node's request. */
interface NodeRequest {
  runtime?: { node?: { req?: IncomingMessage } };
}

/**
 * Resumable uploads by the tus protocol (https://tus.io). The id of an upload is that of the asset it becomes: a client
 * that lost the last response gets the asset with `GET /v1/files/<id>`.
 */
export class TusUploads {
  readonly #deps: FileDeps;
  readonly #store: TusStore;
  #server: Promise<Server> | undefined;
  readonly #requests = new WeakMap<IncomingMessage, FastifyRequest>();
  /** Uploads that are being created. */
  readonly #starting = new Map<FastifyRequest, string>();
  readonly #finishing = new Map<string, Promise<AssetValue>>();

  constructor(deps: FileDeps) {
    this.#deps = deps;
    this.#store = openTusStore(deps.storage, deps.clock);
  }

  get #maxBytes(): number {
    return Math.max(this.#deps.config.limits.videoBytes, this.#deps.config.limits.fileBytes);
  }

  /** What OPTIONS tells a client. */
  get capabilities(): Record<string, string> {
    const extensions = this.#store.extensions.join(',');
    return { ...VERSION_HEADERS, 'tus-extension': extensions, 'tus-max-size': String(this.#maxBytes) };
  }

  /** The library is loaded with the first request, since most services get none. */
  async #loadServer(): Promise<Server> {
    const { TusServer } = await import('./tus-server.ts');
    const deps = this.#deps;
    const requestOf = (request: unknown) => {
      const raw = (request as NodeRequest).runtime?.node?.req;
      const known = raw && this.#requests.get(raw);
      if (!known) throw new Error('the tus library passed an unknown request');
      return known;
    };
    return new TusServer({
      path: TUS_PATH,
      datastore: this.#store,
      maxSize: (request) => Math.min(this.#maxBytes, requestOf(request).uploadGrant?.max_bytes ?? this.#maxBytes),
      allowedOrigins: [],
      namingFunction: (request) => {
        const { caller, uploadGrant } = requestOf(request);
        return `${caller.accountId}.${uploadGrant?.id ?? newUuid(deps.clock())}`;
      },
      generateUrl: (request, { id }) => relativeUrl(requestOf(request).url, publicId('ast', id.slice(37))),
      getFileIdFromRequest: (request, last) => {
        const uuid = parseId('ast', last ?? '');
        return uuid && `${requestOf(request).caller.accountId}.${uuid}`;
      },
      onUploadCreate: async (request, upload) => {
        // An upload token has one upload: another one takes its place.
        if (requestOf(request).uploadGrant) await this.#discard(upload.id);
        else await this.#checkNumber(requestOf(request), upload.id);
        return {};
      },
      onUploadFinish: async (request, upload) => {
        try {
          const asset = await this.#finish(requestOf(request), upload);
          // Only a response with 201 gets the URL of the upload, which a client needs that sent the file with its creation.
          const status_code = request.method === 'POST' ? 201 : 200;
          return { status_code, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(asset) };
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          throw { status_code: error.status, body: JSON.stringify(problemBody(error, requestOf(request).id)) };
        }
      },
    });
  }

  deleteExpired(): Promise<number> {
    return this.#store.deleteExpired();
  }

  /** Deletes what was received of an upload, if there is one. */
  discard(accountId: string, uuid: string): Promise<void> {
    return this.#discard(`${accountId}.${uuid}`);
  }

  async #discard(id: string): Promise<void> {
    await this.#store.remove(id).catch((error: unknown) => {
      if (error !== ERRORS.FILE_NOT_FOUND) throw error;
    });
  }

  /** Handles a request whose body has not been read. @throws ApiError 404, 400 if the file is refused */
  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id?: string };
    const { uploadGrant: grant } = request;
    if (request.headers['tus-resumable'] !== VERSION) {
      const detail = `Send Tus-Resumable: ${VERSION}, the version of the protocol.\n`;
      return reply.code(412).headers(VERSION_HEADERS).type('text/plain; charset=utf-8').send(detail);
    }
    if (grant && id !== undefined && parseId('ast', id) !== grant.id) throw notFound('upload');
    if (grant?.isUsed && id === undefined) throw tokenUsed();
    if (id !== undefined) await this.#finishIfComplete(request, id);
    this.#server ??= this.#loadServer();
    const server = await this.#server;
    this.#requests.set(request.raw, request);
    // The library writes to the socket's response, without the headers that every response has.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    await server.handle(request.raw, reply.raw).finally(() => this.#starting.delete(request));
  }

  /** A complete upload whose process died before its asset was stored is finished by the next HEAD. */
  async #finishIfComplete(request: FastifyRequest, assetId: string): Promise<void> {
    const { accountId } = request.caller;
    const uuid = parseId('ast', assetId);
    if (uuid === undefined) throw notFound('upload');
    if (request.method !== 'HEAD') return;
    const upload = await this.#store.getUpload(`${accountId}.${uuid}`).catch(() => undefined);
    if (upload && upload.offset === upload.size) await this.#finish(request, upload);
  }

  /** Those whose creation is under way count, too. @throws what the library sends */
  async #checkNumber(request: FastifyRequest, id: string): Promise<void> {
    const { accountId } = request.caller;
    this.#starting.set(request, id);
    const stored = await this.#store.unfinished(accountId);
    const starting = [...this.#starting.values()].filter((each) => each.startsWith(accountId));
    const all = new Set([...stored, ...starting]);
    if (all.size <= LIMITS.unfinishedUploads) return;
    // Upload tokens have a limit of their own.
    const ids = [...all].map((each) => each.slice(37));
    const byToken = await findTokenIds(this.#deps.db, { account_id: accountId, ids });
    if (all.size - byToken.length <= LIMITS.unfinishedUploads) return;
    const detail = `An account has at most ${LIMITS.unfinishedUploads} unfinished uploads. Finish or cancel some; each ends after a day.`;
    const error = badRequest('too_many_uploads', detail);
    throw { status_code: error.status, body: JSON.stringify(problemBody(error, request.id)) };
  }

  #finish(request: FastifyRequest, { id, metadata }: Upload): Promise<AssetValue> {
    const sent = { name: metadata?.filename ?? metadata?.name ?? '', mediaType: metadata?.filetype ?? '' };
    const running =
      this.#finishing.get(id) ??
      runAs(undefined, () => this.#storeAsset(request, id, sent, metadata ?? {})).finally(() =>
        this.#finishing.delete(id),
      );
    this.#finishing.set(id, running);
    return running;
  }

  async #storeAsset(
    request: FastifyRequest,
    uploadId: string,
    sent: SentFile,
    metadata: Record<string, string | null>,
  ): Promise<AssetValue> {
    const { db, clock } = this.#deps;
    const [accountId, id] = [uploadId.slice(0, 36), uploadId.slice(37)];
    const existing = await this.#findAsset(uploadId);
    if (existing) return existing;
    // What the token says holds whoever completes its upload.
    const grant = request.uploadGrant ?? (await findUploadGrant(db, accountId, id));
    try {
      let removed: string[] | undefined;
      const store: Parameters<typeof receiveUpload<AssetRow>>[2] = async (receive) => {
        const { file, name } = await receive(this.#store.read(uploadId), sent);
        removed = file.removed;
        const commit: Commit<AssetRow> = (insert) =>
          db.transaction(async (tx) => {
            if (grant) await useUploadToken(tx, accountId, grant, clock());
            const inserted = await insert(tx);
            await auditFile(tx, request, 'uploaded', { after: inserted }, clock());
            return inserted;
          });
        return storeFile(this.#deps, accountId, id, name, file, commit, grant?.placement ?? placementOf(metadata));
      };
      const row = await receiveUpload(this.#deps, accountId, store, grant);
      await this.#store.finish(uploadId);
      return { ...serializeAssetValue(row, this.#deps.publicUrl()), ...(removed && { removed }) };
    } catch (error) {
      const stored = await this.#findAsset(uploadId);
      if (stored) return stored;
      // Retrying a refused file would refuse it again.
      if (error instanceof ApiError && error.status === 400) await this.#store.remove(uploadId);
      throw error;
    }
  }

  /** The asset that an upload became, maybe just now in another process. */
  async #findAsset(uploadId: string): Promise<AssetValue | undefined> {
    const [accountId, id] = [uploadId.slice(0, 36), uploadId.slice(37)];
    const [row] = await findAssetRows(this.#deps.db, { account_id: accountId, ids: [id] });
    if (!row) return undefined;
    await this.#store.finish(uploadId);
    return serializeAssetValue(row, this.#deps.publicUrl());
  }
}

/**
 * The URL of an upload as a proxy leaves it: relative to that of the request, which ends in `tus` or `tus/` wherever the proxy has it.
 */
function relativeUrl(requestUrl: string, id: string): string {
  const path = requestUrl.split('?', 1)[0] ?? '';
  return path.endsWith('/') ? id : `${path.slice(path.lastIndexOf('/') + 1)}/${id}`;
}
