import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, badRequest, notFound } from '../../shared/errors.ts';
import { attempt, isPassword } from '../../users/index.ts';
import type { ContextOf, ReportContext } from '../reports/context.ts';
import { readFilters } from '../reports/funnel.ts';
import type { StoredReport } from './contract.ts';
import { accountOfToken, createAccess, hashToken, isAccess } from './link-token.ts';
import { daysOfPreset } from './preset-periods.ts';
import { findLinkByHash, type LinkRow, recordReading } from './queries.ts';

/** The link whose token the request carries, whether or not it has a password. @throws ApiError 404 */
async function findLink({ db }: Deps, { headers }: FastifyRequest): Promise<LinkRow> {
  const token = headers['x-shared-link'];
  const account_id = accountOfToken(token);
  const [link] =
    account_id === undefined ? [] : await findLinkByHash(db, { account_id, hash: hashToken(String(token)) });
  if (!link) throw notFound('shared report');
  return link;
}

/** The link of a request that may read its report. @throws ApiError 404, 401 `password_required` */
export async function openLink(deps: Deps, request: FastifyRequest): Promise<LinkRow> {
  const { db, secret, clock } = deps;
  const link = await findLink(deps, request);
  const access = request.headers['x-shared-access'];
  const isOpen = link.password === null || (typeof access === 'string' && isAccess(secret, link, access, clock()));
  if (!isOpen) throw passwordError('password_required', 'This report is protected by a password.');
  await recordReading(db, { account_id: link.account_id, id: link.id, now: new Date(clock()) });
  return link;
}

/** @throws ApiError 404, 401 `password_wrong`, 429 `too_many_attempts` */
export async function unlockLink(deps: Deps, request: FastifyRequest, password: string): Promise<string> {
  const link = await findLink(deps, request);
  const { password: stored } = link;
  if (stored !== null) {
    const claimant = { email: `shared link ${link.id}`, ip: request.ip };
    const isRight = await attempt(
      deps,
      claimant,
      async () => (await isPassword(password, stored, { address: request.ip })) || undefined,
    );
    if (!isRight) throw passwordError('password_wrong', 'The password is wrong.');
  }
  return createAccess(deps.secret, link, deps.clock());
}

const passwordError = (code: string, detail: string) =>
  new ApiError(401, code, detail, { headers: { 'www-authenticate': 'Bearer realm="headwater shared report"' } });

/** The period of a stored report, now. */
export function periodOf({ period }: StoredReport, now: number, timeZone: string): { from: string; to: string } {
  return 'preset' in period ? daysOfPreset(period.preset, now, timeZone) : period;
}

interface Chosen {
  from?: string;
  to?: string;
  compare?: string;
}

/**
 * What the reader of a link may see: the context of its account with the filters of the link, and the period.
 * @throws ApiError 400 `not_shared` where a reader chooses what the link does not allow
 */
export async function readingOf(
  contextOf: ContextOf,
  { link, reply, query }: { link: LinkRow; reply: Parameters<ContextOf>[1]; query: Chosen },
): Promise<{ context: ReportContext; range: { from: string; to: string; timeZone: string } }> {
  const isChosen = Object.keys(query).some(
    (name) => ['from', 'to', 'compare'].includes(name) || name.startsWith('filter['),
  );
  if (isChosen && !link.is_interactive) {
    throw badRequest('not_shared', 'This link shares a fixed period and fixed filters.');
  }
  if ((query.from === undefined) !== (query.to === undefined)) {
    throw badRequest('range_incomplete', 'Send both `from` and `to`, or neither.');
  }
  const context = await contextOf(link.account_id, reply);
  const { timeZone } = context.settings;
  const { from, to } =
    query.from !== undefined && query.to !== undefined
      ? { from: query.from, to: query.to }
      : periodOf(link.report, context.clock(), timeZone);
  return {
    context: { ...context, filters: readFilters(link.report.filters ?? {}) },
    range: { from, to, timeZone },
  };
}
