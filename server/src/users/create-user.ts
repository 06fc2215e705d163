import { newUuid } from '../shared/ids.ts';
import type { ControlTx } from '../shared/postgres/database.ts';
import { insertUser } from './queries.ts';

/** Emails are compared and stored in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Creates a user, with an email that they have proved to receive mail at or not, and returns its UUID; undefined if another user has the email. */
export async function createUser(
  tx: ControlTx,
  { email, name, hash, isConfirmed = false }: { email: string; name: string; hash: string; isConfirmed?: boolean },
  now: number,
): Promise<string | undefined> {
  const [row] = await insertUser(tx, {
    id: newUuid(now),
    email: normalizeEmail(email),
    email_confirmed_at: isConfirmed ? new Date(now) : null,
    name: name.trim(),
    password: hash,
    now: new Date(now),
  });
  return row?.id;
}
