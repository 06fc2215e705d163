import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';

export interface FileFilter {
  name: string;
  type: 'all' | 'image' | 'video' | 'unused' | 'trash';
  tag?: string | undefined;
}

export const filesQuery = ({ name, type, tag }: FileFilter) =>
  pagedQuery(
    ['files', name, type, tag],
    (pageToken, signal) =>
      headwater.listFiles(
        {
          pageSize: 60,
          pageToken,
          ...(name !== '' && { name }),
          ...((type === 'image' || type === 'video') && { type }),
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
