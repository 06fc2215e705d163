-- Whether entries may be published in other locales than the default one alone: public reads then check in which they are.
-- Once it is true, it stays so, as what was published earlier can be read and restored.
alter table collections add column partial boolean not null default false;
