import { audit } from '../../shared/audit.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { ControlDatabase } from '../../shared/postgres/database.ts';
import { requireConnection } from './connection.ts';
import { recordProven, subjectOf } from './domains.ts';
import { listDomains, lockConnection, setOptional } from './queries.ts';

const authorOf = (publicAccountId: string) => {
  const accountId = parseId('acc', publicAccountId);
  if (accountId === undefined) throw notFound('account');
  return { accountId, type: 'command', id: null, address: null } as const;
};

/** Takes a domain as the account's own, on the word of the operator. @throws ApiError 404; 400 `sso_not_configured`, `domain_unknown` */
export async function proveDomainByCommand(
  control: ControlDatabase,
  publicAccountId: string,
  sent: string,
  now: number,
) {
  const author = authorOf(publicAccountId);
  const domain = sent.toLowerCase();
  await control.transaction(async (tx) => {
    await requireConnection(tx, author.accountId);
    const known = await listDomains(tx, { account_id: author.accountId });
    if (!known.some((each) => each.domain === domain)) {
      throw badRequest(
        'domain_unknown',
        'The domain is not in the settings of single sign-on. An owner adds it first.',
      );
    }
    await recordProven(tx, author, [domain], now);
  });
  return { accountId: publicAccountId, domain, isProven: true };
}

/** Lets members sign in by password again, when the provider cannot. @throws ApiError 404; 400 `sso_not_configured` */
export async function makeSsoOptionalByCommand(control: ControlDatabase, publicAccountId: string, now: number) {
  const author = authorOf(publicAccountId);
  const { accountId: account_id } = author;
  await control.transaction(async (tx) => {
    await lockConnection(tx, { account_id });
    const { is_required: isRequired } = await requireConnection(tx, account_id);
    await setOptional(tx, { account_id, now: new Date(now) });
    const states = { before: { isRequired }, after: { isRequired: false } };
    await audit(tx, author, { action: 'sso.changed', subject: subjectOf(account_id), ...states }, now);
  });
  return { accountId: publicAccountId, isRequired: false };
}
