import { arrow } from './encode-arrow.ts';
import { csv, ndjson, type RowFormat } from './encode-rows.ts';

export const FORMATS = { ndjson, csv, arrow } satisfies Record<string, RowFormat>;
export type FormatName = keyof typeof FORMATS;
