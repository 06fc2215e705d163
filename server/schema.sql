-- Written by npm run schema, out of the migrations. Not read by the service.

create extension btree_gin;

create extension pg_trgm;

create sequence analytics_name_seq increment 1 cache 1;

create sequence analytics_version_seq increment 1 cache 1;

create sequence conversion_arrival_seq increment 1 cache 1;

create sequence field_key_seq increment 1 cache 1;

create sequence moved_change_seq increment 1 cache 1;

create sequence outbox_seq increment 1 cache 1;

create sequence publication_changes_seq increment 1 cache 1;

create sequence session_number_seq increment 1 cache 1;

CREATE OR REPLACE FUNCTION public.audit_log_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('headwater.apply_audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $function$
;

CREATE OR REPLACE FUNCTION public.channel_of(source text, medium text, campaign text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  named text := lower(source);
  via text := lower(medium);
  names text[] := array[named, regexp_replace(
    regexp_replace(replace(named, ' ', '-'), '^((www|m|l|lm|amp|web|mobile|old|out|free|business|apps?|away|images|smile|[a-z]{2})\.)+(?=[^.]+\.)', ''),
    '\.(com?|org|net|io|de|fr|es|it|nl|pl|ru|jp|kr|cn|cz|br|mx|tv|uk|eu|at|ch|se|no|dk|fi|app)(\.[a-z]{2})?$', '')];
  is_assistant boolean := coalesce(names && '{chatgpt, chat.openai, openai, gemini, gemini.google, bard.google, claude, claude.ai, perplexity, perplexity.ai,
    copilot, copilot.microsoft, deepseek, chat.deepseek, grok, mistral.ai, chat.mistral.ai, meta.ai}'::text[], false);
  is_paid boolean := coalesce(via ~ '^(.*cp.*|ppc|retargeting|paid.*)$', false);
  of_shop boolean := coalesce(lower(campaign) ~ '^(.*(([^a-df-z]|^)shop|shopping).*)$', false);
  category text := case
    when names && '{360, alice, aol, ask, auone, avg, babylon, baidu, biglobe, bing, brave, centrum, cnn, comcast, conduit, daum, dogpile, duckduckgo, ecosia,
      eniro, exalead, excite, firmy, globo, go.mail, google, google-play, incredimail, kagi, kvasir, lens.google, lite.qwant, lycos, mail.rambler,
      mail.yandex, mamma, msn, najdi, naver, netscape, ntp.msn, onet, qwant, rakuten, rambler, search.brave, search.naver,
      search.seznam, search.yahoo, seznam, so, sogou, startpage, startsiden, suche.t-online, suche.web, terra, tut, ukr, virgilio, yahoo, yandex,
      yippy}'::text[] then 'Search'
    when names && '{academia, addthis, ameba, ameblo, ancestry, answers.yahoo, artstation, askubuntu, badoo, bebo, blogger, blogspot, bluesky, bsky.app,
      buzzfeed, cafemom, care2, classmates, cyworld, d.hatena, delicious, deviantart, dianping, digg, diigo, discord, disqus, docs.google, douban,
      draugiem, facebook, fandom, fb, fb.me, flickr, flipboard, foursquare, friendfeed, gab, getpocket, glassdoor, goodreads, google+, googleplus,
      groups.google, habbo, hackernews, hatena, hi5, hootsuite, houzz, ig, imageshack, instagram, instapaper, kakao, last.fm, librarything, line,
      linkedin, livejournal, lnkd.in, mastodon, medium, meetup, messenger, meta, mixi, myspace, news.ycombinator, nextdoor, ning, odnoklassniki,
      ok, open.kakao, over-pin.it, pinterest, plurk, plus.google, quora, redd.it, reddit, renren, scribd, sites.google, skype, slashdot,
      slideshare, smugmug, snapchat, stackexchange, stackoverflow, steemit, stumbleupon, t.co, t.me, telegram, threads, tiktok,
      tinyurl, trello, tripadvisor, truthsocial, tumblr, twitter, typepad, viadeo, vk, wa.me, wattpad, weebly, weibo, whatsapp, wordpress,
      workplace, x, xing, yammer, yelp, yuku, zalo}'::text[] then 'Social'
    when names && '{crackle, curiositystream, d.tube, dailymotion, disneyplus, fast.wistia, hulu, iq, iqiyi, justin, netflix, rutube, ted, twitch, utreon, veoh,
      vimeo, wistia, youku, youtu.be, youtube}'::text[] then 'Video'
    when names && '{alibaba, aliexpress, amazon, amazon-adsystem, checkout.shopify, checkout.stripe, ebay, etsy, google-shopping, igshopping, mercadolibre,
      shop.app, shopify, shopping.google, shopping.naver, shopzilla, smartstore.naver, stripe, target, temu, walmart, wish}'::text[] then 'Shopping' end;
begin
  return case
    when source is null and medium is null or named = '(direct)' and via in ('(none)', '(not set)') then 'Direct'
    when lower(campaign) like '%cross-network%' then 'Cross-network'
    when is_paid and (of_shop or category = 'Shopping') then 'Paid Shopping'
    when is_paid and category is not null then 'Paid ' || category
    when via in ('display', 'banner', 'expandable', 'interstitial', 'cpm') then 'Display'
    when is_paid then 'Paid Other'
    when of_shop or category = 'Shopping' then 'Organic Shopping'
    when category = 'Social' or via in ('social', 'social-network', 'social-media', 'sm', 'social network', 'social media') then 'Organic Social'
    when category = 'Video' or via like '%video%' then 'Organic Video'
    when category = 'Search' or via = 'organic' then 'Organic Search'
    when via = 'ai-assistant' or is_assistant and coalesce(via, 'referral') = 'referral' then 'AI Assistant'
    when named in ('email', 'e-mail', 'e_mail', 'e mail') or via in ('email', 'e-mail', 'e_mail', 'e mail') then 'Email'
    when via in ('affiliate', 'affiliates') then 'Affiliates'
    when via in ('referral', 'app', 'link') then 'Referral'
    when via = 'audio' then 'Audio'
    when named = 'sms' or via = 'sms' then 'SMS'
    when via like '%push' or via like '%mobile%' or via like '%notification%' or named = 'firebase' then 'Mobile Push Notifications'
    else 'Unassigned' end;
end $function$
;

CREATE OR REPLACE FUNCTION public.insertion_snapshot()
 RETURNS pg_snapshot
 LANGUAGE sql
 STABLE
AS $function$select pg_current_snapshot()$function$
;

create table account_locales (
  account_id uuid not null,
  settings jsonb not null,
  PRIMARY KEY (account_id)
);

create table account_moves (
  account_id uuid not null,
  from_cell text not null,
  to_cell text not null,
  state text not null,
  started_at timestamp(3) with time zone not null,
  error text,
  retry_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id),
  constraint account_moves_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint account_moves_from_cell_fkey FOREIGN KEY (from_cell) REFERENCES cells(name),
  constraint account_moves_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'following'::text, 'switching'::text, 'switched'::text, 'canceling'::text]))),
  constraint account_moves_to_cell_fkey FOREIGN KEY (to_cell) REFERENCES cells(name)
);

create table accounts (
  id uuid not null,
  name text not null,
  time_zone text,
  currency text,
  exchange_rates jsonb not null default '{}'::jsonb,
  cell text not null,
  created_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  moved_at timestamp with time zone,
  PRIMARY KEY (id),
  constraint accounts_cell_fkey FOREIGN KEY (cell) REFERENCES cells(name)
);
CREATE INDEX accounts_by_cell ON public.accounts USING btree (cell);
CREATE INDEX accounts_deleted ON public.accounts USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

create table ad_aliases (
  account_id uuid not null,
  source text not null,
  level text not null,
  value text not null,
  id text not null,
  is_assigned boolean not null,
  PRIMARY KEY (account_id, source, level, value),
  constraint ad_aliases_level_check CHECK ((level = ANY (ARRAY['campaign'::text, 'ad_group'::text, 'ad'::text])))
);

create table ad_cost_history (
  account_id uuid not null,
  day date not null,
  source text not null,
  campaign text not null,
  ad_group text not null,
  ad text not null,
  currency text not null,
  known_at timestamp(3) with time zone not null,
  replaced_at timestamp(3) with time zone not null,
  cost numeric not null,
  clicks bigint,
  impressions bigint,
  cost_source_id uuid,
  campaign_id text not null default ''::text,
  ad_group_id text not null default ''::text,
  ad_id text not null default ''::text,
  PRIMARY KEY (account_id, day, source, campaign, ad_group, ad, currency, campaign_id, ad_group_id, ad_id, known_at)
);

