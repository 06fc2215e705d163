import { newUuid } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { insertUser } from './queries.ts';
import { plainEmail } from './sign-in.ts';

/** Makes a user with a hashed password; undefined where somebody has the e-mail. */
export async function createUser(
  tx: Tx,
  user: { email: string; name: string; hash: string },
  now: number,
): Promise<string | undefined> {
  const [row] = await insertUser(tx, newUuid(now), plainEmail(user.email), user.name.trim(), user.hash, new Date(now));
  return row?.id;
}
