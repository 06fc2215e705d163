import { type Static, type TSchema, Type } from 'typebox';
import { Job } from '../jobs/index.ts';

export const LIMITS = {
  /** Of the header. */
  columns: 1_000,
  /** Faults of a step that are answered; the results' file has all. */
  faults: 100,
} as const;

const strict = { additionalProperties: false };
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });
const oneOrNull = <const Value extends string>(values: Value[], description: string) =>
  Type.Unsafe<Value | null>({ type: ['string', 'null'], enum: [...values, null], description });
const Timestamp = Type.String({ format: 'date-time' });

const PlanColumn = Type.Object(
  {
    field: Type.String({ description: "A field's id, or `group.field` of a group that is not repeated" }),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10,
        description: 'What parts the values of a repeated field, where the cell is no JSON array',
      }),
    ),
  },
  strict,
);

/** How the rows of a file are read. */
export const ImportPlan = Type.Object(
  {
    columns: Type.Array(orNull(PlanColumn), {
      maxItems: LIMITS.columns,
      description: "Where each column of the file belongs, in the file's order; null: it is left out",
    }),
    idColumn: Type.Optional(
      orNull(Type.Integer({ minimum: 0, description: 'The column, from 0, that has the ids of entries to change' })),
    ),
    keyField: Type.Optional(
      orNull(
        Type.String({
          description:
            'A field by whose value a row finds the entry to change, instead of by an id; none has it: a new one',
        }),
      ),
    ),
    emptyCells: Type.Optional(
      Type.Enum(['clear', 'keep'], {
        description: 'What an empty cell does to the value of an entry that is changed; `clear` unless sent',
      }),
    ),
    decimal: Type.Optional(
      oneOrNull(['.', ','], 'What parts a whole number from its fraction; unless it is said, `1,234` is a fault'),
    ),
    dateOrder: Type.Optional(oneOrNull(['dmy', 'mdy'], 'What `03/04/2026` means; unless it is said, it is a fault')),
    timeZone: Type.Optional(
      orNull(
        Type.String({
          maxLength: 64,
          description: 'Of times without an offset, such as `Europe/Berlin`; unless it is said, they are a fault',
        }),
      ),
    ),
  },
  { ...strict, title: 'ImportPlan' },
);
export type ImportPlan = Static<typeof ImportPlan>;

export const RowFault = Type.Object({
  row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1' }),
  field: orNull(Type.String({ description: 'Which field; null: the row as a whole' })),
  code: Type.String(),
  detail: Type.String(),
});
export type RowFault = Static<typeof RowFault>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const resultsUrl = orNull(
  Type.String({ description: 'A CSV with a line for each row; needs no token. null while the step is under way' }),
);

const RowCounts = Type.Object(
  {
    rows: count('Looked at so far; empty lines do not count'),
    created: count('New entries'),
    changed: count('Entries that are otherwise than before'),
    unchanged: count('Entries that are as the row says'),
    refused: count('Rows with a fault, which are left out'),
    faults: Type.Array(RowFault, { description: `The first ${LIMITS.faults}` }),
    resultsUrl,
  },
  { title: 'ImportCounts' },
);

const UndoCounts = Type.Object(
  {
    entries: count('Looked at so far'),
    deleted: count('That the import had created'),
    restored: count('That it had changed'),
    kept: count('Changed by somebody else since: left as they are'),
    resultsUrl,
  },
  { title: 'UndoCounts' },
);

export const STATUSES = [
  'uploaded',
  'rehearsing',
  'rehearsed',
  'importing',
  'imported',
  'undoing',
  'undone',
  'stopped',
] as const;

const ImportColumn = Type.Object({
  name: Type.String({ description: 'Its heading' }),
  samples: Type.Array(Type.String(), { description: 'Of the first rows' }),
  proposed: orNull(
    Type.String({ description: '`_id`, the id of the entry, or the field that its heading names; null: none does' }),
  ),
});
export type ImportColumn = Static<typeof ImportColumn>;

/** A file of entries, and what has become of it. */
export const Import = Type.Object(
  {
    id: Type.String(),
    collectionId: Type.String(),
    name: Type.String({ description: "The file's name" }),
    bytes: Type.Integer(),
    status: Type.Enum([...STATUSES], {
      description: '`stopped`: the step was cancelled or failed, see `job`; it can be started again where it stopped',
    }),
    step: Type.Enum(['upload', 'rehearsal', 'import', 'undo'], { description: 'What was asked for last' }),
    columns: Type.Array(ImportColumn),
    plan: Type.Union([ImportPlan, Type.Null()]),
    rehearsal: Type.Union([RowCounts, Type.Null()]),
    imported: Type.Union([RowCounts, Type.Null()]),
    undone: Type.Union([UndoCounts, Type.Null()]),
    job: Type.Union([Job, Type.Null()], { description: 'That does, or did, the step; forgotten 7 days after its end' }),
    createdAt: Timestamp,
    expiresAt: Type.String({ format: 'date-time', description: 'When the file, and what undoing needs, is forgotten' }),
  },
  { title: 'Import' },
);
export type Import = Static<typeof Import>;

export const ImportPage = Type.Object({
  imports: Type.Array(Import),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

export const ImportPath = Type.Object({ collectionId: Type.String(), importId: Type.String() });

export const ImportsQuery = Type.Object(
  {
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
    pageToken: Type.Optional(
      Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
    ),
  },
  strict,
);

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export const EntriesExport = Type.Object(
  {
    format: Type.Enum([...EXPORT_FORMATS]),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: LIMITS.columns,
        description: 'These fields alone (`price`, `seo.title`), in this order, behind the id; else all',
      }),
    ),
    sort: Type.Optional(Type.String({ description: 'As the listing takes it' })),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'As the listing takes it' })),
    filter: Type.Optional(
      Type.Unsafe<Record<string, Record<string, string | string[]>>>({
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
        description:
          'As the listing takes it, by field and operator: `{"price": {"gte": "10"}}`; a list must hold as a whole',
      }),
    ),
  },
  strict,
);
export type EntriesExport = Static<typeof EntriesExport>;
