import type { Role } from '@headwater/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { ROLE_OPTIONS, ROLES } from './roles.ts';

export const rolesQuery = () =>
  queryOptions({ queryKey: ['roles'], queryFn: ({ signal }) => headwater.listRoles({ signal }).all() });

export const refreshRoles = () => queryClient.invalidateQueries({ queryKey: ['roles'] });

/** The roles that can be assigned: the built-in ones, then those of the account. */
export function useRoles() {
  const { data } = useQuery(rolesQuery());
  const own = (data ?? []).filter(({ builtIn }) => !builtIn);
  return {
    options: [...ROLE_OPTIONS, ...own.map(({ id, name }) => ({ value: id, label: name }))],
    labelOf: (id: string) => own.find((role) => role.id === id)?.name ?? labelOf(id),
    descriptionOf: (id: string) => ROLES[isBuiltIn(id) ? id : 'custom'].description,
  };
}

/** In the language of the dashboard, if it is built in. */
export const roleName = ({ id, name }: Role): string => (isBuiltIn(id) ? labelOf(id) : name);

const isBuiltIn = (id: string): id is keyof typeof ROLES => Object.hasOwn(ROLES, id);
const labelOf = (id: string) => (isBuiltIn(id) ? ROLES[id].label : t('Custom role'));
