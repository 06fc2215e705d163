/** SQL for the texts by which reports group. They are cut to what an index entry can hold; an empty text is null. */
export const textOf = (value: string, length = 512) => `nullif(left(${value}, ${length}), '')`;

/** The page of a URL: host and path, without a trailing slash. */
export const pageOf = (url: string) =>
  `left(rtrim(regexp_replace(split_part(split_part(${url}, '?', 1), '#', 1), '^[A-Za-z]+://([^/@]*@)?', ''), '/'), 512)`;

export const funnelOf = (event: string) => textOf(`${event}.properties ->> 'funnel_id'`, 255);
