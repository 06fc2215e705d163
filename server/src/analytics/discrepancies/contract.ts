import { type Static, Type } from 'typebox';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';
import { AS_KNOWN_ON, PERIOD, PERIOD_OF_REQUEST } from '../contract.ts';

/** Query of `GET /v1/analytics/discrepancies`. */
export const DiscrepanciesQuery = Type.Object(
  {
    ...PERIOD_OF_REQUEST,
    by: Type.Optional(
      Type.Enum(['destination', 'campaign'], {
        default: 'destination',
        description: '`campaign`: a row for each campaign of each destination',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        maxLength: 8,
        description: 'ISO 4217; by default the currency of the account, or else of most conversions',
      }),
    ),
    asKnownOn: AS_KNOWN_ON,
  },
  STRICT,
);
export type DiscrepanciesQuery = Static<typeof DiscrepanciesQuery>;

const Amount = (description: string) => Type.String({ description });

export const Discrepancies = Type.Object(
  {
    ...PERIOD,
    by: Type.String(),
    currency: orNull(Type.String(), { description: 'Of all amounts; null: no conversion has one' }),
    asKnownOn: Time({ description: 'What was known and sent then is counted' }),
    rows: Type.Array(
      Type.Object(
        {
          key: orNull(Type.String(), { description: 'The destination, or the campaign' }),
          destinationId: Type.String(),
          name: Type.String(),
          platform: Type.String(),
          campaign: orNull(Type.String(), { description: 'By campaign only' }),
          conversions: Type.Integer({ description: 'Conversions of the period, without refunds' }),
          sentConversions: Type.Integer({ description: 'Those that the destination has' }),
          sent: Amount('What the destination accepted'),
          revenue: Amount('What is true now: the latest values of all conversions of the period'),
          expectedRevenue: orNull(Type.String(), {
            description:
              'What these conversions are expected to be worth after later refunds and restatements, by how sales of their sources develop; null: too young to tell. Unlike that of return on ad spend it has no sales that clicks of the period still bring',
          }),
          difference: Amount(
            '`revenue` minus `sent`: the sum of `notSent`, `notAdjustable`, `adjusting` and `noConsent`',
          ),
          notSent: Type.Record(Type.String(), Type.String(), {
            description:
              'By reason: those of deliveries, `queued` (it waits), `unqueued` (it never came to this destination), and `mapping` (the rule sends another value or none)',
          }),
          notAdjustable: Amount('Changed after it was sent, and the platform takes no change'),
          adjusting: Amount('Changed after it was sent: the change is queued'),
          waiting: Amount(
            'Of `queued` and `adjusting`, what waits for its time because the destination is told later, and not for another attempt',
          ),
          noConsent: Amount('Visitors denied consent or gave none'),
          sendable: Amount(
            'Can still be sent, by `POST /v1/destinations/{id}/replay` with `createdFrom` and `createdTo`',
          ),
          isComplete: Type.Boolean({ description: 'Whether every amount has an exchange rate; others are left out' }),
        },
        { title: 'Discrepancy' },
      ),
      { description: 'By the size of the difference, largest first' },
    ),
  },
  { title: 'Discrepancies' },
);
export type Discrepancies = Static<typeof Discrepancies>;
