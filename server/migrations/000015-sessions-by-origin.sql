-- Tells a list of sessions with a filter where it need not look: one entry for each 32 pages, by what occurs in them. A B-tree
-- for each filter would cost the ingest an entry for each session.
create index sessions_by_origin on sessions using brin (source text_bloom_ops, medium text_bloom_ops,
  campaign text_bloom_ops, country text_bloom_ops, device text_bloom_ops) with (pages_per_range = 32, autosummarize = on);
