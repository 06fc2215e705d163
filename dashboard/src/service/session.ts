import { createClient, isHeadwaterError, type SessionState } from '@headwater/sdk';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';

export type AccountOfUser = SessionState['accounts'][number];
export type Role = AccountOfUser['role'];

/** Which of the user's accounts was looked at last. */
const STORED = 'headwater-account';

let accountId: string | undefined;

/** The one client of the dashboard: by the session's cookie, for the account that is chosen. */
export const headwater = createClient({
  headers: (): Record<string, string> => (accountId === undefined ? {} : { 'x-headwater-account': accountId }),
});

export const sessionQuery = () =>
  queryOptions({
    queryKey: ['session'],
    queryFn: ({ signal }) => headwater.getSession({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The account that requests are for from now on: the one looked at last, else the first. undefined where there is none. */
export function enterAccount({ accounts }: SessionState): AccountOfUser | undefined {
  const stored = localStorage.getItem(STORED);
  const account = accounts.find(({ id }) => id === stored) ?? accounts[0];
  accountId = account?.id;
  return account;
}

/** Remembers another account; the page is to be loaded anew, so that nothing of the last one is left in it. */
export function switchAccount(id: string): void {
  localStorage.setItem(STORED, id);
}

/** Who is signed in, and for which account. Only within the shell, which is shown to nobody else. */
export function useSession(): {
  user: NonNullable<SessionState['user']>;
  account: AccountOfUser;
  accounts: AccountOfUser[];
} {
  const { data } = useSuspenseQuery(sessionQuery());
  const account = data.accounts.find(({ id }) => id === accountId);
  if (!data.user || !account) throw new Error('nobody is signed in');
  return { user: data.user, account, accounts: data.accounts };
}

/** Whether the user may change content, files and what belongs to them; a viewer reads. */
export const useMayEdit = () => useSession().account.role !== 'viewer';

/** Whether the user may change settings, keys and members. */
export const useIsOwner = () => useSession().account.role === 'owner';

/** Whether an error says that nobody is signed in any more. */
export function isSignedOut(error: unknown): boolean {
  return isHeadwaterError(error, 'unauthorized') || isHeadwaterError(error, 'session_ended');
}
