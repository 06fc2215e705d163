import type { Deps } from '../shared/deps.ts';
import { newUuid } from '../shared/ids.ts';
import { type Translate, translatorOf } from '../shared/languages.ts';
import type { ControlTx } from '../shared/postgres/database.ts';
import { SecretBox } from '../shared/secret-box.ts';
import { findOperators, findOwners, insertMails } from './queries.ts';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

/** Says an alert in the language of who receives it. */
export type AlertText = (t: Translate, language: string) => Omit<Mail, 'to'>;

type MailDeps = Pick<Deps, 'config' | 'secret' | 'clock'>;

/** Whether mail is configured. */
export const sendsMail = ({ config }: Pick<Deps, 'config'>): boolean => config.mail !== undefined;

export const mailBox = (secret: Buffer) => new SecretBox(secret, 'mails');

/** Queues mails in the transaction of what they are about. Without SMTP this does nothing. */
export async function queueMails(tx: ControlTx, deps: MailDeps, mails: readonly Mail[]): Promise<void> {
  if (!sendsMail(deps) || mails.length === 0) return;
  const box = mailBox(deps.secret);
  const due_at = new Date(deps.clock());
  await insertMails(tx, {
    mails: mails.map((mail) => {
      const id = newUuid(deps.clock());
      return { id, sealed: box.seal(Buffer.from(JSON.stringify(mail)), id), due_at };
    }),
  });
}

/**
 * Queues a mail to every owner of an account, who are in another database than what the mail is about. A mail that cannot
 * be queued is lost: the dashboard shows the same.
 */
export async function alertOwners(
  deps: MailDeps & Pick<Deps, 'control' | 'log'>,
  account_id: string,
  alert: AlertText,
): Promise<void> {
  if (!sendsMail(deps)) return;
  const { control, log } = deps;
  try {
    const owners = await findOwners(control, { account_id });
    const mails = owners.map(({ email, mail_language, account_name }) => {
      const { subject, text } = alert(translatorOf(mail_language), mail_language);
      return { to: email, subject: `${account_name}: ${subject}`, text };
    });
    await queueMails(control, deps, mails);
  } catch (error) {
    log.warn({ err: error }, 'an alert could not be queued');
  }
}

/** Likewise, to every operator of the service. */
export async function alertOperators(deps: MailDeps & Pick<Deps, 'control' | 'log'>, alert: AlertText): Promise<void> {
  if (!sendsMail(deps)) return;
  try {
    const operators = await findOperators(deps.control);
    await queueMails(
      deps.control,
      deps,
      operators.map(({ email, mail_language }) => ({
        to: email,
        ...alert(translatorOf(mail_language), mail_language),
      })),
    );
  } catch (error) {
    deps.log.warn({ err: error }, 'an alert could not be queued');
  }
}
