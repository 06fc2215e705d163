import { Type } from 'typebox';
import { DATASETS, type Dataset, type DatasetName } from './datasets.ts';

export const FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];

export const DATASET_NAMES = Object.keys(DATASETS) as DatasetName[];

/** More than any dataset has. */
export const MAX_FIELDS = 100;

const columns = DATASET_NAMES.map((name) => {
  const { source, columns }: Dataset = DATASETS[name];
  const time = columns.find((column) => column.sql === `t.${source.time}`)?.name;
  return `- \`${name}\`, dated by \`${time}\`: ${columns.map(({ name, onRequest }) => `\`${name}\`${onRequest ? ' (where `fields` names it)' : ''}`).join(', ')}`;
});

export const DESCRIPTION = `Answers a job, which writes every row of a dataset that is there now to a file; see \`GET /v1/jobs/get-by-id\`.
The columns of each dataset, in the order of the file:

${columns.join('\n')}

\`csv\`: RFC 4180 with a header, UTF-8; null is an empty cell, an empty text is \`""\`; a text that a spreadsheet would take for a formula
begins with an apostrophe. \`ndjson\`: an object a line. \`parquet\`: typed columns, Snappy. Times are UTC with milliseconds; \`value\` is decimal text.`;

const Time = (description: string) => Type.Optional(Type.String({ description }));

export const ExportBody = Type.Object(
  {
    dataset: Type.Enum([...DATASET_NAMES]),
    format: Type.Enum([...FORMATS]),
    from: Time('The first moment that is in: RFC 3339, or a date, which begins at midnight UTC'),
    to: Time('The first moment that is out, written likewise'),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: MAX_FIELDS,
        description: 'These columns alone, in this order; else all that do not wait to be named',
      }),
    ),
  },
  { additionalProperties: false },
);

/** What a job of type `export` is asked for, as it is stored and answered. */
export interface ExportParams {
  dataset: DatasetName;
  format: Format;
  /** In UTC, or null where there is no bound. */
  from: string | null;
  to: string | null;
  fields: string[];
}
