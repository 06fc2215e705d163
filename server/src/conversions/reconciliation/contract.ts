import { type Static, Type } from 'typebox';
import { Job } from '../../jobs/index.ts';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';
import { CONVERSION_LIMITS } from '../limits.ts';
import { PROVIDERS } from './providers.ts';

const LIMITS = CONVERSION_LIMITS.values;

export const OUTCOMES = ['equal', 'different', 'missingHere', 'missingThere', 'faulty'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const Outcome = Type.Enum([...OUTCOMES], {
  description:
    '`missingHere`: the file has it and no conversion does. `missingThere`: a conversion of the period that the file does not have. `faulty`: an invalid row of the file',
});

/** Why a line is not equal, or cannot be applied. */
export type Reason =
  | 'amount'
  | 'currency'
  | 'refund'
  | 'unmatched'
  | 'unknown'
  | 'ambiguous'
  | 'faultyRow'
  | 'noEventId'
  | 'changed';

const Column = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

/** Query of `POST /v1/reconciliations`: how the file is read, and what it is compared with. */
export const ReconciliationQuery = Type.Object(
  {
    provider: Type.Enum([...PROVIDERS], {
      description:
        'Who made the file: an itemized report of payouts or balances of Stripe, an activity download of PayPal, transactions of payouts of Shopify (CSV, or JSON as their APIs return it), or any other CSV such as the statement of a network',
    }),
    amount: Type.Optional(
      Type.Enum(['gross', 'net'], { default: 'gross', description: '`net`: after the fees of the provider' }),
    ),
    tolerance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e6,
        default: 0.01,
        description: 'By how much equal amounts may differ, in their currency',
      }),
    ),
    toleranceShare: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description: 'Likewise, as a part of the amount; the larger one counts',
      }),
    ),
    from: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'The first day of conversions that the file should have, in the time zone of the account; by default that of its first row',
      }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date', description: 'The day after the last; by default that of its last row' }),
    ),
    event: Type.Optional(
      Type.String({ maxLength: LIMITS.eventLength, description: 'Only conversions with this event are missing there' }),
    ),
    source: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Only conversions of sessions with this source are missing there, such as `awin`',
      }),
    ),
    faultyRows: Type.Optional(
      Type.Enum(['skip', 'refuse'], {
        default: 'skip',
        description: '`refuse`: nothing can be applied if a row of the file is invalid',
      }),
    ),
    decimalMark: Type.Optional(
      Type.Enum(['auto', 'point', 'comma'], {
        default: 'auto',
        description:
          '`auto`: by the amount, or else by the others of the file; ambiguous ones such as 1,234 are invalid',
      }),
    ),
    dateOrder: Type.Optional(
      Type.Enum(['auto', 'dayFirst', 'monthFirst'], {
        default: 'auto',
        description:
          'Of dates such as 3/4/2026. `auto`: by the dates of the file; if all are ambiguous, their rows are invalid',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Of dates that name none, such as `Europe/Berlin`; by default that of the account',
      }),
    ),
    currency: Type.Optional(Type.String({ maxLength: 8, description: 'ISO 4217: of rows that name none' })),
    identifierColumn: Column('The column of the order or event ID, which is compared with `eventId`'),
    amountColumn: Column('The column of the amount'),
    currencyColumn: Column('The column of the currency'),
    dateColumn: Column('The column of the date'),
  },
  STRICT,
);
export type ReconciliationQuery = Static<typeof ReconciliationQuery>;

const Count = (description: string) => Type.Integer({ description });

const Summary = Type.Object(
  {
    count: Count('Lines'),
    appliable: Count('Lines that can be applied'),
    applied: Count('Lines that were applied'),
    amounts: Type.Array(
      Type.Object({
        currency: Type.String(),
        there: Type.String({ description: 'The sum of the file' }),
        here: Type.String({ description: 'The sum of the conversions' }),
        difference: Type.String({ description: '`there` less `here`' }),
      }),
      { description: 'By currency; two are never added' },
    ),
  },
  { title: 'ReconciliationSummary' },
);
export type Summary = Static<typeof Summary>;

