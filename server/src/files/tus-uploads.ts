import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Server } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { ApiError, notFound } from '../shared/errors.ts';
import { problemBody } from '../shared/http/problem.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import { type PeriodicWorker, periodically } from '../shared/periodic.ts';
import { assetValue } from './asset-url.ts';
import { auditFile } from './audit-file.ts';
import type { AssetValue } from './contract.ts';
import { examineFile } from './examine-file.ts';
import { cleanName, servedName } from './file-name.ts';
import { findAssetRows } from './queries.ts';
import { receiveFile } from './receive-file.ts';
import type { Storage } from './storage.ts';
import { storeFile } from './store-file.ts';
import { TusStore } from './tus-store.ts';
import { uploadFolder } from './uploads.ts';

export const TUS_PATH = '/files/tus';
const EXPIRE_MS = 24 * 3_600_000;
const CLEAR_EVERY_MS = 600_000;

interface NodeRequest {
  runtime?: { node?: { req?: IncomingMessage } };
}

/**
 * Uploads that can be broken off and go on, by the tus protocol (https://tus.io). The id of an upload is that of the
 * asset it becomes: who lost the last answer asks for `GET /v1/files/<id>`.
 */
export class TusUploads {
  readonly #deps: Deps;
  readonly #storage: Storage;
  readonly #store: TusStore;
  readonly #server: Server;
  readonly #requests = new WeakMap<IncomingMessage, FastifyRequest>();
  readonly #finishing = new Map<string, Promise<AssetValue>>();
  readonly worker: PeriodicWorker;

  constructor(deps: Deps, storage: Storage) {
    this.#deps = deps;
    this.#storage = storage;
    this.#store = new TusStore(storage.uploadsFolder, EXPIRE_MS, deps.clock);
    const requestOf = (request: unknown) => {
      const raw = (request as NodeRequest).runtime?.node?.req;
      const known = raw && this.#requests.get(raw);
      if (!known) throw new Error('a request of tus is not known');
      return known;
    };
    this.#server = new Server({
      path: TUS_PATH,
      datastore: this.#store,
      maxSize: deps.config.limits.videoBytes,
      namingFunction: (request) => `${requestOf(request).caller.accountId}.${newUuid(deps.clock())}`,
      generateUrl: (_request, { id }) => `${deps.publicUrl()}${TUS_PATH}/${publicId('ast', id.slice(37))}`,
      getFileIdFromRequest: (request, last) => {
        const uuid = parseId('ast', last ?? '');
        return uuid && `${requestOf(request).caller.accountId}.${uuid}`;
      },
      onUploadFinish: async (request, { id, metadata }) => {
        try {
          const asset = await this.#finish(requestOf(request), id, metadata?.filename ?? metadata?.name ?? '');
          return { status_code: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(asset) };
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          throw { status_code: error.status, body: JSON.stringify(problemBody(error, requestOf(request).id)) };
        }
      },
    });
    this.worker = periodically(CLEAR_EVERY_MS, 'to clear uploads that nobody finished', deps.log, () =>
      this.#store.deleteExpired(),
    );
  }

  /** Answers a request of the protocol, whose body nobody has read. @throws ApiError 404, 400 where the file is wrong */
  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id?: string };
    if (id !== undefined) await this.#checkFinished(request, id);
    this.#requests.set(request.raw, request);
    reply.raw.setHeader('x-request-id', request.id);
    reply.hijack();
    await this.#server.handle(request.raw, reply.raw);
  }

  /** One that arrived whole, with a process that died before its asset was made, is finished by whoever asks for it. */
  async #checkFinished(request: FastifyRequest, assetId: string): Promise<void> {
    const { accountId } = request.caller;
    const uuid = parseId('ast', assetId);
    if (uuid === undefined) throw notFound('upload');
    if (request.method !== 'HEAD') return;
    const upload = await this.#store.getUpload(`${accountId}.${uuid}`).catch(() => undefined);
    if (upload && upload.offset === upload.size)
      await this.#finish(request, upload.id, upload.metadata?.filename ?? '');
  }

  #finish(request: FastifyRequest, id: string, sentName: string): Promise<AssetValue> {
    const made = this.#finishing.get(id) ?? this.#make(request, id, sentName).finally(() => this.#finishing.delete(id));
    this.#finishing.set(id, made);
    return made;
  }

  async #make(request: FastifyRequest, uploadId: string, sentName: string): Promise<AssetValue> {
    const { db, config, clock, publicUrl } = this.#deps;
    const [accountId, id] = [uploadId.slice(0, 36), uploadId.slice(37)];
    const [known] = await findAssetRows(db, accountId, [id]);
    if (known) {
      await this.#store.finish(uploadId);
      return assetValue(known, publicUrl());
    }
    const folder = uploadFolder(this.#storage, accountId, id);
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'file');
      const received = await receiveFile(createReadStream(this.#store.path(uploadId)), path, config.limits);
      const file = await examineFile(path, received, config);
      const name = cleanName(sentName) || servedName(file.type, file.media_type);
      const row = await storeFile(this.#deps, this.#storage, accountId, id, name, file, (insert) =>
        db.transaction(async (tx) => {
          const made = await insert(tx);
          await auditFile(tx, request, 'uploaded', { after: made }, clock());
          return made;
        }),
      );
      await this.#store.finish(uploadId);
      return assetValue(row, publicUrl());
    } catch (error) {
      // What is wrong with it stays wrong.
      if (error instanceof ApiError && error.status === 400) await this.#store.remove(uploadId);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