create table ad_costs (
  account_id uuid not null,
  day date not null,
  source text not null,
  campaign text not null,
  currency text not null,
  cost numeric not null,
  clicks bigint,
  impressions bigint,
  updated_at timestamp(3) with time zone not null,
  ad_group text not null default ''::text,
  ad text not null default ''::text,
  cost_source_id uuid,
  campaign_id text not null default ''::text,
  ad_group_id text not null default ''::text,
  ad_id text not null default ''::text,
  PRIMARY KEY (account_id, day, source, campaign, ad_group, ad, currency, campaign_id, ad_group_id, ad_id)
);

create table ad_names (
  account_id uuid not null,
  source text not null,
  level text not null,
  id text not null,
  name text not null,
  PRIMARY KEY (account_id, source, level, id),
  constraint ad_names_level_check CHECK ((level = ANY (ARRAY['campaign'::text, 'ad_group'::text, 'ad'::text])))
);

create table alert_incidents (
  account_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  opened_at timestamp(3) with time zone not null,
  resolved_at timestamp(3) with time zone,
  value double precision not null,
  expected double precision,
  limit_value double precision,
  text text not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX alert_incidents_by_rule ON public.alert_incidents USING btree (account_id, rule_id, id);

create table alert_notices (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  body text not null,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX alert_notices_due ON public.alert_notices USING btree (due_at);

create table alert_rules (
  account_id uuid not null,
  id uuid not null,
  definition jsonb not null,
  is_enabled boolean not null,
  checked jsonb,
  checked_at timestamp(3) with time zone,
  incident_id uuid,
  next_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX alert_rules_due ON public.alert_rules USING btree (next_at) WHERE is_enabled;

create table analytics_bot_checks (
  account_id uuid not null,
  from_number bigint not null,
  to_number bigint not null,
  PRIMARY KEY (account_id, to_number)
);

create table analytics_changed_sessions (
  account_id uuid not null,
  session_number bigint not null,
  due_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, session_number)
);

create table analytics_conversions (
  account_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  value numeric,
  currency text,
  is_refunded boolean not null,
  session_number bigint,
  session_started_at timestamp(3) with time zone,
  is_bot boolean not null,
  is_internal boolean not null,
  source text,
  medium text,
  campaign text,
  landing_page text,
  country text,
  device text,
  channel text,
  term text,
  content text,
  referrer text,
  exit_page text,
  browser text,
  os text,
  region text,
  platform_list bigint not null,
  page_list bigint not null,
  event_list bigint not null,
  funnel_list bigint not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX analytics_conversions_by_session ON public.analytics_conversions USING btree (account_id, session_number);
CREATE INDEX analytics_conversions_by_session_start ON public.analytics_conversions USING btree (account_id, session_started_at, session_number) INCLUDE (is_bot, is_internal, is_refunded, platform_list, page_list, event_list, funnel_list);
CREATE INDEX analytics_conversions_by_time ON public.analytics_conversions USING btree (account_id, at) INCLUDE (is_bot, is_internal, is_refunded, currency, value, platform_list, page_list, event_list, funnel_list);

create table analytics_deletions (
  account_id uuid not null,
  before timestamp(3) with time zone,
  PRIMARY KEY (account_id)
);

create table analytics_increment_backfills (
  account_id uuid not null,
  after uuid not null,
  PRIMARY KEY (account_id)
);

create table analytics_increment_rebuilds (
  account_id uuid not null,
  id uuid not null,
  conversion_id uuid not null,
  recorded_at timestamp(3) with time zone not null default now(),
  PRIMARY KEY (account_id, id)
);
CREATE INDEX analytics_increment_rebuilds_by_conversion ON public.analytics_increment_rebuilds USING btree (account_id, conversion_id);

create table analytics_increments (
  account_id uuid not null,
  conversion_id uuid not null,
  number integer not null,
  known_at timestamp(3) with time zone not null,
  sale_at timestamp(3) with time zone not null,
  value numeric not null,
  currency text,
  conversions smallint not null,
  is_refund boolean not null,
  session_number bigint,
  clicked_at timestamp(3) with time zone,
  is_bot boolean not null,
  is_internal boolean not null,
  source text,
  medium text,
  campaign text,
  term text,
  content text,
  landing_page text,
  PRIMARY KEY (account_id, conversion_id, number)
);
CREATE INDEX analytics_increments_by_click ON public.analytics_increments USING btree (account_id, clicked_at);
CREATE INDEX analytics_increments_by_sale ON public.analytics_increments USING btree (account_id, sale_at);
CREATE INDEX analytics_increments_by_session ON public.analytics_increments USING btree (account_id, session_number);

create table analytics_leads (
  account_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  session_number bigint,
  is_bot boolean not null,
  is_internal boolean not null,
  source text,
  medium text,
  campaign text,
  landing_page text,
  country text,
  device text,
  channel text,
  term text,
  content text,
  referrer text,
  exit_page text,
  browser text,
  os text,
  region text,
  platform_list bigint not null,
  page_list bigint not null,
  event_list bigint not null,
  funnel_list bigint not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX analytics_leads_by_session ON public.analytics_leads USING btree (account_id, session_number);
CREATE INDEX analytics_leads_by_time ON public.analytics_leads USING btree (account_id, at) INCLUDE (is_bot, is_internal, platform_list, page_list, event_list, funnel_list);

create table analytics_lists (
  account_id uuid not null,
  key bigint not null,
  list text[] not null,
  PRIMARY KEY (account_id, key)
);

create table analytics_names (
  account_id uuid not null,
  id integer not null default nextval('analytics_name_seq'::regclass),
  name text collate "C" not null,
  PRIMARY KEY (account_id, id),
  constraint analytics_names_account_id_name_key UNIQUE (account_id, name)
);

create table analytics_progress (
  only_row boolean not null default true,
  snapshot pg_snapshot not null,
  recorded_at timestamp(3) with time zone not null,
  PRIMARY KEY (only_row),
  constraint analytics_progress_only_row_check CHECK (only_row)
);

create table analytics_readers (
  account_id uuid not null,
  read_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id)
);

create table analytics_rebuild_turn (
  only_row boolean not null default true,
  account_id uuid not null,
  PRIMARY KEY (only_row),
  constraint analytics_rebuild_turn_only_row_check CHECK (only_row)
);

create table analytics_segments (
  account_id uuid not null,
  segment bigint not null,
  version bigint not null,
  first_at timestamp(3) with time zone,
  last_at timestamp(3) with time zone,
  first_event_at timestamp(3) with time zone,
  last_event_at timestamp(3) with time zone,
  core bytea not null,
  visitors bytea not null,
  visits bytea not null,
  pages bytea not null,
  events bytea not null,
  event_names bytea not null,
  event_funnels bytea not null,
  milliseconds bytea not null,
  source bytea not null,
  medium bytea not null,
  campaign bytea not null,
  landing_page bytea not null,
  country bytea not null,
  device bytea not null,
  channel bytea not null,
  term bytea not null,
  content bytea not null,
  referrer bytea not null,
  exit_page bytea not null,
  browser bytea not null,
  os bytea not null,
  region bytea not null,
  is_stale boolean not null default false,
  PRIMARY KEY (account_id, segment)
);

create table analytics_sessionless_events (
  account_id uuid not null,
  at timestamp(3) with time zone not null,
  event text collate "C" not null,
  funnel text collate "C" not null,
  is_bot boolean not null,
  is_internal boolean not null,
  events bigint not null,
  PRIMARY KEY (account_id, at, event, funnel, is_bot, is_internal)
);

create table annotations (
  account_id uuid not null,
  id uuid not null,
  day date,
  at timestamp(3) with time zone,
  text text not null,
  author_type text not null,
  author_id uuid,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint annotations_check CHECK (((day IS NULL) <> (at IS NULL)))
);

create table api_keys (
  id uuid not null,
  account_id uuid not null,
  type text not null,
  name text not null,
  hash bytea not null,
  hint text not null,
  publishable_key text,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  allowed_addresses text[],
  role text,
  expiry_announced_at timestamp(3) with time zone,
  role_id uuid,
  PRIMARY KEY (id),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_account_id_role_id_fkey FOREIGN KEY (account_id, role_id) REFERENCES roles(account_id, id),
  constraint api_keys_check CHECK (((type = 'publishable'::text) = (publishable_key IS NOT NULL))),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_role_check CHECK (((role IS NULL) OR ((role = ANY (ARRAY['editor'::text, 'viewer'::text, 'custom'::text])) AND (type = 'secret'::text)))),
  constraint api_keys_role_id_check CHECK (((role_id IS NOT NULL) = COALESCE((role = 'custom'::text), false))),
  constraint api_keys_type_check CHECK ((type = ANY (ARRAY['secret'::text, 'publishable'::text, 'postback'::text])))
);
CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id, id);
CREATE INDEX api_keys_by_expiry ON public.api_keys USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (revoked_at IS NULL) AND (expiry_announced_at IS NULL));
CREATE INDEX api_keys_by_role ON public.api_keys USING btree (account_id, role_id) WHERE (role_id IS NOT NULL);

create table asset_urls (
  account_id uuid not null,
  url_key uuid not null,
  asset_id uuid not null,
  PRIMARY KEY (account_id, url_key)
);
CREATE INDEX asset_urls_by_asset ON public.asset_urls USING btree (account_id, asset_id);

create table asset_uses (
  account_id uuid not null,
  asset_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  active boolean not null,
  PRIMARY KEY (account_id, asset_id, entry_id)
);
CREATE INDEX asset_uses_by_entry ON public.asset_uses USING btree (account_id, entry_id);

create table assets (
  account_id uuid not null,
  id uuid not null,
  url_key uuid not null,
  type text not null,
  media_type text not null,
  name text not null,
  bytes bigint not null,
  sha256 bytea not null,
  width integer,
  height integer,
  duration_seconds double precision,
  storage_key text not null,
  created_at timestamp(3) with time zone not null,
  alt text,
  focal_x double precision,
  focal_y double precision,
  codec text,
  animated boolean not null default false,
  thumbhash bytea,
  poster_key text,
  poster_width integer,
  poster_height integer,
  poster_due timestamp(3) with time zone,
  unused_since timestamp(3) with time zone,
  updated_at timestamp(3) with time zone not null,
  tags jsonb not null default '[]'::jsonb,
  deleted_at timestamp(3) with time zone,
  title text,
  caption text,
  translations jsonb not null default '{}'::jsonb,
  folder_id uuid,
  signing_key bytea,
  PRIMARY KEY (account_id, id),
  constraint assets_account_id_url_key_key UNIQUE (account_id, url_key),
  constraint assets_focal_x_check CHECK (((focal_x >= (0)::double precision) AND (focal_x <= (1)::double precision))),
  constraint assets_focal_y_check CHECK (((focal_y >= (0)::double precision) AND (focal_y <= (1)::double precision))),
  constraint assets_type_check CHECK ((type = ANY (ARRAY['image'::text, 'video'::text, 'file'::text])))
);
CREATE INDEX assets_by_content ON public.assets USING btree (account_id, sha256);
CREATE INDEX assets_by_folder ON public.assets USING btree (account_id, folder_id, id) WHERE (folder_id IS NOT NULL);
CREATE INDEX assets_by_name ON public.assets USING gin (account_id, lower(name) gin_trgm_ops);
CREATE INDEX assets_by_poster_due ON public.assets USING btree (account_id, poster_due) WHERE (poster_due IS NOT NULL);
CREATE INDEX assets_by_tag ON public.assets USING gin (account_id, tags) WHERE (tags <> '[]'::jsonb);
CREATE INDEX assets_by_type ON public.assets USING btree (account_id, type, id);
CREATE INDEX assets_trashed ON public.assets USING btree (account_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX assets_unused ON public.assets USING btree (account_id, unused_since, id) WHERE (unused_since IS NOT NULL);
CREATE INDEX assets_without_alt ON public.assets USING btree (account_id, id) WHERE ((type = 'image'::text) AND (alt IS NULL));

create table audit_log (
  account_id uuid not null,
  id uuid not null,
  actor_type text not null,
  actor_id uuid,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  address text,
  before jsonb,
  after jsonb,
  PRIMARY KEY (account_id, id),
  constraint audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text])))
);
CREATE INDEX audit_log_by_action ON public.audit_log USING btree (account_id, action, id);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (account_id, actor_id, id);
CREATE INDEX audit_log_by_age ON public.audit_log USING btree (id);
CREATE INDEX audit_log_by_subject ON public.audit_log USING btree (account_id, subject_id, id);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_append_only();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();

