import type { Deps } from '../shared/deps.ts';
import { MINUTE } from '../shared/units.ts';
import { deferMail, deleteMail, takeDueMails } from './queries.ts';
import { type Mail, mailBox } from './queue-mails.ts';

export type Send = (message: Mail & { from: string }) => Promise<unknown>;

const PAGE_SIZE = 10;
/** Longer than the timeouts of one attempt. */
const LEASE_MS = 5 * MINUTE;
/** After each failed attempt. Links in mails are valid for a day. */
const DELAYS_MS = [1, 5, 15, 60, 240, 480].map((minutes) => minutes * MINUTE);

/** Sends mails that are due. @returns whether there may be more */
export async function sendDueMails(
  { control, clock, log, secret }: Pick<Deps, 'control' | 'clock' | 'log' | 'secret'>,
  from: string,
  send: Send,
  signal: AbortSignal,
): Promise<boolean> {
  const now = clock();
  const due = await takeDueMails(control, { now: new Date(now), until: new Date(now + LEASE_MS), max: PAGE_SIZE });
  const box = mailBox(secret);
  for (const { id, sealed, attempts } of due) {
    if (signal.aborted) return false;
    try {
      await send({ from, ...(JSON.parse(box.open(sealed, id).toString()) as Mail) });
    } catch (error) {
      // Messages of SMTP servers repeat addresses.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      const delay = isPermanent(responseCode) ? undefined : DELAYS_MS[attempts - 1];
      log.warn(
        { code, responseCode, attempts },
        delay === undefined ? 'a mail could not be sent' : 'sending a mail failed',
      );
      if (delay !== undefined) {
        await deferMail(control, { id, due_at: new Date(clock() + delay) });
        continue;
      }
    }
    await deleteMail(control, { id });
  }
  return due.length === PAGE_SIZE;
}

/** 5xx, except for refused credentials, which the operator can correct. */
const isPermanent = (code: number | undefined) => code !== undefined && code >= 500 && ![530, 534, 535].includes(code);
