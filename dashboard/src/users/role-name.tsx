import { useRoles } from './use-roles.ts';

export function RoleName({ id }: { id: string }) {
  return useRoles().labelOf(id);
}