create table cells (
  name text not null,
  url bytea,
  is_open boolean not null default true,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (name),
  constraint cells_check CHECK (((name = 'main'::text) = (url IS NULL))),
  constraint cells_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,62}$'::text))
);

create table changed_entries (
  account_id uuid not null,
  change_id uuid not null,
  entry_id uuid not null,
  state text not null default 'waiting'::text,
  version integer,
  PRIMARY KEY (account_id, change_id, entry_id),
  constraint changed_entries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'changed'::text, 'unchanged'::text, 'refused'::text, 'undone'::text, 'skipped'::text])))
);
CREATE INDEX changed_entries_waiting ON public.changed_entries USING btree (account_id, change_id, entry_id) WHERE (state = 'waiting'::text);

create table channel_rules (
  account_id uuid not null,
  rules jsonb not null,
  version integer not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id)
);

create table click_ids (
  account_id uuid not null,
  digest uuid not null,
  session_number bigint not null,
  seen_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, digest, seen_at, session_number)
);

create table collections (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  fields jsonb not null,
  display_field_id text,
  default_sort jsonb,
  status text not null,
  version bigint not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  publishing boolean not null default false,
  public boolean not null default false,
  preview_url text,
  review text,
  locales jsonb,
  purging boolean not null default false,
  index_format integer,
  key text,
  settings jsonb,
  partial boolean not null default false,
  PRIMARY KEY (account_id, id),
  constraint collections_review_check CHECK ((review = ANY (ARRAY['editor'::text, 'owner'::text]))),
  constraint collections_status_check CHECK ((status = ANY (ARRAY['active'::text, 'deleted'::text])))
);
CREATE INDEX collections_by_creation ON public.collections USING btree (account_id, created_at, id) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX collections_by_key ON public.collections USING btree (account_id, key) WHERE ((status = 'active'::text) AND (key IS NOT NULL));
CREATE INDEX collections_deleted ON public.collections USING btree (account_id, updated_at, id) WHERE (status = 'deleted'::text);
CREATE INDEX collections_purging ON public.collections USING btree (account_id, id) WHERE purging;

create table components (
  account_id uuid not null,
  id uuid not null,
  key text,
  name text not null,
  fields jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX components_by_key ON public.components USING btree (account_id, key) WHERE (key IS NOT NULL);

create table conversion_imports (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  reported integer not null default 0,
  unmatched integer not null default 0,
  failed integer not null default 0,
  undone_at timestamp(3) with time zone,
  undo_finished_at timestamp(3) with time zone,
  withdrawn integer not null default 0,
  reverted integer not null default 0,
  deleted_unmatched integer not null default 0,
  PRIMARY KEY (account_id, id)
);

create table conversion_revisions (
  account_id uuid not null,
  conversion_id uuid not null,
  arrival bigint not null,
  event text,
  value numeric,
  currency text,
  created_on timestamp(3) with time zone,
  extra jsonb,
  identifier jsonb,
  origin text not null,
  received_at timestamp(3) with time zone not null,
  version integer not null default 1,
  import_id uuid,
  withdrawn_version integer,
  inserted_xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  known_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, conversion_id, arrival)
);
CREATE INDEX conversion_revisions_by_import ON public.conversion_revisions USING btree (account_id, import_id, conversion_id) WHERE ((import_id IS NOT NULL) AND (withdrawn_version IS NULL));
CREATE INDEX conversion_revisions_by_transaction ON public.conversion_revisions USING brin (inserted_xid) WITH (pages_per_range='16', autosummarize='on');

create table conversions (
  account_id uuid not null,
  id uuid not null,
  event_id text collate "C",
  sent_event text,
  event text not null generated always as (COALESCE(sent_event, 'conversion'::text)) stored,
  value numeric,
  currency text,
  sent_created_on timestamp(3) with time zone,
  created_on timestamp(3) with time zone not null generated always as (COALESCE(sent_created_on, received_at)) stored,
  received_at timestamp(3) with time zone not null,
  origin text not null,
  is_trusted boolean not null default true,
  identifier jsonb,
  identifier_digest uuid,
  session_number bigint,
  extra jsonb,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  withdrawn_at timestamp(3) with time zone,
  erased_stubs uuid[],
  PRIMARY KEY (account_id, id),
  constraint conversions_origin_check CHECK ((origin = ANY (ARRAY['report'::text, 'event'::text])))
) with (fillfactor=85);
CREATE UNIQUE INDEX conversions_by_event_id ON public.conversions USING btree (account_id, event_id) WHERE (event_id IS NOT NULL);
CREATE INDEX conversions_by_session ON public.conversions USING btree (account_id, session_number) WHERE (session_number IS NOT NULL);
CREATE INDEX conversions_by_time ON public.conversions USING btree (account_id, created_on, id);

