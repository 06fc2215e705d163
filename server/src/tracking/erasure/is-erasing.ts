import { findUnfinishedJob } from '../../jobs/index.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { ERASE_LEAD } from './erase-lead.ts';
import { ERASE_VISITOR } from './erase-visitor.ts';

/** Whether persons of an account are being erased, or about to be. */
export async function isErasing(tx: Tx, account_id: string): Promise<boolean> {
  return (await findUnfinishedJob(tx, { account_id, types: [ERASE_LEAD, ERASE_VISITOR] })).length > 0;
}
