import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_DATASETS, type DayDatasetName } from '../exports/index.ts';
import type { Storage } from '../files/index.ts';
import { isoTime } from '../shared/time.ts';
import type { WarehouseRow } from './queries.ts';

const MANIFEST = 'manifest.ndjson';
const VIEW = '_current.sql';

type Place = Pick<WarehouseRow, 'bucket' | 'prefix'>;

/** The key of a file below the prefix. Each has a name of its own, and is never overwritten. */
export const fileKey = (dataset: string, day: string, id: string) => `${dataset}/day=${day}/${id}.parquet`;

export function urlOf({ bucket, prefix }: Place, key: string): string {
  return `s3://${bucket}/${inBucket(prefix, key)}`;
}

const inBucket = (prefix: string, key: string) => (prefix === '' ? key : `${prefix}/${key}`);

interface ManifestFile {
  id: string;
  day: string;
  rows: number;
  bytes: number;
  sha256: string;
  written_at: Date;
}

/** One line for each current file, by day. `path` is the key in the bucket. */
function manifestOf(
  { prefix }: Place,
  dataset: DayDatasetName,
  sequence: number,
  files: readonly ManifestFile[],
): string {
  const lines = files.map(({ id, day, rows, bytes, sha256, written_at }) =>
    JSON.stringify({
      ...{ dataset, day, path: inBucket(prefix, fileKey(dataset, day, id)) },
      ...{ rows, bytes, sha256, writtenAt: isoTime(written_at), sequence },
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** The view for DuckDB: the rows of the files that the manifest names when it is read. */
function viewOf(place: Place, dataset: DayDatasetName): string {
  const name = `${dataset.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_current`;
  // They are decimals; in files of earlier versions, which are there until they are deleted, texts.
  const casts = DAY_DATASETS[dataset].columns
    .filter(({ type }) => type === 'decimal')
    .map((column) => `cast(${column.name} as decimal(38, 9)) as ${column.name}`);
  return `-- The current rows of ${dataset}: those of the files that the manifest names.
create or replace view ${name} as
select * exclude (filename)${casts.length > 0 ? ` replace (${casts.join(', ')})` : ''}
from read_parquet('${urlOf(place, `${dataset}/day=*/*.parquet`)}',
  filename = true, union_by_name = true, hive_partitioning = true, hive_types = {'day': date})
where filename in (
  select '${urlOf({ ...place, prefix: '' }, '')}' || path
  from read_json('${urlOf(place, `${dataset}/${MANIFEST}`)}', format = 'newline_delimited', columns = {path: 'varchar'}));
`;
}

/** Writes the view and, last, the manifest: one request replaces the one before. */
export async function publish(
  storage: Storage,
  place: Place,
  dataset: DayDatasetName,
  sequence: number,
  files: readonly ManifestFile[],
  folder: string,
): Promise<void> {
  await putText(storage, `${dataset}/${VIEW}`, viewOf(place, dataset), 'text/plain; charset=utf-8', folder);
  const manifest = manifestOf(place, dataset, sequence, files);
  await putText(storage, `${dataset}/${MANIFEST}`, manifest, 'application/x-ndjson', folder);
}

export async function putText(
  storage: Storage,
  key: string,
  text: string,
  type: string,
  folder: string,
): Promise<void> {
  const path = join(folder, randomUUID());
  try {
    await writeFile(path, text);
    await storage.put(path, key, type);
  } finally {
    await rm(path, { force: true });
  }
}

export const manifestUrl = (place: Place, dataset: string) => urlOf(place, `${dataset}/${MANIFEST}`);
