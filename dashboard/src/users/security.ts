import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

export const securityQuery = () =>
  queryOptions({ queryKey: ['security'], queryFn: ({ signal }) => headwater.getSecurity({ signal }) });

export const refreshSecurity = () => queryClient.invalidateQueries(securityQuery());
