import { assignedRole, type Caller, roleIdOf } from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, type Fault, refuse } from '../../shared/errors.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { DEFAULT_CLAIM, readSso, secretOf } from './connection.ts';
import type { NewSso, RoleMapping, Sso } from './contract.ts';
import { domainsOf, subjectOf } from './domains.ts';
import type { SsoProviders } from './provider.ts';
import {
  deleteConnection,
  deleteIdentities,
  endSsoSessions,
  findConnection,
  lockConnection,
  replaceDomains,
  saveConnection,
} from './queries.ts';

/**
 * Creates or replaces the connection of an account. What is omitted gets its default.
 * @throws ApiError 400 with every fault: `issuer_invalid`, `domain_invalid`, `client_secret_required`, `domain_unproven`, of roles
 */
export function saveSso(
  deps: Deps,
  providers: SsoProviders,
  author: Author,
  caller: Caller,
  sent: NewSso,
): Promise<Sso> {
  const { control, vault, clock } = deps;
  const { accountId: account_id } = author;
  const faults = providers.issuerFaults(sent.issuer);
  const domains = domainsOf(sent.domains ?? [], faults);
  return control.transaction(async (tx) => {
    await lockConnection(tx, { account_id });
    const before = await readSso(deps, account_id, tx);
    const [row] = await findConnection(tx, { account_id });
    if (sent.clientSecret === undefined && row?.issuer !== sent.issuer) {
      const detail = row
        ? 'Send the client secret with another issuer: it would otherwise be sent to a provider that it is not for.'
        : 'The client secret is required.';
      faults.push({ pointer: '/clientSecret', code: 'client_secret_required', detail });
    }
    const proven = before.domains.filter(({ domain, isProven }) => isProven && domains.includes(domain));
    if (sent.isRequired && proven.length === 0) {
      const detail = 'Prove a domain first: until then, nobody can sign in by single sign-on.';
      faults.push({ pointer: '/isRequired', code: 'domain_unproven', detail });
    }
    const mappings: RoleMapping[] = [];
    for (const [i, { value, roleId }] of (sent.roleMappings ?? []).entries()) {
      const pointer = `/roleMappings/${i}/roleId`;
      mappings.push({ value, roleId: await roleOf(tx, account_id, caller, { roleId, pointer }, faults) });
    }
    const fallback = { roleId: sent.defaultRoleId ?? '', pointer: '/defaultRoleId' };
    const default_role_id = fallback.roleId && (await roleOf(tx, account_id, caller, fallback, faults));
    refuse(faults);
    const client_secret =
      sent.clientSecret === undefined
        ? row?.client_secret
        : await vault.seal(tx, secretOf(account_id), Buffer.from(sent.clientSecret));
    if (!client_secret) throw new Error('the client secret was checked');
    await saveConnection(tx, {
      account_id,
      issuer: sent.issuer,
      client_id: sent.clientId,
      client_secret,
      name: sent.name?.trim() ?? new URL(sent.issuer).host,
      scopes: sent.scopes ?? [],
      role_claim: sent.roleClaim ?? DEFAULT_CLAIM,
      role_mappings: JSON.stringify(mappings),
      default_role_id: default_role_id || null,
      is_required: sent.isRequired ?? false,
      now: new Date(clock()),
    });
    await replaceDomains(tx, { account_id, domains });
    if (row && row.issuer !== sent.issuer) await forgetProvider(tx, account_id, caller);
    const after = await readSso(deps, account_id, tx);
    const changed = { ...audited(after), ...(sent.clientSecret !== undefined && { clientSecret: 'changed' }) };
    const change = {
      action: 'sso.changed',
      subject: subjectOf(account_id),
      before: row && audited(before),
      after: changed,
    };
    await audit(tx, author, change, clock());
    return after;
  });
}

/** Idempotent. */
export function removeSso(deps: Deps, author: Author, caller: Caller): Promise<Sso> {
  const { accountId: account_id } = author;
  return deps.control.transaction(async (tx) => {
    await lockConnection(tx, { account_id });
    const before = await readSso(deps, account_id, tx);
    await forgetProvider(tx, account_id, caller);
    const [deleted] = await deleteConnection(tx, { account_id });
    if (!deleted) return before;
    const change = { action: 'sso.deleted', subject: subjectOf(account_id), before: audited(before) };
    await audit(tx, author, change, deps.clock());
    return readSso(deps, account_id, tx);
  });
}

/** Whom a provider has vouched for is unknown to another one. The session of who makes the change goes on until it expires. */
async function forgetProvider(tx: ControlTx, account_id: string, caller: Caller): Promise<void> {
  await deleteIdentities(tx, { account_id });
  await endSsoSessions(tx, { account_id, except: caller.type === 'user' ? caller.sessionId : null });
}

/** The ID of a role that the caller may give. Adds faults. */
async function roleOf(
  tx: ControlTx,
  account_id: string,
  caller: Caller,
  { roleId, pointer }: { roleId: string; pointer: string },
  faults: Fault[],
): Promise<string> {
  try {
    const assigned = await assignedRole(tx, account_id, caller, { roleId });
    return assigned ? roleIdOf(assigned) : roleId;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    faults.push(...error.errors.map((fault) => ({ ...fault, pointer })));
    return roleId;
  }
}

const audited = ({
  redirectUri: _,
  updatedAt: __,
  isConfigured: ___,
  hasClientSecret: ____,
  domains,
  ...state
}: Sso) => ({
  ...state,
  domains: domains.map(({ domain }) => domain),
});
