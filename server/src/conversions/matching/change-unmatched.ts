import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readIdentifier } from '../../tracking/index.ts';
import { matchUnmatched } from './match-unmatched.ts';
import { correctUnmatched, deleteUnmatched } from './queries.ts';

/**
 * Gives an unmatched report another identifier, and matches it if a session has that.
 * @returns whether it was matched: it is a conversion then
 * @throws ApiError 400 for the identifier, 404
 */
export async function correctUnmatchedReport(
  deps: Pick<Deps, 'db' | 'clock' | 'sessionIds'>,
  request: FastifyRequest,
  publicConversionId: string,
  sent: Record<string, unknown>,
): Promise<boolean> {
  const { db, clock, sessionIds } = deps;
  const identifier = readIdentifier(sessionIds, sent);
  if ('code' in identifier) {
    const { code, names, detail } = identifier;
    throw invalid(
      names.length === 0
        ? [{ pointer: '/identifier', code, detail }]
        : names.map((name) => ({ pointer: `/identifier/${name}`, code, detail })),
    );
  }
  const { accountId } = request.caller;
  const id = parseId('cnv', publicConversionId);
  if (id === undefined) throw notFound('unmatched conversion');
  await db.transaction(async (tx) => {
    const [row] = await correctUnmatched(tx, {
      ...{ account_id: accountId, id, digest: identifier.digest },
      identifier: JSON.stringify({ [identifier.name]: identifier.sent }),
    });
    if (!row) throw notFound('unmatched conversion');
    // Without the identifier's value, which may be personal data.
    const change = { action: 'conversion.corrected', after: { identifier: identifier.name } };
    await audit(tx, authorOf(request), { ...change, subject: ['conversion', publicConversionId] }, clock());
  });
  return (await matchUnmatched(db, [{ accountId, id, identifier }], clock())) > 0;
}

/** @throws ApiError 404 */
export async function deleteUnmatchedReport(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  request: FastifyRequest,
  publicConversionId: string,
): Promise<void> {
  const id = parseId('cnv', publicConversionId);
  await db.transaction(async (tx) => {
    const [row] = id === undefined ? [] : await deleteUnmatched(tx, { account_id: request.caller.accountId, id });
    if (!row) throw notFound('unmatched conversion');
    const subject = ['conversion', publicConversionId] as const;
    await audit(tx, authorOf(request), { action: 'conversion.unmatched_deleted', subject }, clock());
  });
}
