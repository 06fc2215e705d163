alter table experiments add column release_id uuid;
-- What the fields that the shipped variant changed had before, by entry: the holdout goes on seeing it.
alter table experiments add column before jsonb;
-- Whether public content shows its variants: while it runs, and, with a holdout, after it was shipped.
alter table experiments add column is_served boolean not null default false;
update experiments set is_served = true where status = 'running';
create index experiments_served on experiments (account_id) where is_served;
update experiments set definition = definition || '{"holdout": 0}' where not definition ? 'holdout';