export const Reconciliation = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'The name of the file' }),
    settings: Type.Object(
      { provider: Type.Enum([...PROVIDERS]) },
      { additionalProperties: true, description: 'As it was created with' },
    ),
    status: Type.Enum(['matching', 'ready', 'applying', 'applied', 'undoing', 'undone', 'stopped', 'failed'], {
      description:
        '`failed`: the file could not be compared; `error` says why. `stopped`: the job that applies it was; apply it again to resume',
    }),
    error: orNull(Type.Object({ code: Type.String(), detail: Type.String() })),
    rows: Count('Rows of the file'),
    ignored: Count('Rows of fees, payouts and the like'),
    faulty: Count('Invalid rows: lines with the outcome `faulty` name each'),
    from: orNull(Time(), {
      description: 'The period of conversions that the file should have; null: no row has a date',
    }),
    to: orNull(Time()),
    outcomes: Type.Object(
      { equal: Summary, different: Summary, missingHere: Summary, missingThere: Summary },
      { description: 'Of what has been compared' },
    ),
    importId: orNull(Type.String(), {
      description: 'The import of conversions that it was applied as; `null` before',
    }),
    job: orNull(Job),
    createdAt: Time(),
    expiresAt: Time({ description: 'When it is deleted. What it applied stays' }),
  },
  { title: 'Reconciliation' },
);
export type Reconciliation = Static<typeof Reconciliation>;

export const ReconciliationPath = Type.Object({ reconciliationId: Type.String() });
export const ReconciliationsQuery = Type.Object(pageQuery, STRICT);
export const ReconciliationPage = Type.Object({
  reconciliations: Type.Array(Reconciliation),
  nextPageToken: NextPageToken,
});

export const LinesQuery = Type.Object({ ...pageQuery, outcome: Type.Optional(Outcome) }, STRICT);

const ReconciliationLine = Type.Object(
  {
    number: Type.Integer(),
    outcome: Outcome,
    reason: orNull(Type.String(), {
      description:
        '`amount`, `currency`: what differs. `refund`: the file has a refund that the conversion has not. `unmatched`: it was reported, but no session has its identifier. `unknown`: it names no click ID, so that it can be assigned to no session. `ambiguous`: conversions of its click may be it. `faultyRow`: another row of the order is invalid. `noEventId`: a conversion without one cannot be restated. `changed`: the conversion changed before it was applied. Of a faulty row, the code of its fault',
    }),
    detail: orNull(Type.String(), { description: 'What is wrong with a faulty row' }),
    identifier: orNull(Type.String(), { description: 'Of the order or the event, or the click ID' }),
    rows: Type.Array(Type.Integer(), {
      description:
        'Rows of the file, at most 100; an order is the sum of its rows. The header of a CSV is row 1; the first item of JSON is 1',
    }),
    there: orNull(Type.String(), { description: 'What the file says the conversion is worth' }),
    here: orNull(Type.String(), { description: 'What it is worth' }),
    currency: orNull(Type.String(), { description: 'Of the file, or else of the conversion' }),
    hereCurrency: orNull(Type.String()),
    conversionId: orNull(Type.String()),
    at: orNull(Time()),
    canApply: Type.Boolean(),
    isApplied: Type.Boolean(),
  },
  { title: 'ReconciliationLine' },
);
export type ReconciliationLine = Static<typeof ReconciliationLine>;
export const LinePage = Type.Object({ lines: Type.Array(ReconciliationLine), nextPageToken: NextPageToken });

export const ApplyBody = Type.Object(
  {
    outcomes: Type.Optional(
      Type.Array(Type.Enum(['different', 'missingHere', 'missingThere']), {
        minItems: 1,
        uniqueItems: true,
        description:
          'By default the first two. `different`: conversions are restated to the value of the file. `missingHere`: conversions are reported by their click ID. `missingThere`: conversions are restated to 0',
      }),
    ),
  },
  STRICT,
);
export type ApplyBody = Static<typeof ApplyBody>;
export const DeletedReconciliation = Type.Object({ success: Type.Boolean() });
