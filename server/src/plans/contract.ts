import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';

const STATUSES = ['waiting', 'applying', 'applied', 'undone', 'dismissed', 'stale'] as const;
export type PlanStatus = (typeof STATUSES)[number];

const ANY = { type: 'object', additionalProperties: true } as const;
const members = (description: string) => Type.Optional(Type.Unsafe<Record<string, unknown>>({ ...ANY, description }));

/** Of `POST /v1/cms/batch`, as far as it can be undone. */
const Operation = Type.Object(
  {
    op: Type.Enum(['create', 'update', 'delete', 'restore', 'publish', 'unpublish']),
    collection: Type.String({ description: 'The ID or the key of the collection' }),
    id: Type.Optional(Type.String({ description: 'The ID of the entry; all but `create` need it' })),
    values: members('By field ID'),
    increment: members('Numbers to add, by field ID'),
    append: members('Lists of values to add to repeated fields, by field ID'),
    remove: members('Lists of values to remove from repeated fields, by field ID'),
    merge: members('Parts of groups, by field ID'),
  },
  { ...STRICT, title: 'PlannedOperation' },
);
export type Operation = Static<typeof Operation>;

export const EntryChanges = Type.Object(
  { operations: Type.Array(Operation, { minItems: 1, maxItems: 1_000 }) },
  { ...STRICT, title: 'EntryChanges' },
);

export const BulkChange = Type.Object(
  {
    op: Type.Enum(['update', 'delete', 'publish', 'unpublish']),
    collection: Type.String({ description: 'The ID or the key of the collection' }),
    where: Type.Unsafe<unknown>({ description: 'Which entries, as in queries; at most 1,000. `{}`: all' }),
    values: members('By field ID'),
    increment: members('Numbers to add, by field ID'),
    append: members('Lists of values to add to repeated fields, by field ID'),
    remove: members('Lists of values to remove from repeated fields, by field ID'),
    merge: members('Parts of groups, by field ID'),
  },
  { ...STRICT, title: 'BulkChange' },
);
export type BulkChange = Static<typeof BulkChange>;

export const ConversionReports = Type.Object(
  {
    reports: Type.Array(
      Type.Unsafe<Record<string, unknown>>({ ...ANY, description: 'As in `POST /v1/analytics/report-conversion`' }),
      {
        minItems: 1,
        maxItems: 100,
      },
    ),
  },
  { ...STRICT, title: 'ConversionReports' },
);

export const SchemaChanges = Type.Object(
  {
    schema: Type.Unsafe<Record<string, unknown>>({
      ...ANY,
      description:
        'Sections of `PUT /v1/schema`, such as `collections`: what a section does not have is deleted, other sections stay',
    }),
    allowDataLoss: Type.Optional(Type.Boolean({ description: 'Whether changes may lose values, entries or webhooks' })),
  },
  { ...STRICT, title: 'SchemaChanges' },
);

const PlanChange = Type.Object(
  {
    action: Type.String({ description: 'Such as `create`, `update`, `delete`, `publish` or `restate`' }),
    type: Type.Enum(['entry', 'conversion', 'schema']),
    id: orNull(Type.String(), { description: 'null: it does not exist yet' }),
    label: Type.String({ description: 'What it is, in words of the account' }),
    fields: Type.Array(Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
      description: 'What is different; null where there is no value',
    }),
  },
  { title: 'PlanChange' },
);
export type PlanChange = Static<typeof PlanChange>;

const Money = Type.Object(
  {
    currency: orNull(Type.String()),
    before: Type.String({ description: 'Value of the conversions that exist, a decimal number' }),
    after: Type.String(),
  },
  { title: 'PlanMoney' },
);

const preview = {
  summary: Type.String(),
  rows: Type.Integer({ description: 'How many entries, conversions or parts of the schema change' }),
  changes: Type.Array(PlanChange),
  money: Type.Array(Money, { description: 'What happens to the value of conversions, by currency' }),
  warnings: Type.Array(Type.String()),
};
const Preview = Type.Object(preview);
export type Preview = Static<typeof Preview>;

const Author = Type.Object({ type: Type.String(), id: orNull(Type.String()), name: orNull(Type.String()) });

export const Plan = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['entries', 'conversions', 'schema']),
    status: Type.Enum([...STATUSES]),
    reason: orNull(Type.String(), { description: 'Why it is `stale`' }),
    ...preview,
    client: orNull(Type.String(), { description: 'The program that asked, by its `User-Agent`' }),
    createdBy: orNull(Author),
    createdAt: Time(),
    decidedBy: orNull(Author),
    decidedAt: orNull(Time()),
  },
  { title: 'Plan' },
);
export type Plan = Static<typeof Plan>;

export const PlanPath = Type.Object({ planId: Type.String() });
export const PlansQuery = Type.Object({ ...pageQuery, status: Type.Optional(Type.Enum([...STATUSES])) }, STRICT);
export const PlanPage = Type.Object({ plans: Type.Array(Plan), nextPageToken: NextPageToken });
