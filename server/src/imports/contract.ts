import { type Static, Type } from 'typebox';
import { Bom } from '../exports/index.ts';
import { Job } from '../jobs/index.ts';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';

export const LIMITS = {
  /** Columns of a file. */
  columns: 1_000,
  /** Errors in a response; the results file lists all. */
  errors: 100,
} as const;

const enumOrNull = <const Value extends string>(values: Value[], description: string) =>
  Type.Unsafe<Value | null>({ type: ['string', 'null'], enum: [...values, null], description });

const MappedColumn = Type.Object(
  {
    field: Type.String({
      description: 'The id of a field, or `group.field` for a field of a group that is not repeated',
    }),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10,
        description: 'Separates the values of a repeated field in cells that are not a JSON array',
      }),
    ),
  },
  STRICT,
);

/** How the rows of a file map to entries. */
export const ImportMapping = Type.Object(
  {
    columns: Type.Array(orNull(MappedColumn), {
      maxItems: LIMITS.columns,
      description: 'The field of each column, in the order of the file; null ignores the column',
    }),
    idColumn: Type.Optional(
      orNull(
        Type.Integer({ minimum: 0, description: 'The column, counted from 0, with the ids of the entries to update' }),
      ),
    ),
    keyField: Type.Optional(
      orNull(
        Type.String({
          description: 'Match entries by the value of this field instead of by id; a row without a match is created',
        }),
      ),
    ),
    emptyCells: Type.Optional(
      Type.Enum(['clear', 'keep'], {
        description: 'What an empty cell does to the value of an entry; default `clear`',
      }),
    ),
    decimal: Type.Optional(
      enumOrNull(
        ['.', ','],
        'The decimal separator; without it, each column is read as its other numbers prove, and `1,234` is an error if none does',
      ),
    ),
    dateOrder: Type.Optional(
      enumOrNull(
        ['dmy', 'mdy'],
        'The order of dates; without it, each column is read as its other dates prove, and `03/04/2026` is an error if none does',
      ),
    ),
    timeZone: Type.Optional(
      orNull(
        Type.String({
          maxLength: 64,
          description: 'The IANA time zone of times without an offset; without it, they are an error',
        }),
      ),
    ),
  },
  { ...STRICT, title: 'ImportMapping' },
);
export type ImportMapping = Static<typeof ImportMapping>;

const RowError = Type.Object({
  row: Type.Integer({ description: 'As in a spreadsheet: the header is row 1' }),
  field: orNull(Type.String({ description: 'The field; null if the row as a whole is invalid' })),
  code: Type.String(),
  detail: Type.String(),
  column: Type.Optional(Type.String({ description: 'The letter of the column in a spreadsheet' })),
  value: Type.Optional(Type.String({ description: 'What the cell contains, shortened' })),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });
const resultsUrl = orNull(
  Type.String({ description: 'A CSV with one line per row, available without a token; null while the stage runs' }),
);

const ImportCounts = Type.Object(
  {
    rows: count('Rows processed so far, without empty lines'),
    created: count('New entries'),
    updated: count('Entries whose values change'),
    unchanged: count('Entries that already match their row'),
    failed: count('Invalid rows, which are skipped'),
    errors: Type.Array(RowError, { description: `The first ${LIMITS.errors}` }),
    resultsUrl,
  },
  { title: 'ImportCounts' },
);
export type RowCounts = Omit<Static<typeof ImportCounts>, 'resultsUrl'>;

const ImportUndoCounts = Type.Object(
  {
    entries: count('Entries processed so far'),
    deleted: count('Entries that the import had created'),
    restored: count('Entries that the import had updated'),
    skipped: count('Entries that were changed or deleted after the import, and are left alone'),
    resultsUrl,
  },
  { title: 'ImportUndoCounts' },
);
export type UndoCounts = Omit<Static<typeof ImportUndoCounts>, 'resultsUrl'>;

const ImportColumn = Type.Object({
  name: Type.String({ description: 'The heading' }),
  samples: Type.Array(Type.String(), { description: 'Cells of the first rows' }),
  suggestedField: orNull(
    Type.String({ description: 'The field that the heading names; `_id` for the id of the entry; null if none' }),
  ),
});
export type ImportColumn = Static<typeof ImportColumn>;

/** The status of a stage while it runs and once it is done. */
export const STAGE_STATUSES = {
  dry_run: { running: 'dry_running', done: 'dry_run_completed' },
  import: { running: 'importing', done: 'imported' },
  undo: { running: 'undoing', done: 'undone' },
} as const;

export const Import = Type.Object(
  {
    id: Type.String(),
    collectionId: Type.String(),
    name: Type.String({ description: 'The name of the file' }),
    bytes: Type.Integer(),
    status: Type.Enum(
      ['uploaded', 'dry_running', 'dry_run_completed', 'importing', 'imported', 'undoing', 'undone', 'stopped'],
      { description: '`stopped`: the stage was canceled or failed, see `job`; start it again to resume it' },
    ),
    stage: Type.Enum(['upload', 'dry_run', 'import', 'undo'], { description: 'The stage that was started last' }),
    columns: Type.Array(ImportColumn),
    mapping: orNull(ImportMapping),
    dryRun: orNull(ImportCounts),
    imported: orNull(ImportCounts),
    undone: orNull(ImportUndoCounts),
    job: orNull(Job, { description: 'The job of the stage, until 7 days after its end' }),
    createdAt: Time(),
    expiresAt: Time({ description: 'When the file is deleted, after which the import cannot be undone' }),
  },
  { title: 'Import' },
);
export type Import = Static<typeof Import>;

export const ImportPage = Type.Object({
  imports: Type.Array(Import),
  nextPageToken: NextPageToken,
});

export const ImportPath = Type.Object({ collectionId: Type.String(), importId: Type.String() });

export const ImportsQuery = Type.Object(pageQuery, STRICT);

export const EntriesExport = Type.Object(
  {
    format: Type.Enum(['csv', 'ndjson']),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: LIMITS.columns,
        description:
          'Exactly the columns of a CSV, in this order: fields (`price`, `seo.title`), `id`, `cover.url` and the like; default all. ' +
          'In NDJSON, the fields in `values`',
      }),
    ),
    bom: Bom,
    state: Type.Optional(
      Type.Enum(['draft', 'published'], {
        description: 'As in `GET …/entries`: the latest versions (`draft`), or what is published',
      }),
    ),
    sort: Type.Optional(Type.String({ description: 'As in `GET …/entries`' })),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'As in `GET …/entries`' })),
    where: Type.Optional(Type.Unsafe<unknown>({ description: 'As in `POST …/entries/query`' })),
    filter: Type.Optional(
      Type.Unsafe<Record<string, Record<string, string | string[]>>>({
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
        description:
          'As in `GET …/entries`, by field and operator: `{"price": {"gte": "10"}}`; all values of a list must match',
      }),
    ),
  },
  STRICT,
);
export type EntriesExport = Static<typeof EntriesExport>;
