/** The page of an address: host and path, without what may differ from visitor to visitor. At most 512 characters. */
export const pageOf = (url: string) =>
  `left(rtrim(regexp_replace(split_part(split_part(${url}, '?', 1), '#', 1), '^[A-Za-z]+://([^/@]*@)?', ''), '/'), 512)`;

/** Texts by which reports tell things apart are cut to what an index takes. Empty: none. */
export const text = (value: string, length = 512) => `nullif(left(${value}, ${length}), '')`;
export const funnelOf = (event: string) => text(`${event}.properties ->> 'funnel_id'`, 255);
