/** SQL for the texts by which reports group. They are cut to what an index entry can hold; an empty text is null. */
export const textOf = (value: string, length = 512) => `nullif(left(${value}, ${length}), '')`;

/** The page of a URL: host and path, without a trailing slash. */
export const pageOf = (url: string) =>
  `left(rtrim(regexp_replace(split_part(split_part(${url}, '?', 1), '#', 1), '^[A-Za-z]+://([^/@]*@)?', ''), '/'), 512)`;

export const funnelOf = (event: string) => textOf(`${event}.properties ->> 'funnel_id'`, 255);

const SEARCH =
  "('google','bing','yahoo','duckduckgo','ecosia','yandex','baidu','brave','startpage','qwant','kagi','naver','daum','seznam','sogou','aol','ask')";
const SOCIAL =
  "('facebook','fb','instagram','ig','threads','twitter','x','linkedin','youtube','tiktok','pinterest','reddit','snapchat','whatsapp','telegram','discord','quora','tumblr','mastodon','bluesky','vk','xing','weibo','meta')";

/** The channel of a session, by its source and medium: the groups of Google Analytics, without those that no one can tell apart. */
export const channelOf = (session: string) => {
  const source = `lower(${session}.source)`;
  const medium = `lower(${session}.medium)`;
  return `case
    when ${session}.source is null and ${session}.medium is null then 'Direct'
    when ${medium} ~ '^(.*cp.*|ppc|retargeting|paid.*)$' then case
      when ${source} in ${SEARCH} then 'Paid search'
      when ${source} in ${SOCIAL} then 'Paid social'
      when ${medium} in ('cpm') then 'Display'
      else 'Paid other' end
    when ${medium} in ('display','banner','expandable','interstitial') then 'Display'
    when ${medium} in ('email','e-mail','e_mail','newsletter') or ${source} in ('email','e-mail','newsletter') then 'Email'
    when ${medium} in ('affiliate','affiliates','partner') then 'Affiliates'
    when ${medium} in ('social','social-network','social-media','sm') then 'Organic social'
    when ${medium} in ('video') then 'Video'
    when ${medium} in ('sms','push','mobile','notification') then 'Messages'
    when ${medium} = 'organic' or ${medium} is null and ${source} in ${SEARCH} then 'Organic search'
    when ${medium} is null and ${source} in ${SOCIAL} then 'Organic social'
    when ${medium} in ('referral','app','link') then 'Referral'
    else 'Other' end`;
};

/** The texts of the session `s`, except its exit page. Without a session all are null. */
export const sessionTexts = (s: string) =>
  Object.entries({
    source: textOf(`${s}.source`),
    medium: textOf(`${s}.medium`),
    campaign: textOf(`${s}.campaign`),
    landing_page: textOf(pageOf(`${s}.landing_url`)),
    country: textOf(`${s}.country`),
    device: textOf(`${s}.device`),
    channel: `case when ${s}.number is not null then ${channelOf(s)} end`,
    term: textOf(`${s}.term`),
    content: textOf(`${s}.content`),
    referrer: textOf(pageOf(`${s}.referrer`)),
    browser: textOf(`${s}.browser`),
    os: textOf(`${s}.os`),
    region: textOf(`${s}.region`),
  })
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(', ');

/** The page of a session's last visit. */
export const exitPageOf = (account: string, number: string) =>
  `(select ${textOf(pageOf('v.url'))} from visits v where v.account_id = ${account} and v.session_number = ${number}
    order by v.occurred_at desc, v.id desc limit 1)`;
