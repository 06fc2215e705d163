import { ApiError } from '../../shared/errors.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';

/**
 * Whether an account has a member sign in by single sign-on only: by the domain of the email, or since they have done so. Operators of
 * the service can always use their password: they are who repairs it.
 * @param account, user expressions for an account's ID and the row of a user
 */
export const requiresSso = (account: string, user: string) => `exists (
     select from sso_connections sso where sso.account_id = ${account} and sso.is_required and not ${user}.is_operator
       and (exists (select from sso_domains known where known.account_id = sso.account_id and known.proven_at is not null
              and known.domain = split_part(${user}.email, '@', 2))
         or exists (select from sso_identities known where known.account_id = sso.account_id and known.user_id = ${user}.id)))`;

const countRequiring = controlStatement('users.count_sso_requiring', { user_id: 'uuid' }).returns<{
  all: boolean;
  any: boolean;
}>(
  `select coalesce(bool_and(required), false) as all, coalesce(bool_or(required), false) as any
   from members member join users person on person.id = member.user_id
     cross join lateral (select ${requiresSso('member.account_id', 'person')} as required) sso
   where member.user_id = :user_id`,
);

const isRequiredOf = controlStatement('users.is_sso_required_of', { account_id: 'uuid', email: 'text' }).returns<{
  required: boolean;
}>(
  `select exists (
     select from sso_connections sso join sso_domains known on known.account_id = sso.account_id
     where sso.account_id = :account_id and sso.is_required and known.proven_at is not null
       and known.domain = split_part(:email, '@', 2)) as required`,
);

/** Whether every account of a user has them sign in by single sign-on: nothing else lets them in anywhere. */
export async function mustUseSso(tx: ControlTx, user_id: string): Promise<boolean> {
  const [row] = await countRequiring(tx, { user_id });
  return row?.all === true;
}

/** Refuses other ways to sign in than single sign-on. @throws ApiError 401 `sso_required` */
export async function refuseOtherThanSso(tx: ControlTx, user_id: string): Promise<void> {
  if (await mustUseSso(tx, user_id)) throw ssoRequired();
}

/** With another email, a user would no longer be held to it. @throws ApiError 401 `sso_required` */
export async function refuseToChangeEmail(tx: ControlTx, user_id: string): Promise<void> {
  const [row] = await countRequiring(tx, { user_id });
  if (row?.any) throw ssoRequired();
}

/** @throws ApiError 401 `sso_required` if who has the email joins the account by single sign-on only */
export async function refuseToJoin(tx: ControlTx, account_id: string, email: string): Promise<void> {
  const [row] = await isRequiredOf(tx, { account_id, email });
  if (row?.required) throw ssoRequired();
}

export function ssoRequired(): ApiError {
  return new ApiError(401, 'sso_required', 'This account is used by single sign-on only. Sign in with it.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}
