-- A used link is kept until it expires, so that a repeated request is answered with what the first one did.
alter table user_links add column used_at timestamptz(3);
alter table user_links add column used_by uuid references users (id);
