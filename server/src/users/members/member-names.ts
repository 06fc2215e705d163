import { FIRST_ID, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { listMembers } from './queries.ts';

const MAX_NAMES = 500;

/** The members of an account who can be chosen by their names: those who may edit content. */
export async function memberNames(control: ControlTx, account_id: string): Promise<{ id: string; name: string }[]> {
  const members = await listMembers(control, { account_id, after: FIRST_ID, limit: MAX_NAMES });
  return members
    .filter(({ role, area }) => role !== 'viewer' && area !== 'analytics')
    .map(({ user_id, name }) => ({ id: publicId('usr', user_id), name }));
}