create table cost_sources (
  account_id uuid not null,
  id uuid not null,
  platform text not null,
  ad_account text not null,
  name text not null,
  source text not null,
  credentials bytea not null,
  connection jsonb not null,
  destination_id uuid,
  mode text not null,
  paused_at timestamp(3) with time zone,
  pause_reason text,
  failing_since timestamp(3) with time zone,
  failures integer not null default 0,
  notified_at timestamp(3) with time zone,
  error text,
  currency text,
  time_zone text,
  pending jsonb,
  due_at timestamp(3) with time zone,
  last_read_at timestamp(3) with time zone,
  version integer not null default 0,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint cost_sources_account_id_platform_ad_account_key UNIQUE (account_id, platform, ad_account),
  constraint cost_sources_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'off'::text]))),
  constraint cost_sources_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['credentials'::text, 'access'::text])))
) with (fillfactor=70);
CREATE INDEX cost_sources_due ON public.cost_sources USING btree (due_at) WHERE (due_at IS NOT NULL);

create table data_keys (
  account_id uuid not null,
  wrapped bytea not null,
  master_key text not null,
  PRIMARY KEY (account_id)
);

create table deleted_publications (
  account_id uuid not null,
  entry_id uuid not null,
  "values" json not null,
  version integer not null,
  locales jsonb,
  PRIMARY KEY (account_id, entry_id)
);

create table destination_deliveries (
  account_id uuid not null,
  destination_id uuid not null,
  conversion_id uuid not null,
  status text not null,
  reason text,
  version integer not null,
  sent jsonb,
  attempts jsonb not null,
  response text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, destination_id, conversion_id),
  constraint destination_deliveries_status_check CHECK ((status = ANY (ARRAY['sent'::text, 'adjusted'::text, 'retracted'::text, 'skipped'::text, 'rejected'::text, 'not_adjustable'::text, 'uncertain'::text])))
);
CREATE INDEX destination_deliveries_by_status ON public.destination_deliveries USING btree (account_id, destination_id, status, updated_at, conversion_id) WHERE (status IS NOT NULL);
CREATE INDEX destination_deliveries_with_response ON public.destination_deliveries USING btree (account_id, conversion_id) WHERE (response IS NOT NULL);

create table destination_queue (
  account_id uuid not null,
  destination_id uuid not null,
  conversion_id uuid not null,
  version integer not null,
  is_first boolean not null,
  is_replay boolean not null default false,
  queued_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  tries integer not null default 0,
  intent jsonb,
  batch_group uuid,
  tag text,
  paths text[],
  PRIMARY KEY (account_id, destination_id, conversion_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, vacuum_truncate=off);
CREATE INDEX destination_queue_by_due ON public.destination_queue USING btree (account_id, destination_id, due_at) WHERE (due_at IS NOT NULL);

create table destination_requests (
  account_id uuid not null,
  destination_id uuid not null,
  id uuid not null,
  intents text not null,
  PRIMARY KEY (account_id, destination_id, id)
);

create table destination_turns (
  account_id uuid not null,
  destination_id uuid not null,
  turn uuid not null,
  PRIMARY KEY (account_id, destination_id)
) with (fillfactor=50);

create table destinations (
  account_id uuid not null,
  id uuid not null,
  platform text not null,
  name text not null,
  credentials bytea not null,
  connection jsonb not null,
  mapping jsonb not null,
  filter jsonb not null,
  consent text not null,
  mode text not null,
  start_at timestamp(3) with time zone not null,
  send_after integer not null,
  paused_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  notified_at timestamp(3) with time zone,
  error text,
  last_sent_at timestamp(3) with time zone,
  blocked_until timestamp(3) with time zone,
  version integer not null default 0,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  pause_reason text,
  refusal_code text,
  refused_since timestamp(3) with time zone,
  accepts_refusals boolean not null default false,
  trusts_public_values boolean not null default false,
  value_sent text not null default 'current'::text,
  PRIMARY KEY (account_id, id),
  constraint destinations_consent_check CHECK ((consent = ANY (ARRAY['required'::text, 'unless_denied'::text, 'ignore'::text]))),
  constraint destinations_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'validate'::text, 'off'::text]))),
  constraint destinations_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['credentials'::text, 'access'::text, 'refusals'::text]))),
  constraint destinations_value_sent_check CHECK ((value_sent = ANY (ARRAY['current'::text, 'expected'::text, 'settled'::text])))
) with (fillfactor=70);

create table entries (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  "values" json not null,
  sort_keys jsonb not null,
  filter_bitmap bigint,
  status text not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  change text,
  changed_fields text[],
  restored_from integer,
  author_type text,
  author_id uuid,
  published_version integer,
  published_at timestamp(3) with time zone,
  published_locales jsonb,
  publications integer not null default 0,
  PRIMARY KEY (account_id, id),
  constraint entries_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text]))),
  constraint entries_change_check CHECK ((change = ANY (ARRAY['changed'::text, 'deleted'::text, 'restored'::text]))),
  constraint entries_status_check CHECK ((status = ANY (ARRAY['active'::text, 'deleted'::text])))
) with (toast_tuple_target=8160);
CREATE INDEX entries_by_creation ON public.entries USING btree (account_id, collection_id, created_at, id) WHERE (status = 'active'::text);
CREATE INDEX entries_by_update ON public.entries USING btree (account_id, collection_id, updated_at, id) WHERE (status = 'active'::text);
CREATE INDEX entries_deleted ON public.entries USING btree (account_id, collection_id, updated_at, id) WHERE (status = 'deleted'::text);
CREATE INDEX entries_deleted_by_time ON public.entries USING btree (updated_at) WHERE (status = 'deleted'::text);

create table entry_changes (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  request jsonb not null,
  author_type text not null,
  author_id uuid,
  matched integer,
  undone_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint entry_changes_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text])))
);
CREATE INDEX entry_changes_by_expiry ON public.entry_changes USING btree (expires_at);

create table entry_comments (
  account_id uuid not null,
  id uuid not null,
  entry_id uuid not null,
  text text not null,
  author_type text not null,
  author_id uuid,
  PRIMARY KEY (account_id, id),
  constraint entry_comments_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text])))
);
CREATE INDEX entry_comments_by_entry ON public.entry_comments USING btree (account_id, entry_id, id);

create table entry_drafts (
  account_id uuid not null,
  entry_id uuid not null,
  owner_id uuid not null,
  version integer not null,
  changes jsonb not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, entry_id, owner_id)
);
CREATE INDEX entry_drafts_by_time ON public.entry_drafts USING btree (updated_at);

create table entry_import_batches (
  account_id uuid not null,
  import_id uuid not null,
  stage text not null,
  number integer not null,
  results text not null,
  entry_ids uuid[] not null default '{}'::uuid[],
  versions integer[] not null default '{}'::integer[],
  previous_values text[] not null default '{}'::text[],
  row_numbers bigint[] not null default '{}'::bigint[],
  PRIMARY KEY (account_id, import_id, stage, number),
  constraint entry_import_batches_stage_check CHECK ((stage = ANY (ARRAY['dry_run'::text, 'import'::text, 'undo'::text])))
);

create table entry_import_parts (
  account_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  PRIMARY KEY (account_id, import_id, number)
);

create table entry_imports (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  name text not null,
  bytes bigint not null default 0,
  delimiter text,
  columns jsonb,
  mapping jsonb,
  stage text not null default 'upload'::text,
  is_stage_done boolean not null default false,
  job_id uuid,
  author_type text,
  author_id uuid,
  batches_done integer not null default 0,
  rows_read bigint not null default 0,
  dry_run jsonb,
  imported jsonb,
  undone jsonb,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint entry_imports_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text]))),
  constraint entry_imports_stage_check CHECK ((stage = ANY (ARRAY['upload'::text, 'dry_run'::text, 'import'::text, 'undo'::text])))
);
CREATE INDEX entry_imports_by_collection ON public.entry_imports USING btree (account_id, collection_id, id);
CREATE INDEX entry_imports_by_expiry ON public.entry_imports USING btree (expires_at);

create table entry_index (
  account_id uuid not null,
  field_key bigint not null,
  sort_key text collate "C" not null,
  entry_id uuid not null,
  filter_bitmap bigint,
  PRIMARY KEY (account_id, field_key, sort_key, entry_id) INCLUDE (filter_bitmap)
);

create table entry_keys (
  account_id uuid not null,
  field_key bigint not null,
  sort_key text collate "C" not null,
  entry_id uuid not null,
  PRIMARY KEY (account_id, field_key, sort_key)
);

create table entry_presence (
  account_id uuid not null,
  entry_id uuid not null,
  user_id uuid not null,
  seen_at timestamp(3) with time zone not null,
  field text,
  PRIMARY KEY (account_id, entry_id, user_id)
);

create table entry_reviews (
  account_id uuid not null,
  entry_id uuid not null,
  state text not null,
  version integer not null,
  approved_versions integer[] not null,
  assignee_id uuid,
  author_type text not null,
  author_id uuid,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, entry_id),
  constraint entry_reviews_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text]))),
  constraint entry_reviews_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text])))
);

