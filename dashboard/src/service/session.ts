import { createClient, hasExactNumbers, isHeadwaterError, type SessionState } from '@headwater/sdk';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { setAccountTimeZone } from '../shared/time-zone.ts';
import { askToConfirm } from './confirmation.ts';

export type AccountOfUser = SessionState['accounts'][number];
export type Role = AccountOfUser['role'];

/** The local storage key of the last account. */
const STORAGE_KEY = 'headwater-account';

/** URLs of the dashboard start with the account: `/acc_…/overview`. */
const ACCOUNT_PREFIX = /^\/(acc_\w+)(?=\/|$)/;

const accountInUrl = () => ACCOUNT_PREFIX.exec(window.location.pathname)?.[1];

let accountId: string | undefined;

/** Routes do not contain the account; this removes it from URLs, and adds it to links. */
export const accountRewrite = {
  input: ({ url }: { url: URL }) => {
    url.pathname = url.pathname.replace(ACCOUNT_PREFIX, '') || '/';
    return url;
  },
  output: ({ url }: { url: URL }) => {
    if (accountId !== undefined) url.pathname = `/${accountId}${url.pathname}`;
    return url;
  },
};

/** The current URL with the account, undefined where it is there. */
export function urlWithAccount(): string | undefined {
  const { pathname, search, hash } = window.location;
  // `/` leads to the first page, which replaces the URL by its own.
  const isDone = accountId === undefined || accountInUrl() !== undefined || pathname === '/';
  return isDone ? undefined : `/${accountId}${pathname}${search}${hash}`;
}

/** The API client, authenticated by the session cookie, for the selected account. */
export const headwater = createClient({
  confirm: askToConfirm,
  numbers: hasExactNumbers ? 'exact' : undefined,
  headers: (): Record<string, string> => (accountId === undefined ? {} : { 'x-headwater-account': accountId }),
});

export const sessionQuery = () =>
  queryOptions({
    queryKey: ['session'],
    queryFn: ({ signal }) => headwater.getSession({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Of what is not requested by the client, such as a download: has the user confirm that it is them, unless they just did. */
export async function ensureConfirmed(): Promise<boolean> {
  const { session } = await headwater.getSession();
  const isConfirmed = session !== null && new Date(session.confirmedUntil).getTime() > Date.now() + 5_000;
  return isConfirmed || askToConfirm();
}

/** Whether the session ended after the page was loaded. The page stays, with a dialog to sign in again. */
export const sessionExpiredQuery = () =>
  queryOptions({
    queryKey: ['session expired'],
    queryFn: () => false,
    initialData: false,
    enabled: false,
  });

/**
 * Selects the account of all further requests: the one in the URL, else the last one used, else the first.
 * @returns undefined if the user is not a member of it
 */
export function enterAccount({ accounts }: SessionState): AccountOfUser | undefined {
  const named = accountInUrl();
  const id = named ?? localStorage.getItem(STORAGE_KEY);
  const account = accounts.find((each) => each.id === id) ?? (named === undefined ? accounts[0] : undefined);
  accountId = account?.id;
  setAccountTimeZone(account?.timeZone);
  if (account) rememberAccount(account.id);
  return account;
}

/** The account that URLs without one lead to. */
export function rememberAccount(id: string): void {
  localStorage.setItem(STORAGE_KEY, id);
}

/** The signed-in user and the selected account. Only inside the shell, which requires both. */
export function useSession(): {
  user: NonNullable<SessionState['user']>;
  account: AccountOfUser;
  accounts: AccountOfUser[];
  /** The session is by single sign-on: it opens one account, and nothing of the user. */
  isSso: boolean;
} {
  const { data } = useSuspenseQuery(sessionQuery());
  const account = data.accounts.find(({ id }) => id === accountId);
  if (!data.user || !account) throw new Error('useSession is used outside the shell');
  return { user: data.user, account, accounts: data.accounts, isSso: data.session?.isSso === true };
}

/** Whether the user may change anything, whatever it is: `useMayWrite` says it of a feature. */
export const useMayEdit = () => useSession().account.role !== 'viewer';

/** Whether the user may change settings, keys and members. */
export const useIsOwner = () => useSession().account.role === 'owner';

/** Whether an error means that the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return isHeadwaterError(error, 'unauthorized') || isHeadwaterError(error, 'signed_out');
}
