import { type Static, Type } from 'typebox';
import type { ColumnType } from './datasets/dataset.ts';
import { DATASETS, type DatasetName } from './datasets/index.ts';
import { FORMATS, type FormatName } from './formats/index.ts';
import { LIMITS } from './limits.ts';

export const DATASET_NAMES = Object.keys(DATASETS) as DatasetName[];
const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

const datasets = DATASET_NAMES.map((name) => {
  const { time, columns } = DATASETS[name];
  const timeColumn = columns.find((column) => column.sql === `t.${time}`)?.name;
  const noteOf = ({ isOptional, formerNameOf }: (typeof columns)[number]) =>
    isOptional
      ? ' (only if `fields` names it)'
      : formerNameOf
        ? ` (what \`${formerNameOf}\` was called; until 28 November 2027)`
        : '';
  const names = columns.map((column) => `\`${column.name}\`${noteOf(column)}`);
  return `- \`${name}\`, filtered by \`${timeColumn}\`: ${names.join(', ')}`;
});

export const DESCRIPTION = `Starts a job that writes all current rows of a dataset to a file. Poll \`GET /v1/jobs/get-by-id\` for the download URL.
Each dataset has these columns, in this order:

${datasets.join('\n')}

Formats: \`csv\` follows RFC 4180, with a header, in UTF-8. Null is an empty cell and an empty text is \`""\`. An apostrophe precedes
text that a spreadsheet would run as a formula, at the start of a cell and after \`;\` or a line break. \`ndjson\` has one JSON object per
line. \`parquet\` has typed columns with Snappy compression: times are timestamps in UTC, \`value\` is \`DECIMAL(38, 9)\`, rounded to 9 decimals, and JSON
is JSON. In the others, times are in UTC with milliseconds, and \`value\` is decimal text with all digits.

\`id\` is the ID of the row itself, \`sessionId\` and \`leadId\` are those of its session and lead, and \`eventId\` is what the caller named a conversion.`;

/** Of a column in a line of JSON, in TypeScript. */
const SDK_TYPES: Record<ColumnType['type'], string> = {
  id: 'string',
  text: 'string',
  decimal: 'string',
  json: 'unknown',
  time: 'string',
  session: 'number',
  integer: 'number',
  boolean: 'boolean',
};

const Dataset = Type.Enum(DATASET_NAMES, {
  title: 'ExportDataset',
  'x-sdk-types': Object.fromEntries(
    DATASET_NAMES.map((name) => [
      name,
      DATASETS[name].columns
        .map(
          ({ name, type, isOptional }) =>
            `${name}${isOptional ? '?' : ''}: ${SDK_TYPES[type]}${name === 'id' || type === 'json' ? '' : ' | null'}`,
        )
        .join('; '),
    ]),
  ),
});

const Time = (description: string) => Type.Optional(Type.String({ description }));

export const Bom = Type.Optional(
  Type.Boolean({
    description: 'Start a CSV with a byte order mark, by which Excel recognizes UTF-8; default false',
  }),
);

export const ExportRequest = Type.Object(
  {
    dataset: Dataset,
    format: Type.Enum(FORMAT_NAMES),
    from: Time(
      'Start of the range, inclusive: an RFC 3339 time, or a date, which starts at midnight in the time zone of the account',
    ),
    to: Time(
      'End of the range, exclusive: an RFC 3339 time, or a date, which starts at midnight in the time zone of the account',
    ),
    asKnownOn: Time(
      'Exports `conversions` as they were known at this time (RFC 3339, or a date): values, currencies and times of sales from the reports until then',
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: LIMITS.fields,
        description: 'Names of the columns to export, in this order; defaults to all that are not marked above',
      }),
    ),
    bom: Bom,
  },
  { additionalProperties: false },
);
export type ExportRequest = Static<typeof ExportRequest>;

/** The `params` of an `export` job. */
export interface ExportParams {
  dataset: DatasetName;
  format: FormatName;
  /** In UTC; null for no bound. */
  from: string | null;
  to: string | null;
  /** Default: as rows are now. */
  asKnownOn?: string;
  fields: string[];
  bom?: boolean;
}