create table entry_texts (
  account_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  text text not null,
  PRIMARY KEY (account_id, entry_id)
);
CREATE INDEX entry_texts_by_trigram ON public.entry_texts USING gin (collection_id, text gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='1024');

create table entry_versions (
  account_id uuid not null,
  entry_id uuid not null,
  version integer not null,
  "values" json not null,
  status text not null,
  change text,
  changed_fields text[],
  restored_from integer,
  author_type text,
  author_id uuid,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, entry_id, version)
);

create table entry_views (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  owner_id uuid,
  name text not null,
  state jsonb not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX entry_views_by_name ON public.entry_views USING btree (account_id, collection_id, owner_id, lower(name)) NULLS NOT DISTINCT;

create table events (
  account_id uuid not null,
  id uuid not null,
  client_event_id text collate "C",
  is_trusted boolean not null default false,
  event text not null,
  properties jsonb not null,
  session_number bigint,
  lead_id uuid,
  is_bot boolean not null,
  is_internal boolean not null default false,
  occurred_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone not null,
  inserted_xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX events_by_client_id ON public.events USING btree (account_id, client_event_id, is_trusted) WHERE (client_event_id IS NOT NULL);
CREATE INDEX events_by_session ON public.events USING btree (account_id, session_number) WHERE (session_number IS NOT NULL);
CREATE INDEX events_by_transaction ON public.events USING brin (inserted_xid) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX events_late ON public.events USING btree (account_id, occurred_at) WHERE ((received_at - occurred_at) > '1 day'::interval);
CREATE INDEX events_of_exposed_visitors ON public.events USING btree (account_id, md5((properties ->> 'visitorId'::text))) WHERE ((event = 'experiment_exposure'::text) AND (session_number IS NULL));
CREATE INDEX events_of_exposures ON public.events USING btree (account_id, "left"((properties ->> 'experiment'::text), 65), id) WHERE (event = 'experiment_exposure'::text);
CREATE INDEX events_of_leads_alone ON public.events USING btree (account_id, lead_id, id) WHERE ((session_number IS NULL) AND (lead_id IS NOT NULL));

create table exchange_rates (
  account_id uuid not null,
  base text not null,
  currency text not null,
  day date not null,
  known_at timestamp(3) with time zone not null,
  rate numeric not null,
  PRIMARY KEY (account_id, base, currency, day, known_at)
);

create table experiment_series (
  account_id uuid not null,
  experiment_id uuid not null,
  metric smallint not null,
  snapshot pg_snapshot,
  basis jsonb not null default '{}'::jsonb,
  refreshed_at timestamp(3) with time zone,
  ahead text[] not null default '{}'::text[],
  erased_visitors text[] not null default '{}'::text[],
  erased_leads uuid[] not null default '{}'::uuid[],
  PRIMARY KEY (account_id, experiment_id, metric)
);

create table experiment_sums (
  account_id uuid not null,
  experiment_id uuid not null,
  metric smallint not null,
  variant text not null,
  hour integer not null,
  visitors integer not null,
  contaminated integer not null,
  conversions integer not null,
  revenue numeric not null,
  settled_conversions integer not null,
  settled_revenue numeric not null,
  settled_sum numeric not null,
  settled_squares numeric not null,
  sum numeric not null,
  squares numeric not null,
  PRIMARY KEY (account_id, experiment_id, metric, variant, hour)
);

create table experiment_visitors (
  account_id uuid not null,
  experiment_id uuid not null,
  metric smallint not null,
  person uuid not null,
  variant text not null,
  is_contaminated boolean not null,
  settles_at timestamp(3) with time zone not null,
  conversions integer not null,
  revenue numeric not null,
  settled_conversions integer not null,
  settled_revenue numeric not null,
  place jsonb,
  PRIMARY KEY (account_id, experiment_id, metric, person)
);
CREATE INDEX experiment_visitors_by_settling ON public.experiment_visitors USING btree (account_id, experiment_id, metric, settles_at);
CREATE INDEX experiment_visitors_with_values ON public.experiment_visitors USING btree (account_id, experiment_id, metric) WHERE ((conversions <> 0) OR (revenue <> (0)::numeric) OR (settled_conversions <> 0) OR (settled_revenue <> (0)::numeric));

create table experiments (
  account_id uuid not null,
  id uuid not null,
  key text collate "C" not null,
  status text not null,
  definition jsonb not null,
  preceding jsonb not null default '[]'::jsonb,
  shipped_variant text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone,
  stopped_at timestamp(3) with time zone,
  shipped_at timestamp(3) with time zone,
  release_id uuid,
  before jsonb,
  is_served boolean not null default false,
  kept_results jsonb,
  kept_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, id),
  constraint experiments_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'running'::text, 'stopped'::text, 'shipped'::text])))
);
CREATE UNIQUE INDEX experiments_by_key ON public.experiments USING btree (account_id, key);
CREATE INDEX experiments_running ON public.experiments USING btree (account_id, started_at) WHERE (status = 'running'::text);
CREATE INDEX experiments_served ON public.experiments USING btree (account_id) WHERE is_served;

create table field_backfills (
  account_id uuid not null,
  collection_id uuid not null,
  field_key bigint not null,
  entry_id uuid not null,
  published boolean not null default false,
  PRIMARY KEY (account_id, field_key)
);

create table file_folders (
  account_id uuid not null,
  id uuid not null,
  parent_id uuid,
  name text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX file_folders_by_name ON public.file_folders USING btree (account_id, COALESCE(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));

create table file_variants (
  account_id uuid not null,
  source_key text not null,
  spec text not null,
  storage_key text not null,
  lease_until timestamp(3) with time zone not null,
  bytes bigint,
  used_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, source_key, spec)
);
CREATE INDEX file_variants_by_use ON public.file_variants USING btree (used_at);

create table former_publications (
  account_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  "values" json not null,
  version integer not null,
  locales jsonb,
  published_at timestamp(3) with time zone not null,
  until timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, entry_id, until)
);
CREATE INDEX former_publications_by_collection ON public.former_publications USING btree (account_id, collection_id, until);
CREATE INDEX former_publications_by_time ON public.former_publications USING btree (until);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  response json,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

create table instance (
  only_row boolean not null default true,
  secret bytea,
  cell text not null default 'main'::text,
  created_at timestamp(3) with time zone not null default now(),
  node integer,
  moves integer not null default 0,
  installation uuid,
  wrapped_secret bytea,
  master_key text,
  session_key bytea,
  seals_version integer not null default 0,
  PRIMARY KEY (only_row),
  constraint instance_only_row_check CHECK (only_row)
);

create table invitations (
  account_id uuid not null,
  id uuid not null,
  hash bytea not null,
  role text not null,
  email text,
  invited_by uuid,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  accepted_at timestamp(3) with time zone,
  accepted_by uuid,
  revoked_at timestamp(3) with time zone,
  area text,
  is_mailed boolean not null default false,
  role_id uuid,
  PRIMARY KEY (account_id, id),
  constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id),
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint invitations_account_id_role_id_fkey FOREIGN KEY (account_id, role_id) REFERENCES roles(account_id, id),
  constraint invitations_check CHECK (((area IS NULL) OR ((area = ANY (ARRAY['content'::text, 'analytics'::text])) AND (role <> 'owner'::text)))),
  constraint invitations_hash_key UNIQUE (hash),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text, 'custom'::text]))),
  constraint invitations_role_id_check CHECK (((role_id IS NOT NULL) = (role = 'custom'::text)))
);
CREATE INDEX invitations_by_role ON public.invitations USING btree (account_id, role_id) WHERE (role_id IS NOT NULL);

create table jobs (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  params jsonb not null,
  status text not null,
  progress double precision not null default 0,
  result jsonb,
  error jsonb,
  attempt integer not null default 0,
  crashes integer not null default 0,
  due_at timestamp with time zone,
  created_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  author_type text,
  author_id uuid,
  PRIMARY KEY (account_id, id),
  constraint jobs_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision))),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX jobs_by_expiry ON public.jobs USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX jobs_by_start ON public.jobs USING btree (account_id, started_at);
CREATE INDEX jobs_open ON public.jobs USING btree (account_id, id) WHERE (due_at IS NOT NULL);

create table late_sessions (
  account_id uuid not null,
  started_at timestamp(3) with time zone not null,
  session_number bigint not null,
  PRIMARY KEY (account_id, started_at, session_number)
);

create table lead_sessions (
  account_id uuid not null,
  lead_id uuid not null,
  started_at timestamp(3) with time zone not null,
  session_number bigint not null,
  PRIMARY KEY (account_id, lead_id, started_at, session_number)
);

