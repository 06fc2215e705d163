import type { Entry, Presence } from '@headwater/sdk';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';

type Users = Presence['users'];

const EVERY_MS = 15_000;
/** While others have the entry open. */
const TOGETHER_MS = 4_000;

const Present = createContext<Users>([]);
export const PresentUsers = Present.Provider;

/** Says which field is edited here, and returns who else has the entry open. */
export function usePresence(entry: Entry | undefined, field: string | undefined, isReadOnly: boolean): Users {
  const { collectionId = '', id: entryId = '' } = entry ?? {};
  const { data } = useQuery({
    queryKey: ['presence', collectionId, entryId, field],
    queryFn: ({ signal }) => headwater.recordPresence({ collectionId, entryId, field }, { signal }),
    enabled: entry !== undefined && !isReadOnly,
    refetchInterval: ({ state }) => ((state.data?.users.length ?? 0) > 0 ? TOGETHER_MS : EVERY_MS),
    placeholderData: (before) => before,
    staleTime: 0,
    gcTime: 0,
  });
  return data?.users ?? NOBODY;
}

const NOBODY: Users = [];

const nameOf = ({ name }: Users[number]) => name ?? t('A former user');

/** Who else edits a field now. */
export function EditedBy({ field }: { field: string }) {
  const users = useContext(Present).filter((user) => user.field === field);
  if (users.length === 0) return null;
  return (
    <Text size="xs" c="var(--mantine-primary-color-light-color)" role="status">
      {t('{names} {count, plural, one {is} other {are}} editing this', {
        names: users.map(nameOf).join(', '),
        count: users.length,
      })}
    </Text>
  );
}

/** Who else has the entry open. */
export function AlsoOpen({ users }: { users: Users }) {
  if (users.length === 0) return null;
  return (
    <Text size="sm" role="status">
      {t('Also open: {users}', { users: users.map(nameOf).join(', ') })}
    </Text>
  );
}
