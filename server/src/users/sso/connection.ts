import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Sso } from './contract.ts';
import { domainRecord } from './domains.ts';
import { type ConnectionRow, type DomainRow, findConnection, listDomains } from './queries.ts';

export const redirectUriOf = ({ publicUrl }: Pick<Deps, 'publicUrl'>, accountId: string) =>
  `${publicUrl()}/auth/sso/${publicId('acc', accountId)}/callback`;

export const secretOf = (accountId: string) => ({ accountId, kind: 'sso client secret', id: accountId });

/** @throws SecretUnreadable */
export const openClientSecret = async ({ control, vault }: Deps, row: ConnectionRow): Promise<string> =>
  (await vault.open(control, secretOf(row.account_id), row.client_secret)).toString();

const serializeDomain = ({ secret }: Pick<Deps, 'secret'>, accountId: string, { domain, proven_at }: DomainRow) => ({
  domain,
  isProven: proven_at !== null,
  record: domainRecord(secret, accountId, domain),
});

function serialize(deps: Deps, accountId: string, row: ConnectionRow | undefined, domains: readonly DomainRow[]): Sso {
  return {
    isConfigured: row !== undefined,
    redirectUri: redirectUriOf(deps, accountId),
    name: row?.name ?? null,
    issuer: row?.issuer ?? null,
    clientId: row?.client_id ?? null,
    hasClientSecret: row !== undefined,
    domains: domains.map((domain) => serializeDomain(deps, accountId, domain)),
    scopes: row?.scopes ?? [],
    roleClaim: row?.role_claim ?? DEFAULT_CLAIM,
    roleMappings: row?.role_mappings ?? [],
    defaultRoleId: row?.default_role_id ?? null,
    isRequired: row?.is_required ?? false,
    updatedAt: row ? isoTime(row.updated_at) : null,
  };
}

export const DEFAULT_CLAIM = 'groups';

export async function readSso(deps: Deps, accountId: string, tx: ControlTx = deps.control): Promise<Sso> {
  const [row] = await findConnection(tx, { account_id: accountId });
  return serialize(deps, accountId, row, await listDomains(tx, { account_id: accountId }));
}

/** @throws ApiError 400 `sso_not_configured` */
export async function requireConnection(tx: ControlTx, account_id: string): Promise<ConnectionRow> {
  const [row] = await findConnection(tx, { account_id });
  if (!row) throw badRequest('sso_not_configured', 'The account has no single sign-on. Set it up first.');
  return row;
}
