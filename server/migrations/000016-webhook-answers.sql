-- How the body of an answer begins that was no success; it may repeat what was sent, and so is erased with it.
alter table webhook_attempts add column answer text;
create index webhook_attempts_answers on webhook_attempts (account_id, message_id) where answer is not null;
