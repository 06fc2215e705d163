import { readReportingSettings } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { convertRevenue } from '../engine/index.ts';
import type { LeadValues, SessionVisits } from './contract.ts';
import { findLeadValues, findSessionVisits } from './source-queries.ts';

/** What the conversions of leads are worth. */
export async function getLeadValues(
  { db, control }: Pick<Deps, 'db' | 'control'>,
  accountId: string,
  leadIds: readonly string[],
): Promise<LeadValues> {
  const leads = leadIds.flatMap((id) => parseId('led', id) ?? []);
  const settings = await readReportingSettings(control, accountId);
  const byLead = Map.groupBy(await findLeadValues(db, { account_id: accountId, leads }), ({ lead_id }) => lead_id);
  return {
    leads: [...new Set(leads)].flatMap((id) => {
      const rows = byLead.get(id);
      if (!rows) return [];
      const revenue = rows.flatMap(({ currency, value }) => (value === null ? [] : { currency, value }));
      return {
        leadId: publicId('led', id),
        conversions: rows.reduce((sum, { conversions }) => sum + conversions, 0),
        revenue,
        convertedRevenue: convertRevenue(revenue, settings),
      };
    }),
  };
}

/** How many pages sessions visited, and for how long. */
export async function getSessionVisits(
  { db, sessionIds }: Pick<Deps, 'db' | 'sessionIds'>,
  accountId: string,
  ids: readonly string[],
): Promise<SessionVisits> {
  const numbers = ids
    .map(Number)
    .filter(Number.isSafeInteger)
    .filter((id) => id >= 0)
    .map(sessionIds.numberOf);
  const rows = await findSessionVisits(db, { account_id: accountId, numbers: [...new Set(numbers)] });
  return { sessions: rows.map(({ number, ...counts }) => ({ sessionId: sessionIds.idOf(number), ...counts })) };
}