create table leads (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  first_seen_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  name text,
  notes text,
  version integer not null default 1,
  PRIMARY KEY (account_id, id),
  constraint leads_account_id_email_key UNIQUE (account_id, email)
) with (fillfactor=85);
CREATE INDEX leads_by_email_prefix ON public.leads USING btree (account_id, email text_pattern_ops);
CREATE INDEX leads_by_part ON public.leads USING gin (account_id, (((email || ' '::text) || lower(COALESCE(name, ''::text)))) gin_trgm_ops);

create table mails (
  id uuid not null,
  sealed bytea not null,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null,
  PRIMARY KEY (id)
);
CREATE INDEX mails_by_time ON public.mails USING btree (due_at);

create table members (
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  joined_at timestamp(3) with time zone not null,
  area text,
  role_id uuid,
  PRIMARY KEY (account_id, user_id),
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_account_id_role_id_fkey FOREIGN KEY (account_id, role_id) REFERENCES roles(account_id, id),
  constraint members_check CHECK (((area IS NULL) OR ((area = ANY (ARRAY['content'::text, 'analytics'::text])) AND (role <> 'owner'::text)))),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text, 'custom'::text]))),
  constraint members_role_id_check CHECK (((role_id IS NOT NULL) = (role = 'custom'::text))),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX members_by_role ON public.members USING btree (account_id, role_id) WHERE (role_id IS NOT NULL);
CREATE INDEX members_by_user ON public.members USING btree (user_id);

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone not null default now(),
  PRIMARY KEY (name)
);

create table moved_changes (
  account_id uuid not null,
  id bigint not null default nextval('moved_change_seq'::regclass),
  table_name text not null,
  key jsonb not null,
  PRIMARY KEY (account_id, id)
);

create table moving_accounts (
  account_id uuid not null,
  state text not null,
  PRIMARY KEY (account_id),
  constraint moving_accounts_state_check CHECK ((state = ANY (ARRAY['leaving'::text, 'quiesced'::text, 'fenced'::text, 'left'::text, 'arriving'::text])))
);

create table old_slugs (
  account_id uuid not null,
  field_key bigint not null,
  slug text collate "C" not null,
  entry_id uuid not null,
  PRIMARY KEY (account_id, field_key, slug)
);
CREATE INDEX old_slugs_by_entry ON public.old_slugs USING btree (account_id, entry_id);

create table orphaned_blobs (
  account_id uuid not null,
  storage_key text not null,
  delete_after timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, storage_key)
);
CREATE INDEX orphaned_blobs_by_time ON public.orphaned_blobs USING btree (delete_after);

create table outbox (
  account_id uuid not null,
  id bigint not null default nextval('outbox_seq'::regclass),
  topic text not null,
  resources uuid[] not null,
  sequences bigint[],
  data text,
  at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

create table outbox_subscriptions (
  account_id uuid not null,
  topic text not null,
  subscriber_id uuid not null,
  is_ordered boolean not null default false,
  PRIMARY KEY (account_id, topic, subscriber_id)
);
CREATE INDEX outbox_subscriptions_in_order ON public.outbox_subscriptions USING btree (account_id) WHERE is_ordered;

create table plans (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null default 'waiting'::text,
  reason text,
  request jsonb not null,
  preview jsonb not null,
  state text not null,
  result jsonb,
  client text,
  author_type text not null,
  author_id uuid,
  decided_by_type text,
  decided_by_id uuid,
  decided_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, id),
  constraint plans_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text]))),
  constraint plans_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'applying'::text, 'applied'::text, 'undone'::text, 'dismissed'::text, 'stale'::text])))
);
CREATE INDEX plans_waiting ON public.plans USING btree (account_id, id) WHERE (status = 'waiting'::text);

create table publication_changes (
  account_id uuid not null,
  id bigint not null default nextval('publication_changes_seq'::regclass),
  sequence bigint,
  collection_id uuid not null,
  entry_id uuid not null,
  type text not null,
  locale text,
  slug text,
  previous_slug text,
  at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint publication_changes_type_check CHECK ((type = ANY (ARRAY['publish'::text, 'unpublish'::text])))
);
CREATE INDEX publication_changes_by_collection ON public.publication_changes USING btree (account_id, collection_id, sequence);
CREATE UNIQUE INDEX publication_changes_by_sequence ON public.publication_changes USING btree (account_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX publication_changes_by_time ON public.publication_changes USING btree (at);
CREATE INDEX publication_changes_waiting ON public.publication_changes USING btree (account_id, id) WHERE (sequence IS NULL);

create table publication_feeds (
  account_id uuid not null,
  last bigint not null default 0,
  expired bigint not null default 0,
  PRIMARY KEY (account_id)
);

create table publish_hooks (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  collection_ids text[],
  on_error text not null,
  is_enabled boolean not null,
  secret bytea not null,
  last_outcome text,
  last_error text,
  last_asked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);

create table published_changes (
  account_id uuid not null,
  collection_id uuid not null,
  changes bigint not null,
  PRIMARY KEY (account_id, collection_id)
);

create table published_entries (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  "values" json not null,
  sort_keys jsonb not null,
  filter_bitmap bigint,
  status text not null default 'active'::text,
  version integer not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  locales jsonb,
  PRIMARY KEY (account_id, id),
  constraint published_entries_status_check CHECK ((status = 'active'::text))
) with (toast_tuple_target=8160);
CREATE INDEX published_entries_by_creation ON public.published_entries USING btree (account_id, collection_id, created_at, id) WHERE (status = 'active'::text);
CREATE INDEX published_entries_by_update ON public.published_entries USING btree (account_id, collection_id, updated_at, id) WHERE (status = 'active'::text);

create table published_texts (
  account_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  text text not null,
  PRIMARY KEY (account_id, entry_id)
);
CREATE INDEX published_texts_by_trigram ON public.published_texts USING gin (collection_id, text gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='1024');

create table queue_alarms (
  account_id uuid not null,
  queue text not null,
  subject text not null,
  since timestamp(3) with time zone not null,
  raised_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, queue, subject)
);

create unlogged table rate_limit_usage (
  key bytea not null,
  used double precision not null,
  demand double precision not null,
  per_second double precision not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (key)
);

create table reconciliation_lines (
  account_id uuid not null,
  reconciliation_id uuid not null,
  number integer not null,
  outcome text not null,
  reason text,
  detail text,
  identifier text,
  click jsonb,
  rows integer[] not null,
  there numeric,
  here numeric,
  currency text,
  here_currency text,
  conversion_id uuid,
  version integer,
  at timestamp(3) with time zone,
  can_apply boolean not null,
  applied_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, reconciliation_id, number)
);
CREATE INDEX reconciliation_lines_by_outcome ON public.reconciliation_lines USING btree (account_id, reconciliation_id, outcome, number);

create table reconciliation_parts (
  account_id uuid not null,
  reconciliation_id uuid not null,
  number integer not null,
  bytes bytea not null,
  PRIMARY KEY (account_id, reconciliation_id, number)
);

