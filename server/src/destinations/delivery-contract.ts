import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';
import { DELIVERY_STATUSES, PlatformName } from './contract.ts';

const Attempt = Type.Object(
  {
    at: Time(),
    action: Type.Enum(['send', 'adjust', 'retract', 'none']),
    version: Type.Integer({ description: 'The version of the conversion: the number of its changes' }),
    value: orNull(Type.String()),
    currency: orNull(Type.String()),
    status: Type.Enum([...DELIVERY_STATUSES]),
    reason: orNull(Type.String()),
  },
  { title: 'DestinationAttempt' },
);

export const DestinationDelivery = Type.Object(
  {
    destinationId: Type.String(),
    destinationName: Type.String(),
    platform: PlatformName,
    conversionId: Type.String(),
    event: orNull(Type.String(), { description: 'Of the conversion, like `eventId`' }),
    eventId: orNull(Type.String()),
    status: Type.Enum([...DELIVERY_STATUSES]),
    reason: orNull(Type.String(), {
      description: 'Why it was skipped, rejected or could not be adjusted; a stable code',
    }),
    response: orNull(Type.String(), {
      description: "The platform's refusal, verbatim; secrets are masked",
    }),
    wireId: orNull(Type.String(), { description: 'The id under which the platform has it' }),
    target: orNull(Type.String()),
    value: orNull(Type.String(), { description: 'The value that the platform has' }),
    currency: orNull(Type.String()),
    factor: orNull(Type.Number(), {
      description: 'What the value was multiplied by to become the expected one; null: it was not',
    }),
    version: Type.Integer(),
    sentAt: orNull(Time(), { description: 'When the platform accepted it' }),
    attempts: Type.Array(Attempt, { description: 'The latest 20, oldest first' }),
    failedAttempts: Type.Integer({ description: 'Failed attempts since it was queued' }),
    nextAttemptAt: orNull(Time(), { description: 'When it is sent, or its latest change is' }),
    updatedAt: Time(),
  },
  { title: 'DestinationDelivery' },
);
export type DestinationDelivery = Static<typeof DestinationDelivery>;

export const DestinationDeliveryPage = Type.Object({
  deliveries: Type.Array(DestinationDelivery),
  nextPageToken: NextPageToken,
});
export const ConversionDeliveries = Type.Object({ deliveries: Type.Array(DestinationDelivery) });

export const DestinationDeliveriesQuery = Type.Object(
  { ...pageQuery, status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])) },
  STRICT,
);
export type DestinationDeliveriesQuery = Static<typeof DestinationDeliveriesQuery>;

export const ConversionDeliveriesPath = Type.Object({ conversionId: Type.String() });

/** Body of `POST /v1/destinations/{id}/test`. */
export const TestBody = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'Empty',
});

export const TestResult = Type.Object(
  {
    success: Type.Boolean(),
    status: orNull(Type.Integer(), { description: 'HTTP status of the response; null without a response' }),
    detail: Type.String({ description: 'What was found, in a sentence' }),
    response: orNull(Type.String(), { description: "The platform's response, verbatim; secrets are masked" }),
  },
  { title: 'DestinationTest' },
);
export type TestResult = Static<typeof TestResult>;

/** Body of `POST /v1/destinations/{id}/dry-run`. */
export const DryRun = Type.Object({ conversionId: Type.String() }, STRICT);

export const DryRunResult = Type.Object(
  {
    action: Type.Enum(['send', 'adjust', 'retract', 'none']),
    status: orNull(Type.Enum(['skipped', 'rejected', 'not_adjustable']), {
      description: 'What becomes of the conversion if nothing is sent',
    }),
    reason: orNull(Type.String()),
    request: orNull(
      Type.Object({
        method: Type.String(),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: orNull(Type.Unsafe<unknown>({ description: 'Parsed if it is JSON' })),
      }),
      { description: 'The exact request, with secrets masked' },
    ),
  },
  { title: 'DestinationDryRun' },
);
export type DryRunResult = Static<typeof DryRunResult>;

/** Body of `POST /v1/destinations/{id}/replay`. */
export const DestinationReplay = Type.Object(
  {
    conversionId: Type.Optional(Type.String({ description: 'Replay only this conversion, whatever its status' })),
    statuses: Type.Optional(
      Type.Array(Type.Enum(['skipped', 'rejected', 'not_adjustable', 'uncertain', 'unqueued']), {
        minItems: 1,
        uniqueItems: true,
        description:
          'By default `rejected`. `unqueued`: conversions that this destination never had, for example because they are older. An `uncertain` conversion may be counted twice',
      }),
    ),
    from: Type.Optional(Time({ description: 'Updated at this time or later; of `unqueued` ones, received' })),
    to: Type.Optional(Time({ description: 'Updated before this time' })),
    createdFrom: Type.Optional(
      Time({
        description:
          'With `createdTo` and without the others: all conversions dated in this period that the destination does not have as they are now and that can still be sent',
      }),
    ),
    createdTo: Type.Optional(Time({ description: 'The end of that period' })),
  },
  { ...STRICT, minProperties: 1 },
);
export type DestinationReplay = Static<typeof DestinationReplay>;
