-- Who created a webhook with a role of the account: it is sent what that role may read.
alter table webhook_endpoints add column role_id uuid, add column maker_type text, add column maker_id uuid;
