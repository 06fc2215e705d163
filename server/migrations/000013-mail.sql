-- Mails that are to be sent by SMTP. Deleted when the server accepted them or gave up. Sealed, because they contain
-- addresses and links that sign people in. They belong to no account.
create table mails (
  id uuid primary key,
  sealed bytea not null,
  attempts integer not null default 0,
  -- The next attempt; while a process sends the mail, when another may.
  due_at timestamptz(3) not null
);
create index mails_by_time on mails (due_at);
