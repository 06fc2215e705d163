import { readReportingSettings } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { DAY } from '../../shared/units.ts';
import { toRevenue } from '../engine/index.ts';
import { readRateRows } from '../exchange-rates/dated-rates.ts';
import type { LeadValues, SessionVisits } from './contract.ts';
import { findLeadValues, findSessionVisits } from './source-queries.ts';

/** What the conversions of leads are worth. */
export async function getLeadValues(
  { db, control, clock }: Pick<Deps, 'db' | 'control' | 'clock'>,
  accountId: string,
  leadIds: readonly string[],
): Promise<LeadValues> {
  const leads = leadIds.flatMap((id) => parseId('led', id) ?? []);
  const settings = await readReportingSettings(control, accountId);
  const found = await findLeadValues(db, { account_id: accountId, leads, time_zone: settings.timeZone });
  const days = found.flatMap(({ sold_in }) => (sold_in === null ? [] : Date.parse(sold_in.split(' ')[1] ?? '') / DAY));
  const now = clock();
  const period = [Math.min(...days, now / DAY), now / DAY + 1] as const;
  const rates = settings.currency === null ? [] : await readRateRows(db, accountId, period, new Date(now));
  const exchange = { ...settings, rates };
  const byLead = Map.groupBy(found, ({ lead_id }) => lead_id);
  return {
    leads: [...new Set(leads)].flatMap((id) => {
      const rows = byLead.get(id);
      if (!rows) return [];
      const amounts = rows.flatMap(({ sold_in, value }) => (value === null ? [] : [[sold_in, value] as const]));
      return {
        leadId: publicId('led', id),
        conversions: rows.reduce((sum, { conversions }) => sum + conversions, 0),
        ...toRevenue(new Map(amounts), exchange),
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
