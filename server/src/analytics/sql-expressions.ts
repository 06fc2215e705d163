/** SQL for the texts by which reports group. They are cut to what an index entry can hold; an empty text is null. */
export const textOf = (value: string, length = 512) => `nullif(left(${value}, ${length}), '')`;

/** The page of a URL: host and path, without a trailing slash. Most URLs need no regular expression, which takes as long as all else. */
export const pageOf = (url: string) => {
  const withoutQuery = `split_part(split_part(${url}, '?', 1), '#', 1)`;
  return `left(rtrim(case when starts_with(${url}, 'https://') and strpos(${url}, '@') = 0 then substr(${withoutQuery}, 9)
    else regexp_replace(${withoutQuery}, '^[A-Za-z]+://([^/@]*@)?', '') end, '/'), 512)`;
};

export const funnelOf = (event: string) => textOf(`${event}.properties ->> 'funnel_id'`, 255);

/** The channel of a session: the default channel group of Google Analytics. */
const channelOf = (session: string) => `channel_of(${session}.source, ${session}.medium, ${session}.campaign)`;

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
