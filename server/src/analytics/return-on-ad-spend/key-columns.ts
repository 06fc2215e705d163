/** The columns of increments that rows are made of. */
export const KEY_COLUMNS = ['source', 'campaign', 'term', 'content', 'landing_page'] as const;
export type KeyColumn = (typeof KEY_COLUMNS)[number];

/** SQL for the quarter of an hour of a time, since 1970. */
export const quarterOf = (time: string) => `floor(date_part('epoch', ${time}) / 900)::bigint`;

/** SQL for the quarters of an hour from a time on a quarter until another one. */
export const quartersBetween = (start: string, end: string) =>
  `floor(date_part('epoch', ${end} - ${start}) / 900)::bigint`;

/** SQL for numbers in order, separated by commas. */
export const listOf = (numbers: string) => `btrim(array_agg(${numbers})::text, '{}')`;
