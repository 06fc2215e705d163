-- When the user proved to receive mail at the email: by a link that was sent to it. Null: anyone may have entered it.
alter table users add column email_confirmed_at timestamptz(3);
-- Before, it could not be told.
update users set email_confirmed_at = created_at;

-- When the user last entered the password or used a passkey in the session.
alter table user_sessions add column confirmed_at timestamptz(3);
update user_sessions set confirmed_at = created_at;
alter table user_sessions alter column confirmed_at set not null;

-- The owner who was given a reset link. It dies when they lose that role, and when its user's rights grow.
alter table user_links add column created_by uuid references users (id);

-- Its link was only sent to its email: whoever has it receives mail there.
alter table invitations add column is_mailed boolean not null default false;

-- What a user has to look at after their password was reset, because somebody else may have added it: a passkey, the second
-- factor (by the user's id) or an API key of an account that they own.
create table user_reviews (
  user_id uuid not null references users (id),
  type text not null check (type in ('passkey', 'two_factor', 'key')),
  subject_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (user_id, type, subject_id)
);