create table reconciliations (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  settings jsonb not null,
  result jsonb,
  error jsonb,
  job_id uuid,
  import_id uuid,
  is_applied boolean not null default false,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX reconciliations_by_expiry ON public.reconciliations USING btree (expires_at);

create table reference_fields (
  account_id uuid not null,
  target_id uuid not null,
  field_key bigint not null,
  collection_id uuid not null,
  refuses_delete boolean not null,
  PRIMARY KEY (account_id, target_id, field_key)
);
CREATE INDEX reference_fields_by_collection ON public.reference_fields USING btree (account_id, collection_id);

create table rejected_requests (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  method text not null,
  url text not null,
  status integer not null,
  code text not null,
  detail text not null,
  errors jsonb not null,
  body jsonb,
  skipped integer not null,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX rejected_requests_by_age ON public.rejected_requests USING btree (id);

create table release_items (
  account_id uuid not null,
  release_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  "position" integer not null,
  action text not null,
  version integer,
  "values" json,
  locales jsonb,
  PRIMARY KEY (account_id, release_id, entry_id),
  constraint release_items_action_check CHECK ((action = ANY (ARRAY['publish'::text, 'unpublish'::text])))
);
CREATE INDEX release_items_by_collection ON public.release_items USING btree (account_id, collection_id, release_id);
CREATE INDEX release_items_by_entry ON public.release_items USING btree (account_id, entry_id);
CREATE UNIQUE INDEX release_items_by_position ON public.release_items USING btree (account_id, release_id, "position");

create table releases (
  account_id uuid not null,
  id uuid not null,
  name text,
  status text not null,
  at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  attempts integer not null default 0,
  faults json,
  version integer not null default 1,
  author_type text,
  author_id uuid,
  updated_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, id),
  constraint releases_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text, 'command'::text]))),
  constraint releases_status_check CHECK ((status = ANY (ARRAY['open'::text, 'scheduled'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
);
CREATE INDEX releases_by_time ON public.releases USING btree (account_id, at, id);
CREATE INDEX releases_due ON public.releases USING btree (due_at) WHERE (status = 'scheduled'::text);
CREATE INDEX releases_pending ON public.releases USING btree (account_id, id) WHERE (status = ANY (ARRAY['open'::text, 'scheduled'::text, 'failed'::text]));

create table roles (
  account_id uuid not null,
  id uuid not null,
  key text not null,
  name text not null,
  permissions jsonb not null,
  features jsonb not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint roles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint roles_account_id_key_key UNIQUE (account_id, key)
);

create table saved_views (
  account_id uuid not null,
  id uuid not null,
  screen text not null,
  name text not null,
  state jsonb not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX saved_views_by_name ON public.saved_views USING btree (account_id, screen, lower(name));

create table schema_pushes (
  account_id uuid not null,
  id uuid not null,
  before json not null,
  after json not null,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id)
);

create table service_url (
  is_only boolean not null default true,
  url text not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (is_only),
  constraint service_url_is_only_check CHECK (is_only)
);

create table session_bitmaps (
  account_id uuid not null,
  value bigint not null,
  until timestamp(3) with time zone not null,
  bitmap bit(1024) not null,
  PRIMARY KEY (account_id, value, until)
);

create table session_signals (
  account_id uuid not null,
  session_number bigint not null,
  ad_storage text,
  ad_user_data text,
  ad_personalization text,
  client bytea,
  client_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, session_number),
  constraint session_signals_ad_personalization_check CHECK ((ad_personalization = ANY (ARRAY['granted'::text, 'denied'::text]))),
  constraint session_signals_ad_storage_check CHECK ((ad_storage = ANY (ARRAY['granted'::text, 'denied'::text]))),
  constraint session_signals_ad_user_data_check CHECK ((ad_user_data = ANY (ARRAY['granted'::text, 'denied'::text])))
) with (fillfactor=85);
CREATE INDEX session_signals_with_client ON public.session_signals USING btree (client_at) WHERE (client IS NOT NULL);

create table session_start_checks (
  account_id uuid not null,
  after bigint not null,
  PRIMARY KEY (account_id)
);

create table sessions (
  account_id uuid not null,
  number bigint not null default nextval('session_number_seq'::regclass),
  hash text collate "C" not null,
  short_hash text collate "C" not null,
  visitor_id text not null,
  started_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  landing_url text not null,
  referrer text,
  source text,
  medium text,
  campaign text,
  term text,
  content text,
  utm_id text,
  click_ids jsonb not null default '{}'::jsonb,
  device text,
  browser text,
  os text,
  country text,
  region text,
  is_bot boolean not null default false,
  is_internal boolean not null default false,
  lead_id uuid,
  PRIMARY KEY (account_id, number),
  constraint sessions_account_id_hash_key UNIQUE (account_id, hash)
) with (fillfactor=85);
CREATE INDEX sessions_by_origin ON public.sessions USING brin (source text_bloom_ops, medium text_bloom_ops, campaign text_bloom_ops, country text_bloom_ops, device text_bloom_ops) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX sessions_by_short_hash ON public.sessions USING btree (account_id, short_hash);
CREATE INDEX sessions_by_start ON public.sessions USING btree (account_id, started_at);
CREATE INDEX sessions_by_visitor ON public.sessions USING btree (account_id, visitor_id, started_at DESC);

create table shared_links (
  account_id uuid not null,
  id uuid not null,
  hash bytea not null,
  name text not null,
  report jsonb not null,
  is_interactive boolean not null,
  has_annotations boolean not null,
  password text,
  created_at timestamp(3) with time zone not null,
  last_read_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, id),
  constraint shared_links_account_id_hash_key UNIQUE (account_id, hash)
);

create table sign_in_attempts (
  key bytea not null,
  failures integer not null,
  last_at timestamp(3) with time zone not null,
  paused_until timestamp(3) with time zone not null,
  PRIMARY KEY (key)
);
CREATE INDEX sign_in_attempts_by_age ON public.sign_in_attempts USING btree (last_at);

create unlogged table sql_statements (
  pid integer not null,
  bound_to uuid not null,
  PRIMARY KEY (pid)
);

create table sso_connections (
  account_id uuid not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  name text not null,
  scopes text[] not null,
  role_claim text not null,
  role_mappings jsonb not null,
  default_role_id text,
  is_required boolean not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id),
  constraint sso_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint sso_connections_client_id_check CHECK ((length(client_id) <= 500)),
  constraint sso_connections_issuer_check CHECK ((length(issuer) <= 500)),
  constraint sso_connections_name_check CHECK ((length(name) <= 100))
);

create table sso_domains (
  account_id uuid not null,
  domain text not null,
  proven_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, domain),
  constraint sso_domains_account_id_fkey FOREIGN KEY (account_id) REFERENCES sso_connections(account_id) ON DELETE CASCADE,
  constraint sso_domains_domain_check CHECK (((domain = lower(domain)) AND (length(domain) <= 253)))
);
CREATE INDEX sso_domains_by_domain ON public.sso_domains USING btree (domain) WHERE (proven_at IS NOT NULL);

create table sso_identities (
  account_id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, user_id),
  constraint sso_identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES sso_connections(account_id) ON DELETE CASCADE,
  constraint sso_identities_account_id_issuer_subject_key UNIQUE (account_id, issuer, subject),
  constraint sso_identities_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint sso_identities_subject_check CHECK ((length(subject) <= 255))
);

create table tracking_settings (
  account_id uuid not null,
  allowed_origins text[] not null default '{}'::text[],
  excluded_addresses text[] not null default '{}'::text[],
  retention_days integer,
  records_clients boolean not null default false,
  updated_at timestamp(3) with time zone not null,
  first_party_id boolean not null default false,
  PRIMARY KEY (account_id),
  constraint tracking_settings_retention_days_check CHECK ((retention_days > 0))
);

create table unmatched_conversions (
  account_id uuid not null,
  id uuid not null,
  digest uuid not null,
  fingerprint uuid,
  identifier jsonb not null,
  event_id text collate "C",
  sent_event text,
  event text not null generated always as (COALESCE(sent_event, 'conversion'::text)) stored,
  value numeric,
  currency text,
  sent_created_on timestamp(3) with time zone,
  created_on timestamp(3) with time zone not null generated always as (COALESCE(sent_created_on, received_at)) stored,
  received_at timestamp(3) with time zone not null,
  extra jsonb,
  arrival bigint not null,
  import_id uuid,
  known_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX unmatched_conversions_by_age ON public.unmatched_conversions USING btree (received_at);
CREATE INDEX unmatched_conversions_by_digest ON public.unmatched_conversions USING btree (account_id, digest);
CREATE UNIQUE INDEX unmatched_conversions_by_fingerprint ON public.unmatched_conversions USING btree (account_id, fingerprint) WHERE (fingerprint IS NOT NULL);
CREATE INDEX unmatched_conversions_by_import ON public.unmatched_conversions USING btree (account_id, import_id) WHERE (import_id IS NOT NULL);

create table upload_tokens (
  account_id uuid not null,
  id uuid not null,
  hash bytea not null,
  max_bytes bigint,
  content_types text[],
  name text,
  folder_id uuid,
  is_private boolean not null,
  origin text,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  author_type text,
  author_id uuid,
  PRIMARY KEY (account_id, id),
  constraint upload_tokens_account_id_hash_key UNIQUE (account_id, hash),
  constraint upload_tokens_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'key'::text])))
);
CREATE INDEX upload_tokens_by_time ON public.upload_tokens USING btree (expires_at);

