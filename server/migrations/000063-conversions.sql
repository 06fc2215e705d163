-- Of a conversion whose person was erased: keyed digests of its event id with each identifier that it could be reported by. They tell
-- nothing about the person, and let a later report with one of these identifiers restate the conversion.
alter table conversions add column erased_stubs uuid[];
