import { idempotently } from '../shared/http/idempotency.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { Folder, FolderChange, FolderList, FolderPath, NewFolder } from './contract.ts';
import type { FileDeps } from './file-deps.ts';
import { changeFolder, createFolder, deleteFolder, listFolders } from './library/folders.ts';

const about = { tags: ['Files'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;

/** Folders of the file library. */
export function folderRoutes(app: App, { db, clock }: FileDeps): void {
  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/folders', {
    config: read,
    operationId: 'listFolders',
    summary: 'List folders of files',
    description: 'All of them, by name; each after the folder that contains it.',
    returns: FolderList,
    handle: async ({ caller }) => ({ folders: await listFolders(db, caller.accountId) }),
  });

  post('/v1/folders', {
    config: write,
    'x-idempotency-key': true,
    operationId: 'createFolder',
    summary: 'Create a folder of files',
    description: 'Folders only sort files: moving a file does not change its URL.',
    body: NewFolder,
    returns: Folder,
    handle: async (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, (tx) => createFolder(tx, accountId, request.body, clock()));
    },
  });

  patch('/v1/folders/:folderId', {
    config: write,
    operationId: 'updateFolder',
    summary: 'Rename or move a folder of files',
    description: 'Its files and folders move with it. A folder cannot be moved into itself.',
    params: FolderPath,
    body: FolderChange,
    returns: Folder,
    handle: async ({ caller, params, body }) =>
      db.transaction((tx) => changeFolder(tx, caller.accountId, params.folderId, body, clock())),
  });

  remove('/v1/folders/:folderId', {
    config: write,
    operationId: 'deleteFolder',
    summary: 'Delete an empty folder of files',
    description: 'A folder that contains files or folders is 400 `folder_not_empty`.',
    params: FolderPath,
    returns: Folder,
    handle: async ({ caller, params }) => db.transaction((tx) => deleteFolder(tx, caller.accountId, params.folderId)),
  });
}
