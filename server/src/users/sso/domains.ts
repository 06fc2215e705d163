import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import type { Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { listDomains, setProven } from './queries.ts';

/** The TXT records of a name, each in one piece. */
type ResolveTxt = (name: string) => Promise<string[]>;

export const subjectOf = (accountId: string) => ['sso', publicId('acc', accountId)] as const;

const PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The domains of settings, in lower case. Adds faults. */
export function domainsOf(sent: readonly { domain: string }[], faults: Fault[]): string[] {
  const domains = sent.map(({ domain }) => domain.trim().toLowerCase());
  for (const [i, domain] of domains.entries()) {
    if (PATTERN.test(domain)) continue;
    const detail = 'This is no domain of emails, such as shop.example.';
    faults.push({ pointer: `/domains/${i}/domain`, code: 'domain_invalid', detail });
  }
  return [...new Set(domains)];
}

const PREFIX = 'headwater-domain=';

/**
 * The record that proves a domain to be of an account. Its value is made from both, so that the record of one account proves nothing for
 * another.
 */
export function domainRecord(secret: Buffer, accountId: string, domain: string) {
  const value = createHmac('sha256', secret).update(`sso domain\n${accountId}\n${domain}`).digest('base64url');
  return { type: 'TXT' as const, name: `_headwater.${domain}`, value: `${PREFIX}${value}` };
}

const resolveTxt: ResolveTxt = async (name) => {
  const records = await new Resolver({ timeout: 2_000, tries: 2 }).resolveTxt(name);
  return records.slice(0, 100).map((parts) => parts.join(''));
};

/** Looks up the records of the domains that are not proven yet, and remembers those that are there. */
export async function proveDomains(deps: Deps, author: Author, resolve: ResolveTxt = resolveTxt): Promise<void> {
  const { control, secret, clock } = deps;
  const { accountId: account_id } = author;
  const open = (await listDomains(control, { account_id })).filter(({ proven_at }) => proven_at === null);
  const found = await Promise.all(
    open.map(async ({ domain }) => {
      const { name, value } = domainRecord(secret, account_id, domain);
      // No record, or no name server that answers.
      const records = await resolve(name).catch((): string[] => []);
      return records.includes(value) ? [domain] : [];
    }),
  );
  await control.transaction((tx) => recordProven(tx, author, found.flat(), clock()));
}

/** Takes domains of an account as proven. */
export async function recordProven(tx: ControlTx, author: Author, domains: string[], now: number): Promise<void> {
  const proven = await setProven(tx, { account_id: author.accountId, domains, now: new Date(now) });
  for (const { domain } of proven) {
    await audit(
      tx,
      author,
      { action: 'sso.domain_proven', subject: subjectOf(author.accountId), after: { domain } },
      now,
    );
  }
}
