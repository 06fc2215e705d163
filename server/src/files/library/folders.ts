import { badRequest, type Fault, invalid, notFound } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { isoTime } from '../../shared/time.ts';
import type { Folder, FolderChange, NewFolder } from '../contract.ts';
import { LIMITS } from '../limits.ts';

interface FolderRow {
  id: string;
  parent_id: string | null;
  name: string;
  created_at: Date;
  updated_at: Date;
}

/** The folders of an account, each after the one that contains it, by name. */
export async function listFolders(tx: Tx, account_id: string): Promise<Folder[]> {
  const rows = await findFolders(tx, { account_id });
  const byParent = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const within = (parent: string | null): FolderRow[] =>
    (byParent.get(parent) ?? []).flatMap((row) => [row, ...within(row.id)]);
  return within(null).map(serializeFolder);
}

/** @throws ApiError 400 `folder_unknown`, `folder_exists`, `too_many` */
export async function createFolder(tx: Tx, account_id: string, sent: NewFolder, now: number): Promise<Folder> {
  const rows = await lockFolders(tx, account_id);
  const parent_id = await parentOf(rows, sent.parentId);
  const row = {
    id: newUuid(now),
    parent_id,
    name: sent.name.trim(),
    created_at: new Date(now),
    updated_at: new Date(now),
  };
  check(rows, row);
  if (rows.length >= LIMITS.folders) {
    throw badRequest('too_many', `An account has at most ${LIMITS.folders} folders. Delete one first.`);
  }
  await insertFolder(tx, { account_id, ...row });
  return serializeFolder(row);
}

/** @throws ApiError 404; 400 `folder_unknown`, `folder_exists`, `folder_cycle` */
export async function changeFolder(
  tx: Tx,
  account_id: string,
  folderId: string,
  change: FolderChange,
  now: number,
): Promise<Folder> {
  const rows = await lockFolders(tx, account_id);
  const before = requireFolder(rows, folderId);
  const parent_id = change.parentId === undefined ? before.parent_id : await parentOf(rows, change.parentId);
  const row = { ...before, parent_id, name: change.name?.trim() ?? before.name, updated_at: new Date(now) };
  check(rows, row);
  const { id, name, updated_at } = row;
  await updateFolder(tx, { account_id, id, parent_id, name, updated_at });
  return serializeFolder(row);
}

/** Deletes a folder without files and folders. @throws ApiError 404; 400 `folder_not_empty` */
export async function deleteFolder(tx: Tx, account_id: string, folderId: string): Promise<Folder> {
  const rows = await lockFolders(tx, account_id);
  const row = requireFolder(rows, folderId);
  const [file] = await findFileIn(tx, { account_id, folder_id: row.id });
  if (file || rows.some(({ parent_id }) => parent_id === row.id)) {
    throw badRequest('folder_not_empty', 'The folder contains files or folders. Move or delete them first.');
  }
  await deleteFolderRow(tx, { account_id, id: row.id });
  return serializeFolder(row);
}

/**
 * The folder (UUID) of a request, which stays until the transaction ends; null: outside of folders.
 * @throws ApiError 400 `folder_unknown`
 */
export async function folderIdOf(
  tx: Tx,
  account_id: string,
  folderId: string | null,
  pointer = '/folderId',
): Promise<string | null> {
  if (folderId === null) return null;
  const id = parseId('fol', folderId);
  const [row] = id === undefined ? [] : await shareLockFolder(tx, { account_id, id });
  if (!row) throw invalid([unknownFolder(pointer)]);
  return row.id;
}

function serializeFolder({ id, parent_id, name, created_at, updated_at }: FolderRow): Folder {
  return {
    id: publicId('fol', id),
    name,
    parentId: parent_id && publicId('fol', parent_id),
    createdAt: isoTime(created_at),
    updatedAt: isoTime(updated_at),
  };
}

async function lockFolders(tx: Tx, account_id: string): Promise<FolderRow[]> {
  await lockTree(tx, { account_id });
  return findFolders(tx, { account_id });
}

function requireFolder(rows: readonly FolderRow[], folderId: string): FolderRow {
  const row = rows.find(({ id }) => id === parseId('fol', folderId));
  if (!row) throw notFound('folder');
  return row;
}

async function parentOf(rows: readonly FolderRow[], parentId: string | null | undefined): Promise<string | null> {
  if (parentId === null || parentId === undefined) return null;
  const id = parseId('fol', parentId);
  if (id === undefined || !rows.some((row) => row.id === id)) throw invalid([unknownFolder('/parentId')]);
  return id;
}

const unknownFolder = (pointer: string): Fault => ({
  pointer,
  code: 'folder_unknown',
  detail: 'There is no folder with this ID. GET /v1/folders lists them.',
});

/** Where a folder is to be, and its name. */
function check(rows: readonly FolderRow[], folder: FolderRow): void {
  const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
  let depth = 1;
  for (let at = folder.parent_id; at !== null; at = parents.get(at) ?? null) {
    const detail = 'A folder cannot be moved into itself or a folder within it.';
    if (at === folder.id) throw invalid([{ pointer: '/parentId', code: 'folder_cycle', detail }]);
    depth++;
  }
  const below = (id: string): number =>
    1 + Math.max(0, ...rows.filter(({ parent_id }) => parent_id === id).map((row) => below(row.id)));
  if (depth - 1 + below(folder.id) > LIMITS.folderDepth) {
    const detail = `Folders can be nested ${LIMITS.folderDepth} deep.`;
    throw invalid([{ pointer: '/parentId', code: 'too_deep', detail }]);
  }
  const name = folder.name.toLowerCase();
  const isSame = (row: FolderRow) =>
    row.id !== folder.id && row.parent_id === folder.parent_id && row.name.toLowerCase() === name;
  if (!rows.some(isSame)) return;
  const detail = `There is a folder with the name "${folder.name}" already.`;
  throw invalid([{ pointer: '/name', code: 'folder_exists', detail }]);
}

const ofAccount = { account_id: 'uuid' } as const;
const COLUMNS = 'id, parent_id, name, created_at, updated_at';

const findFolders = statement('files.find_folders', ofAccount).returns<FolderRow>(
  `select ${COLUMNS} from file_folders where account_id = :account_id order by lower(name), id`,
);

/** Changes of an account's folders run one after another, since each is checked against all others. */
const lockTree = statement('files.lock_folders', ofAccount).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text, 21))',
);

const shareLockFolder = statement('files.share_lock_folder', { ...ofAccount, id: 'uuid' }).returns<{ id: string }>(
  'select id from file_folders where account_id = :account_id and id = :id for key share',
);

const insertFolder = statement('files.insert_folder', {
  ...ofAccount,
  id: 'uuid',
  parent_id: 'uuid?',
  name: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}).runs(
  `insert into file_folders (account_id, ${COLUMNS})
   values (:account_id, :id, :parent_id, :name, :created_at, :updated_at)`,
);

const updateFolder = statement('files.update_folder', {
  ...ofAccount,
  id: 'uuid',
  parent_id: 'uuid?',
  name: 'text',
  updated_at: 'timestamptz',
}).runs(
  `update file_folders set parent_id = :parent_id, name = :name, updated_at = :updated_at
   where account_id = :account_id and id = :id`,
);

const deleteFolderRow = statement('files.delete_folder', { ...ofAccount, id: 'uuid' }).runs(
  'delete from file_folders where account_id = :account_id and id = :id',
);

const findFileIn = statement('files.find_file_in_folder', { ...ofAccount, folder_id: 'uuid' }).returns<{ id: string }>(
  'select id from assets where account_id = :account_id and folder_id = :folder_id limit 1',
);
