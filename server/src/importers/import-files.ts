import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { extname } from 'node:path';
import { type Client, isHeadwaterError } from '@headwater/sdk';
import type { Known } from './convert-values.ts';
import type { TargetCollection } from './import-collections.ts';
import type { ProgressLine } from './progress.ts';
import { isRefusal, reasonOf } from './refusals.ts';
import type { ImportReport } from './report.ts';
import type { Notes, SourceAsset, SourceCollection } from './source.ts';

/** Which file was made from what: files themselves have no place for it. */
export const FILES_COLLECTION: SourceCollection = {
  id: 'imported-files',
  name: 'Imported files',
  description: 'Which files were imported from where. The command `import` needs it to import nothing twice.',
  displayFieldId: 'name',
  fields: [
    { id: 'name', label: 'Name', type: 'text' },
    { id: 'assetId', label: 'File ID', type: 'text' },
  ],
};

interface Imported {
  entryId: string;
  assetId: string;
  /** Of the content and of what is said about it. */
  version: string;
}

type Report = Pick<ImportReport, 'files' | 'updated' | 'skipped' | 'failed'>;

const CONCURRENCY = 4;
const SOME = 50;

/**
 * Uploads files. Until a file is noted in the collection of imported files, its name says what it was made from, so that a run that follows
 * a killed one finds it. Fills `known.assets`.
 */
export async function importFiles(
  client: Client,
  assets: readonly SourceAsset[],
  target: TargetCollection,
  origin: string,
  context: { known: Known; report: Report; notes: Notes; dryRun: boolean; tell: ProgressLine },
): Promise<void> {
  const work = new FileImport(client, target, origin, context);
  await work.run(assets);
}

class FileImport {
  readonly #client: Client;
  readonly #target: TargetCollection;
  readonly #origin: string;
  readonly #context: Parameters<typeof importFiles>[4];
  readonly #imported = new Map<string, Imported>();
  readonly #here = new Map<string, { name: string; url: string }>();
  /** The IDs of files that are not noted yet, by their names. */
  readonly #unnoted = new Map<string, string>();
  readonly #folders = new Map<string, Promise<string | undefined>>();

  constructor(client: Client, target: TargetCollection, origin: string, context: Parameters<typeof importFiles>[4]) {
    this.#client = client;
    this.#target = target;
    this.#origin = origin;
    this.#context = context;
  }

  async run(assets: readonly SourceAsset[]): Promise<void> {
    if (assets.length === 0) return;
    await this.#readImported();
    const { tell } = this.#context;
    for (let from = 0; from < assets.length; from += SOME) {
      const some = assets.slice(from, from + SOME);
      const made = new Map<SourceAsset, Imported>();
      await inParallel(some, async (asset) => {
        const noted = await this.#upload(asset);
        if (noted) made.set(asset, noted);
      });
      await this.#note(made);
      await inParallel([...made], ([asset, imported]) => this.#describe(asset, imported));
      tell('Files (the service accepts 10 uploads a second)', from + some.length, assets.length);
    }
  }

  async #readImported(): Promise<void> {
    const { id: collectionId, isNew, idField, versionField } = this.#target;
    if (collectionId !== undefined && !isNew) {
      for await (const { id, values } of this.#client.listEntries({ collectionId, pageSize: 100 })) {
        const { [idField]: key, [versionField]: version, assetId } = values as Record<string, string>;
        if (key !== undefined && assetId !== undefined)
          this.#imported.set(key, { entryId: id, assetId, version: version ?? '' });
      }
    }
    // Before anything was imported, only what a killed run has left is of interest.
    const query = { pageSize: 100, ...(this.#imported.size === 0 && { name: UNNOTED }) };
    for await (const { assetId, name, url } of this.#client.listFiles(query)) {
      this.#here.set(assetId, { name, url });
      if (name.startsWith(UNNOTED)) this.#unnoted.set(name, assetId);
    }
  }

  #keyOf = ({ id }: SourceAsset) => `${this.#origin}/${id}`;

  /** @returns what is to be noted and described; undefined if it is there, or refused */
  async #upload(asset: SourceAsset): Promise<Imported | undefined> {
    const { report, notes, dryRun, known } = this.#context;
    const key = this.#keyOf(asset);
    const before = this.#imported.get(key);
    const file = before && this.#here.get(before.assetId);
    try {
      const content = await digestOf(asset.path);
      const version = `${content} ${digest(JSON.stringify([asset.name, describedBy(asset), asset.folder]))}`;
      if (before && file) {
        known.assets.set(asset.id, { assetId: before.assetId, url: file.url });
        const isWhole = !file.name.startsWith(UNNOTED);
        if (before.version === version && isWhole) {
          report.skipped++;
          return undefined;
        }
        if (isWhole) report.updated++;
        else report.files++;
        if (dryRun) return undefined;
        if (before.version.split(' ')[0] !== content) {
          const { url } = await this.#client.replaceFile(
            { assetId: before.assetId },
            { file: new File([await openAsBlob(asset.path)], asset.name) },
          );
          known.assets.set(asset.id, { assetId: before.assetId, url });
        }
        return { ...before, version };
      }
      if (before) notes.add('Files that were deleted here are uploaded again.', { unit: 'file', name: asset.name });
      if (dryRun) {
        report.files++;
        known.assets.set(asset.id, { assetId: '', url: '' });
        return undefined;
      }
      const name = `${UNNOTED}${digest(`${key}\n${content}`)}${extname(asset.name).slice(0, 10)}`;
      const left = this.#unnoted.get(name);
      const sent =
        left === undefined ? await this.#send(asset, name) : { assetId: left, url: this.#here.get(left)?.url ?? '' };
      known.assets.set(asset.id, sent);
      report.files++;
      return { entryId: before?.entryId ?? '', assetId: sent.assetId, version };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      report.failed.push({ id: `files/${asset.name}`, reason: reasonOf(error) });
      return undefined;
    }
  }

