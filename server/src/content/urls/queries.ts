import { statement } from '../../shared/postgres/statement.ts';

/** Public collections whose entries have URLs. */
export const findCollectionsWithUrls = statement('content.find_collections_with_urls', {
  account_id: 'uuid',
}).returns<{ id: string; version: number }>(
  `select id, version from collections
   where account_id = :account_id and status = 'active' and public and publishing and settings ? 'urlPattern'
   order by id`,
);

interface UrlValuesRow {
  id: string;
  values: string;
  version: number;
  updated_at: Date;
  published_locales: Record<string, number> | null;
}

const VALUES = `p.id, p.version, p.updated_at, p.locales as published_locales,
  coalesce((select json_object_agg(v.key, v.value) from json_each(p."values") v where v.key = any(:names)), '{}')::text as "values"`;

/** Those values of published entries that are in URLs, the oldest entries first. */
export const listUrlValues = statement('content.list_url_values', {
  account_id: 'uuid',
  collection_id: 'uuid',
  names: 'text[]',
  after: 'uuid',
  after_time: 'timestamptz',
  limit: 'integer',
}).returns<UrlValuesRow & { created_at: Date }>(
  `select p.created_at, ${VALUES} from published_entries p
   where p.account_id = :account_id and p.collection_id = :collection_id and p.status = 'active'
     and (p.created_at, p.id) > (:after_time, :after)
   order by p.created_at, p.id limit :limit`,
);

/** Where the pages of a sitemap begin: after each so many entries. */
export const listSitemapPages = statement('content.list_sitemap_pages', {
  account_id: 'uuid',
  collection_id: 'uuid',
  size: 'integer',
}).returns<{ number: number; entries: number; updated_at: Date }>(
  `select ((n - 1) / :size)::integer as number, count(*)::integer as entries, max(updated_at) as updated_at
   from (
     select row_number() over (order by created_at, id) as n, updated_at from published_entries
     where account_id = :account_id and collection_id = :collection_id and status = 'active'
   ) p group by 1 order by 1`,
);

/** The last entry before a page of a sitemap. */
export const findEntryBefore = statement('content.find_entry_before', {
  account_id: 'uuid',
  collection_id: 'uuid',
  offset: 'integer',
}).returns<{ id: string; created_at: Date }>(
  `select id, created_at from published_entries
   where account_id = :account_id and collection_id = :collection_id and status = 'active'
   order by created_at, id limit 1 offset :offset`,
);

export const findUrlValues = statement('content.find_url_values', {
  account_id: 'uuid',
  collection_id: 'uuid',
  ids: 'uuid[]',
  names: 'text[]',
}).returns<UrlValuesRow>(
  `select ${VALUES} from published_entries p
   where p.account_id = :account_id and p.collection_id = :collection_id and p.id = any(:ids)`,
);

/** Entries that have or had a slug, those that have it first. */
export const findSlugHolders = statement('content.find_slug_holders', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
  slug: 'text',
}).returns<{ entry_id: string }>(
  `select entry_id from entry_keys
   where account_id = :account_id and field_key = any(:field_keys) and sort_key = :slug
   union all
   select entry_id from old_slugs
   where account_id = :account_id and field_key = any(:field_keys) and slug = :slug`,
);

/** Slugs that published entries no longer have, and no other entry has. */
export const listOldSlugs = statement('content.list_old_slugs', {
  account_id: 'uuid',
  collection_id: 'uuid',
  field_keys: 'bigint[]',
  after_key: 'bigint',
  after_slug: 'text',
  limit: 'integer',
}).returns<{ field_key: number; slug: string; entry_id: string }>(
  `select o.field_key, o.slug, o.entry_id from old_slugs o
   join published_entries p on p.account_id = :account_id and p.id = o.entry_id and p.collection_id = :collection_id
   where o.account_id = :account_id and o.field_key = any(:field_keys)
     and (o.field_key, o.slug) > (:after_key, :after_slug collate "C")
     and not exists (
       select from entry_keys k
       where k.account_id = :account_id and k.field_key = o.field_key and k.sort_key = o.slug
     )
   order by o.field_key, o.slug limit :limit`,
);
