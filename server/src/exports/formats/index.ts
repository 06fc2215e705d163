import { csv } from './csv.ts';
import type { Format } from './format.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';

/** Every file format. To add one, write its file and name it here. */
export const FORMATS = { csv, ndjson, parquet } satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
