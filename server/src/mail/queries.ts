import { controlStatement, rows } from '../shared/postgres/statement.ts';

export const insertMails = controlStatement('mail.insert', {
  mails: rows({ id: 'uuid', sealed: 'bytea', due_at: 'timestamptz' }),
}).runs('insert into mails (id, sealed, due_at) select w.id, w.sealed, w.due_at from :mails as w');

/** Takes mails that are due, for as long as an attempt may last. */
export const takeDueMails = controlStatement('mail.take_due', {
  now: 'timestamptz',
  until: 'timestamptz',
  max: 'integer',
}).returns<{ id: string; sealed: Buffer; attempts: number }>(
  `update mails set due_at = :until, attempts = attempts + 1
   where id in (select id from mails where due_at <= :now order by due_at limit :max for update skip locked)
   returning id, sealed, attempts`,
);

/** The oldest mail that was due before a time. */
export const findOverdueMails = controlStatement('mail.find_overdue', { before: 'timestamptz' }).returns<{
  since: Date;
}>('select min(due_at) as since from mails where due_at < :before having min(due_at) is not null');

const LANGUAGE = `coalesce(users.language, users.browser_language, 'en') as mail_language`;

export const findOperators = controlStatement('mail.find_operators', {}).returns<{
  email: string;
  mail_language: string;
}>(`select email, ${LANGUAGE} from users where is_operator order by id limit 100`);

export const deferMail = controlStatement('mail.defer', { id: 'uuid', due_at: 'timestamptz' }).runs(
  'update mails set due_at = :due_at where id = :id',
);

export const deleteMail = controlStatement('mail.delete', { id: 'uuid' }).runs('delete from mails where id = :id');

export const findOwners = controlStatement('mail.find_owners', { account_id: 'uuid' }).returns<{
  email: string;
  mail_language: string;
  account_name: string;
}>(
  `select users.email, ${LANGUAGE}, account.name as account_name
   from members member join users on users.id = member.user_id join accounts account on account.id = member.account_id
   where member.account_id = :account_id and member.role = 'owner' order by users.id limit 100`,
);
