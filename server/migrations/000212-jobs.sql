-- Who started a job: members and tokens with a role of the account see their own jobs, which do what the role allows.
alter table jobs add column author_type text, add column author_id uuid;
