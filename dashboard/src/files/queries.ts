import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';

export interface FileFilter {
  name: string;
  type: 'all' | 'image' | 'video' | 'file' | 'missingAlt' | 'unused' | 'trash';
  tag?: string | undefined;
  /** undefined: those of all folders. */
  folderId?: string | undefined;
}

export const filesQuery = ({ name, type, tag, folderId }: FileFilter) =>
  pagedQuery(
    ['files', name, type, tag, folderId],
    (pageToken, signal) =>
      headwater.listFiles(
        {
          pageSize: 60,
          pageToken,
          ...(name !== '' && { name }),
          ...(folderId !== undefined && type !== 'trash' && { folderId }),
          ...((type === 'image' || type === 'video' || type === 'file') && { type }),
          ...(type === 'missingAlt' && { missingAlt: true }),
          ...(type === 'unused' && { unused: true }),
          ...(type === 'trash' ? { deleted: true } : tag !== undefined && { tag }),
        },
        { signal },
      ),
    ({ files }) => files,
  );

export const fileQuery = (assetId: string) =>
  queryOptions({
    queryKey: ['file', assetId],
    queryFn: ({ signal }) => headwater.getFile({ assetId }, { signal }),
  });

export const fileTagsQuery = () =>
  queryOptions({
    queryKey: ['files', 'tags'],
    queryFn: async ({ signal }) => (await headwater.listFileTags({ signal })).tags,
  });

/** After files were uploaded, changed or deleted. */
export const invalidateFiles = () => queryClient.invalidateQueries({ queryKey: ['files'] });
