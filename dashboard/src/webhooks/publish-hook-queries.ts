import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

export const publishHooksQuery = () =>
  queryOptions({
    queryKey: ['publish hooks'],
    queryFn: async ({ signal }) => (await headwater.listPublishHooks({ signal })).hooks,
  });

export const refreshPublishHooks = () => queryClient.invalidateQueries({ queryKey: ['publish hooks'] });
