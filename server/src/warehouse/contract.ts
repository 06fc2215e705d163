import { type Static, Type } from 'typebox';
import { DAY_DATASETS, type DayDatasetName } from '../exports/index.ts';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';
import { LIMITS } from './limits.ts';

export const DATASET_NAMES = Object.keys(DAY_DATASETS) as DayDatasetName[];

const Dataset = Type.Enum(DATASET_NAMES);
const Datasets = Type.Array(Dataset, {
  title: 'WarehouseDatasets',
  minItems: 1,
  maxItems: 50,
  description: 'By default all',
});
const Day = (description: string) => orNull(Type.String({ format: 'date' }), { description });

const settings = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.nameLength }),
  endpoint: orNull(Type.String({ maxLength: 500 }), {
    description:
      'URL of a service that speaks S3, such as `https://storage.googleapis.com`; null: Amazon S3. Changing it requires the secret again',
  }),
  region: Type.String({
    pattern: '^[a-z0-9-]{1,50}$',
    description: 'Such as `eu-central-1`; for many services `auto`',
  }),
  bucket: Type.String({
    pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    description: 'Changing it requires the secret again, and everything is exported anew',
  }),
  prefix: Type.String({
    maxLength: LIMITS.prefixLength,
    pattern: '^([A-Za-z0-9_.=-]+(/[A-Za-z0-9_.=-]+)*)?$',
    description: 'Folder in the bucket, without slashes at its ends',
  }),
  pathStyle: Type.Boolean({
    description: 'Whether the bucket is in the path of URLs instead of the host; by default if there is an `endpoint`',
  }),
  accessKeyId: Type.String({ minLength: 1, maxLength: 200 }),
  datasets: Datasets,
  startsOn: Day('First day (UTC) that is exported; null: all that there is'),
  mode: Type.Enum(['live', 'off'], { description: '`live` (default): exported every half an hour' }),
};
const secretAccessKey = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Stored encrypted and never returned',
});

const { name, region, bucket, accessKeyId, ...optional } = settings;
const partial = {
  endpoint: Type.Optional(optional.endpoint),
  prefix: Type.Optional(optional.prefix),
  pathStyle: Type.Optional(optional.pathStyle),
  datasets: Type.Optional(optional.datasets),
  startsOn: Type.Optional(optional.startsOn),
  mode: Type.Optional(optional.mode),
};

/** Body of `POST /v1/warehouses`. */
export const NewWarehouse = Type.Object({ name, region, bucket, accessKeyId, secretAccessKey, ...partial }, STRICT);
export type NewWarehouse = Static<typeof NewWarehouse>;

const stored = {
  status: Type.Enum(['active', 'failing', 'deleted'], {
    description: '`failing`: the latest export failed, and is repeated until it succeeds',
  }),
  error: orNull(Type.String(), { description: 'Why the latest export failed, in the words of the storage' }),
  failingSince: orNull(Time()),
  waitingSince: orNull(Time(), { description: 'When the export was due that has not succeeded yet' }),
  lastRunAt: orNull(Time(), { description: 'When everything was last exported' }),
  nextRunAt: orNull(Time(), { description: 'null: it is off' }),
  exports: Type.Array(
    Type.Object(
      {
        dataset: Dataset,
        days: Type.Integer({ description: 'Days with a file' }),
        rows: Type.Integer(),
        bytes: Type.Integer(),
        firstDay: orNull(Type.String()),
        lastDay: orNull(Type.String()),
        publishedAt: orNull(Time(), { description: 'When its manifest was last written; null: never' }),
        manifest: Type.String({ description: '`s3://` URL' }),
      },
      { title: 'WarehouseExport' },
    ),
    { description: 'What there is in the bucket, by dataset' },
  ),
  createdAt: Time(),
  updatedAt: Time(),
};

export const Warehouse = Type.Object({ id: Type.String(), ...settings, ...stored }, { title: 'Warehouse' });
export type Warehouse = Static<typeof Warehouse>;

const ignored = Type.Optional(Type.Unsafe<unknown>({ readOnly: true }));

/** Body of `PATCH /v1/warehouses/{id}`: omitted members stay unchanged. */
export const WarehouseChange = Type.Object(
  {
    ...Object.fromEntries(['id', ...Object.keys(stored)].map((member) => [member, ignored])),
    name: Type.Optional(name),
    region: Type.Optional(region),
    bucket: Type.Optional(bucket),
    accessKeyId: Type.Optional(accessKeyId),
    secretAccessKey: Type.Optional(secretAccessKey),
    ...partial,
  },
  STRICT,
);
export type WarehouseChange = Partial<NewWarehouse>;

export const WarehousePage = Type.Object({ warehouses: Type.Array(Warehouse), nextPageToken: NextPageToken });
export const WarehousesQuery = Type.Object(pageQuery, STRICT);
export const WarehousePath = Type.Object({ warehouseId: Type.String() });

/** Body of `POST /v1/warehouses/{id}/export`. */
export const ExportBody = Type.Object(
  {
    from: Type.Optional(Day('First day that is written again, even if it did not change')),
    to: Type.Optional(Day('Last day that is written again')),
    datasets: Type.Optional(Datasets),
  },
  STRICT,
);
export type ExportBody = Static<typeof ExportBody>;

export const WarehouseTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether a file could be written, read and deleted' }),
    error: orNull(Type.String(), { description: 'Otherwise what the storage says' }),
  },
  { title: 'WarehouseTest' },
);