  /** Sent again by a run that follows, it is stored once, unless it was deleted in between. */
  async #send(asset: SourceAsset, name: string): Promise<{ assetId: string; url: string }> {
    const file = new File([await openAsBlob(asset.path)], name);
    const { assetId, url } = await this.#client.uploadFile({ file }, { idempotencyKey: `import ${name}` });
    const stored = await this.#client.getFile({ assetId }).catch((error: unknown) => {
      if (!isHeadwaterError(error, 'not_found')) throw error;
      return undefined;
    });
    return stored?.status === 'active' ? { assetId, url } : this.#client.uploadFile({ file });
  }

  async #note(made: ReadonlyMap<SourceAsset, Imported>): Promise<void> {
    const { id: collection = '', idField, versionField } = this.#target;
    if (made.size === 0) return;
    const operations = [...made].map(([asset, { entryId, assetId, version }]) => {
      const values = { assetId, name: asset.name, [versionField]: version };
      if (entryId !== '') return { op: 'update' as const, collection, id: entryId, values };
      return { op: 'upsert' as const, collection, by: { [idField]: this.#keyOf(asset) }, values };
    });
    await this.#client.batchEntries({ operations });
  }

  /** Gives a file its name and texts. */
  async #describe(asset: SourceAsset, { assetId }: Imported): Promise<void> {
    const { report, known } = this.#context;
    const folderId = await this.#folderOf(asset.folder ?? []);
    const about = { ...describedBy(asset), ...(folderId !== undefined && { folderId }) };
    const update = (values: object) => this.#client.updateFile({ assetId }, { name: nameOf(asset), ...values });
    const { url } = await update(about).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      report.failed.push({ id: `files/${asset.name}`, reason: reasonOf(error) });
      return update({});
    });
    known.assets.set(asset.id, { assetId, url });
  }

  /** The ID of a folder, which is created with those around it. */
  #folderOf(names: readonly string[]): Promise<string | undefined> {
    if (names.length === 0) return Promise.resolve(undefined);
    const path = names.join('/');
    const known = this.#folders.get(path);
    if (known) return known;
    const found = this.#findFolder(names);
    this.#folders.set(path, found);
    return found;
  }

  async #findFolder(names: readonly string[]): Promise<string | undefined> {
    const parentId = (await this.#folderOf(names.slice(0, -1))) ?? null;
    const name = (names.at(-1) ?? '').trim().slice(0, 100) || 'Folder';
    const { folders } = await this.#client.listFolders();
    const known = folders.find((each) => each.parentId === parentId && each.name === name);
    return (known ?? (await this.#client.createFolder({ name, parentId }))).id;
  }
}

/** How the names of files begin that are not noted yet. */
const UNNOTED = 'headwater-import-';

const nameOf = ({ name, path }: SourceAsset) => name.trim().slice(0, 200) || `file${extname(path)}`;

function describedBy({ texts = {}, tags = [], focalPoint }: SourceAsset): Record<string, unknown> {
  const kept = Object.entries(texts).map(([name, text]) => [name, text.slice(0, 1_000)]);
  return {
    ...Object.fromEntries(kept),
    ...(tags.length > 0 && {
      tags: [...new Set(tags.map((tag) => tag.trim().slice(0, 100)))].filter(Boolean).slice(0, 50),
    }),
    ...(focalPoint && { focalPoint }),
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const item of queue) await work(item);
  });
  for (const done of await Promise.allSettled(workers)) if (done.status === 'rejected') throw done.reason;
}
