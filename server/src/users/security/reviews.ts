import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';
import { isoTime } from '../../shared/time.ts';
import { auditUser } from './change-email.ts';
import type { Review } from './contract.ts';

/**
 * What a user has to confirm after a password reset: whoever knew the previous password may have added it. Passkeys do not sign in
 * until then. A second factor is still required, and API keys still work, since pages and servers depend on them.
 */
const PREFIX = { passkey: 'pky', two_factor: 'usr', key: 'key' } as const;

interface ReviewRow {
  type: Review['type'];
  subject_id: string;
  name: string;
  account_id: string | null;
  account_name: string | null;
  created_at: Date;
  last_used_at: Date | null;
}

/** Of a reset: everything that gives access besides the password, and was there before. */
export const requireReviews = controlStatement('users.require_reviews', { user_id: 'uuid', now: 'timestamptz' }).runs(
  `insert into user_reviews (user_id, type, subject_id, created_at)
   select :user_id, 'passkey', id, :now from user_passkeys where user_id = :user_id
   union all
   select :user_id, 'two_factor', user_id, :now from user_authenticators
   where user_id = :user_id and confirmed_at is not null
   union all
   select :user_id, 'key', known.id, :now
   from members member join api_keys known on known.account_id = member.account_id
   where member.user_id = :user_id and member.role = 'owner' and known.type <> 'publishable' and known.revoked_at is null
   on conflict (user_id, type, subject_id) do nothing`,
);

/** Those whose subject is still there, and still the user's to decide about. */
const listReviewRows = controlStatement('users.list_reviews', { user_id: 'uuid' }).returns<ReviewRow>(
  `select 'passkey' as type, passkey.id as subject_id, passkey.name, null::uuid as account_id, null as account_name,
     passkey.created_at, passkey.last_used_at
   from user_reviews review join user_passkeys passkey on passkey.id = review.subject_id
   where review.user_id = :user_id and review.type = 'passkey'
   union all
   select 'two_factor', review.subject_id, 'Authenticator app and recovery codes', null, null, second.confirmed_at, null
   from user_reviews review join user_authenticators second on second.user_id = review.subject_id
   where review.user_id = :user_id and review.type = 'two_factor' and second.confirmed_at is not null
   union all
   select 'key', known.id, known.name, account.id, account.name, known.created_at, known.last_used_at
   from user_reviews review
     join api_keys known on known.id = review.subject_id and known.revoked_at is null
     join accounts account on account.id = known.account_id and account.deleted_at is null
     join members member on member.account_id = account.id and member.user_id = :user_id and member.role = 'owner'
   where review.user_id = :user_id and review.type = 'key'
   order by 1 desc, 2 limit 1000`,
);

const deleteReview = controlStatement('users.delete_review', {
  user_id: 'uuid',
  type: 'text',
  subject_id: 'uuid',
}).returns<{ type: string }>(
  `delete from user_reviews where user_id = :user_id and type = :type and subject_id = :subject_id returning type`,
);

export async function listReviews(tx: ControlTx, user_id: string): Promise<Review[]> {
  const rows = await listReviewRows(tx, { user_id });
  return rows.map((row) => ({
    type: row.type,
    id: publicId(PREFIX[row.type], row.subject_id),
    name: row.name,
    account: row.account_id === null ? null : { id: publicId('acc', row.account_id), name: row.account_name ?? '' },
    createdAt: isoTime(row.created_at),
    lastUsedAt: row.last_used_at && isoTime(row.last_used_at),
  }));
}

/** Confirms that the user knows a passkey, second factor or key. @throws ApiError 404 */
export function confirmReview(
  { control, clock }: Deps,
  user_id: string,
  { type, id }: { type: Review['type']; id: string },
  address: string,
): Promise<void> {
  return control.transaction(async (tx) => {
    const known = (await listReviews(tx, user_id)).find((each) => each.type === type && each.id === id);
    const subject_id = parseId(PREFIX[type], id);
    if (!known || subject_id === undefined) throw notFound('review');
    await deleteReview(tx, { user_id, type, subject_id });
    const accountId = known.account && parseId('acc', known.account.id);
    if (!accountId) return auditUser(tx, user_id, `${type}_confirmed`, address, clock());
    const author = { accountId, type: 'user', id: user_id, address } as const;
    await audit(tx, author, { action: 'key.confirmed', subject: ['key', id] }, clock());
  });
}
