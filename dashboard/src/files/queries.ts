import { infiniteQueryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

export interface FileFilter {
  name: string;
  type: 'image' | 'video' | null;
  unused: boolean;
}

export const filesQuery = ({ name, type, unused }: FileFilter) =>
  infiniteQueryOptions({
    queryKey: ['files', name, type, unused],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listFiles(
        {
          pageSize: 60,
          pageToken: pageParam,
          ...(name !== '' && { name }),
          ...(type !== null && { type }),
          ...(unused && { unused: true }),
        },
        { signal },
      ),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
  });

export const forgetFiles = () => queryClient.invalidateQueries({ queryKey: ['files'] });
