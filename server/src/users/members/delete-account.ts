import { listAccountKeys, lockAccount, markAccountDeleted, revokeKeyFor } from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { deleteConnection, endSsoSessions } from '../sso/queries.ts';
import { deleteInvitationsOf, deleteLinksOfOwners, deleteMembersOf } from './queries.ts';

/**
 * Deletes an account: its keys are refused and its members lose access at once; a worker then erases its data.
 * @throws ApiError 400 `name_differs`, so that no other account is deleted than the one that was meant; 404
 */
export async function deleteAccount({ control, clock }: Deps, author: Author, name: string): Promise<void> {
  const { accountId } = author;
  const check = (account: { name: string } | undefined) => {
    if (!account) throw notFound('account');
    if (account.name === name.trim()) return;
    throw invalid([{ pointer: '/name', code: 'name_differs', detail: 'Enter the name of the account to delete it.' }]);
  };
  const [account] = await control.transaction((tx) => lockAccount(tx, { id: accountId }));
  check(account);
  for (const { id, revokedAt } of await listAccountKeys(control, publicId('acc', accountId))) {
    if (revokedAt === null) await revokeKeyFor(control, author, id, clock());
  }
  await control.transaction(async (tx) => {
    const [locked] = await lockAccount(tx, { id: accountId });
    check(locked);
    await audit(tx, author, { action: 'account.deleted', subject: ['account', publicId('acc', accountId)] }, clock());
    await markAccountDeleted(tx, { id: accountId, now: new Date(clock()) });
    await deleteLinksOfOwners(tx, { account_id: accountId });
    await deleteInvitationsOf(tx, { account_id: accountId });
    await deleteMembersOf(tx, { account_id: accountId });
    await deleteConnection(tx, { account_id: accountId });
    await endSsoSessions(tx, { account_id: accountId, except: null });
  });
}
