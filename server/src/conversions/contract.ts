import { type Static, Type } from 'typebox';
import { orNull, Time } from '../shared/http/schemas.ts';

const Text = orNull(Type.String());

/** Name and value of an identifier. */
export const IdentifierMember = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
export const Extra = orNull(Type.Record(Type.String(), Type.Unknown()));
export const Origin = Type.Enum(['report', 'event'], {
  description: '`report`: reported as a conversion. `event`: an event with a value',
});

export const report = {
  eventId: orNull(Type.String(), { description: "The caller's own identifier of the conversion" }),
  event: Type.String(),
  value: orNull(Type.String(), { description: 'Exact decimal number' }),
  currency: Text,
  createdOn: Time(),
  receivedAt: Time(),
};

/** A conversion as webhooks send it, along with its session. */
export const ConversionSummary = Type.Object({
  id: Type.String({ description: 'The `_id` of the result that reported it' }),
  ...report,
  origin: Origin,
  identifier: orNull(IdentifierMember, {
    description: 'Name and value of the identifier that it was matched by; null once it is erased',
  }),
  extra: Extra,
  withdrawnAt: orNull(Time(), {
    description: 'When the imports that reported it were undone: it no longer counts. Otherwise null',
  }),
});
export type ConversionSummary = Static<typeof ConversionSummary>;
