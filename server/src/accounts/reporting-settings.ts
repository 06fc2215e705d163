import type { ControlTx } from '../shared/postgres/database.ts';
import { findAccount } from './queries.ts';

/** How an account reports time and money. */
export interface ReportingSettings {
  /** IANA name. */
  timeZone: string;
  /** Into which revenue is converted; null: it is not. */
  currency: string | null;
  /** The value of one unit of other currencies in `currency`, decimal. */
  exchangeRates: Record<string, string>;
}

export async function readReportingSettings(tx: ControlTx, accountId: string): Promise<ReportingSettings> {
  const [row] = await findAccount(tx, { id: accountId });
  return {
    timeZone: row?.time_zone ?? 'UTC',
    currency: row?.currency ?? null,
    exchangeRates: row?.exchange_rates ?? {},
  };
}
