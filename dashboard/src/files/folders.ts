import type { Folder } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';

export const foldersQuery = () =>
  queryOptions({
    queryKey: ['folders'],
    queryFn: async ({ signal }) => (await headwater.listFolders({ signal })).folders,
  });

/** A folder and those that contain it, the outermost first. */
export function pathOfFolder(folders: readonly Folder[], id: string | null | undefined): Folder[] {
  const folder = folders.find((each) => each.id === id);
  return folder ? [...pathOfFolder(folders, folder.parentId), folder] : [];
}

/** All folders, named by their paths. */
export const folderOptions = (folders: readonly Folder[]) =>
  folders.map(({ id }) => ({
    value: id,
    label: pathOfFolder(folders, id)
      .map(({ name }) => name)
      .join(' › '),
  }));
