-- The default channel group of Google Analytics as of November 2026: since 13 May 2026 it has the channel AI Assistant. Hosts whose name has two letters, such
-- as vk.com, were taken for a language and a domain.
create or replace function channel_of(source text, medium text, campaign text) returns text language plpgsql immutable parallel safe as $$
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
end $$;

-- What was counted before counts by these rules, too: segments are rebuilt in the background.
update analytics_conversions set channel = channel_of(source, medium, campaign) where channel <> channel_of(source, medium, campaign);
update analytics_leads set channel = channel_of(source, medium, campaign) where channel <> channel_of(source, medium, campaign);
update analytics_segments set is_stale = true;