create table user_authenticators (
  user_id uuid not null,
  secret bytea not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint not null,
  PRIMARY KEY (user_id),
  constraint user_authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table user_links (
  hash bytea not null,
  type text not null,
  user_id uuid,
  email text,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  used_by uuid,
  created_by uuid,
  PRIMARY KEY (hash),
  constraint user_links_check CHECK (((type = ANY (ARRAY['reset'::text, 'email'::text, 'passkey'::text])) = (user_id IS NOT NULL))),
  constraint user_links_check1 CHECK (((type = 'email'::text) = (email IS NOT NULL))),
  constraint user_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint user_links_type_check CHECK ((type = ANY (ARRAY['first_run'::text, 'reset'::text, 'email'::text, 'passkey'::text, 'passkey_sign_in'::text]))),
  constraint user_links_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_links_by_user ON public.user_links USING btree (user_id);

create table user_passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  PRIMARY KEY (id),
  constraint user_passkeys_credential_id_key UNIQUE (credential_id),
  constraint user_passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_passkeys_by_user ON public.user_passkeys USING btree (user_id, id);

create table user_recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  PRIMARY KEY (user_id, hash),
  constraint user_recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table user_reviews (
  user_id uuid not null,
  type text not null,
  subject_id uuid not null,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (user_id, type, subject_id),
  constraint user_reviews_type_check CHECK ((type = ANY (ARRAY['passkey'::text, 'two_factor'::text, 'key'::text]))),
  constraint user_reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table user_sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  address text not null,
  user_agent text not null,
  confirmed_at timestamp(3) with time zone not null,
  view_account_id uuid,
  view_role text,
  view_role_id uuid,
  account_id uuid,
  PRIMARY KEY (id),
  constraint user_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint user_sessions_limit_check CHECK (((account_id IS NULL) OR (view_account_id IS NULL))),
  constraint user_sessions_token_hash_key UNIQUE (token_hash),
  constraint user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint user_sessions_view_check CHECK ((((view_account_id IS NULL) = (view_role IS NULL)) AND ((view_role_id IS NOT NULL) = (NOT (view_role IS DISTINCT FROM 'custom'::text)))))
);
CREATE INDEX user_sessions_by_account ON public.user_sessions USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX user_sessions_by_end ON public.user_sessions USING btree (expires_at);
CREATE INDEX user_sessions_by_user ON public.user_sessions USING btree (user_id, id);

create table users (
  id uuid not null,
  email text not null,
  name text not null,
  password text not null,
  is_operator boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  email_confirmed_at timestamp(3) with time zone,
  language text,
  browser_language text,
  PRIMARY KEY (id),
  constraint users_browser_language_check CHECK ((length(browser_language) <= 20)),
  constraint users_email_key UNIQUE (email),
  constraint users_language_check CHECK ((length(language) <= 20))
);

create table varied_entries (
  account_id uuid not null,
  entry_id uuid not null,
  experiment_id uuid not null,
  collection_id uuid not null,
  "values" jsonb not null,
  PRIMARY KEY (account_id, entry_id, experiment_id)
);
CREATE INDEX varied_entries_by_experiment ON public.varied_entries USING btree (account_id, experiment_id);

create table visits (
  account_id uuid not null,
  id uuid not null,
  client_visit_id text collate "C",
  is_trusted boolean not null default false,
  session_number bigint not null,
  url text not null,
  referrer text,
  title text,
  visitor_id text not null,
  is_bot boolean not null,
  is_internal boolean not null default false,
  occurred_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone not null,
  inserted_xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX visits_by_client_id ON public.visits USING btree (account_id, client_visit_id, is_trusted) WHERE (client_visit_id IS NOT NULL);
CREATE INDEX visits_by_session ON public.visits USING btree (account_id, session_number);
CREATE INDEX visits_by_transaction ON public.visits USING brin (inserted_xid) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX visits_late ON public.visits USING btree (account_id, occurred_at) WHERE ((received_at - occurred_at) > '1 day'::interval);

create table warehouse_datasets (
  account_id uuid not null,
  warehouse_id uuid not null,
  dataset text not null,
  sequence integer not null default 0,
  published integer not null default 0,
  published_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, warehouse_id, dataset)
);

create table warehouse_files (
  account_id uuid not null,
  warehouse_id uuid not null,
  id uuid not null,
  dataset text not null,
  day date not null,
  rows bigint not null,
  bytes bigint not null,
  sha256 text not null,
  digest bigint,
  state text not null,
  written_at timestamp(3) with time zone not null,
  retired_at timestamp(3) with time zone,
  PRIMARY KEY (account_id, warehouse_id, id),
  constraint warehouse_files_state_check CHECK ((state = ANY (ARRAY['writing'::text, 'current'::text, 'replaced'::text])))
);
CREATE UNIQUE INDEX warehouse_files_current ON public.warehouse_files USING btree (account_id, warehouse_id, dataset, day) WHERE (state = 'current'::text);
CREATE INDEX warehouse_files_left ON public.warehouse_files USING btree (account_id, warehouse_id, dataset) WHERE (state <> 'current'::text);

create table warehouses (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  endpoint text,
  region text not null,
  bucket text not null,
  prefix text not null,
  is_path_style boolean not null,
  access_key_id text not null,
  credentials bytea not null,
  datasets text[] not null,
  starts_on date,
  mode text not null,
  fence integer not null default 0,
  due_at timestamp(3) with time zone,
  waiting_since timestamp(3) with time zone,
  last_run_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  failures integer not null default 0,
  notified_at timestamp(3) with time zone,
  error text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint warehouses_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'off'::text])))
) with (fillfactor=70);
CREATE INDEX warehouses_due ON public.warehouses USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX warehouses_waiting ON public.warehouses USING btree (waiting_since) WHERE (waiting_since IS NOT NULL);

create table webhook_arrivals (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid,
  headers jsonb not null,
  body text not null,
  bytes integer not null,
  signature text not null,
  PRIMARY KEY (account_id, id),
  constraint webhook_arrivals_signature_check CHECK ((signature = ANY (ARRAY['valid'::text, 'invalid'::text, 'missing'::text, 'unknown'::text])))
);
CREATE INDEX webhook_arrivals_by_age ON public.webhook_arrivals USING btree (id);

create table webhook_attempts (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  number integer not null,
  at timestamp(3) with time zone not null,
  status integer,
  ms integer not null,
  error text,
  response text,
  PRIMARY KEY (account_id, endpoint_id, message_id, number)
) partition by RANGE (message_id);
CREATE INDEX webhook_attempts_responses ON ONLY public.webhook_attempts USING btree (account_id, message_id) WHERE (response IS NOT NULL);

create table webhook_deliveries (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  type text not null,
  status text not null,
  PRIMARY KEY (account_id, endpoint_id, message_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) partition by RANGE (message_id);
CREATE INDEX webhook_deliveries_by_status ON ONLY public.webhook_deliveries USING btree (account_id, endpoint_id, status, type, message_id) WHERE (status IS NOT NULL);

create table webhook_endpoints (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  events text[],
  collection_ids text[],
  status text not null,
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  public_key text,
  payload text not null default 'full'::text,
  fields text[],
  filters jsonb,
  ordering text not null default 'none'::text,
  role_id uuid,
  maker_type text,
  maker_id uuid,
  PRIMARY KEY (account_id, id),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['requested'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_ordering_check CHECK ((ordering = ANY (ARRAY['none'::text, 'resource'::text]))),
  constraint webhook_endpoints_payload_check CHECK ((payload = ANY (ARRAY['full'::text, 'thin'::text]))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);

create table webhook_messages (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  body text not null,
  session_number bigint,
  lead_id uuid,
  resource_id uuid,
  sequence bigint,
  PRIMARY KEY (account_id, id)
) partition by RANGE (id);

create table webhook_queue (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  due_at timestamp(3) with time zone not null,
  leased_until timestamp with time zone,
  attempts integer not null,
  tries integer not null,
  resource_id uuid,
  sequence bigint,
  PRIMARY KEY (account_id, endpoint_id, message_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX webhook_queue_by_due ON public.webhook_queue USING btree (account_id, endpoint_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_queue_by_resource ON public.webhook_queue USING btree (account_id, endpoint_id, resource_id, sequence, message_id) WHERE (resource_id IS NOT NULL);

create view leads_with_sessions as
 SELECT account_id,
    id,
    email,
    first_seen_at,
    last_seen_at,
    name,
    notes,
    version,
    ( SELECT t.session_number
           FROM lead_sessions t
          WHERE ((t.account_id = leads.account_id) AND (t.lead_id = leads.id) AND (( SELECT s.lead_id
                   FROM sessions s
                  WHERE ((s.account_id = t.account_id) AND (s.number = t.session_number))) = leads.id))
          ORDER BY t.started_at, t.session_number
         LIMIT 1) AS first_session,
    ( SELECT t.session_number
           FROM lead_sessions t
          WHERE ((t.account_id = leads.account_id) AND (t.lead_id = leads.id) AND (( SELECT s.lead_id
                   FROM sessions s
                  WHERE ((s.account_id = t.account_id) AND (s.number = t.session_number))) = leads.id))
          ORDER BY t.started_at DESC, t.session_number DESC
         LIMIT 1) AS latest_session
   FROM leads;

create view reported_conversions as
 SELECT account_id,
    id,
    event_id,
    sent_event,
    event,
    value,
    currency,
    sent_created_on,
    created_on,
    received_at,
    origin,
    is_trusted,
    identifier,
    identifier_digest,
    session_number,
    extra,
    updated_at,
    version,
    withdrawn_at
   FROM conversions
  WHERE (withdrawn_at IS NULL);
