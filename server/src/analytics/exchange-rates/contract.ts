import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { RowFault } from '../../shared/http/row-faults.ts';
import { STRICT, Time } from '../../shared/http/schemas.ts';

const MAX_RATES = 5_000;

const Code = (description: string) => Type.String({ maxLength: 8, description });
const Day = (description: string) => Type.String({ format: 'date', description });

export const ExchangeRateInput = Type.Object(
  {
    date: Day('The day of the rate'),
    base: Code('ISO 4217, such as `EUR` of the rates of the European Central Bank'),
    currency: Code('ISO 4217'),
    rate: Type.Union([Type.Number(), Type.String()], {
      description: 'How many units of `currency` one unit of `base` was worth: a number above 0, or its decimal digits',
    }),
  },
  STRICT,
);
export type ExchangeRateInput = Static<typeof ExchangeRateInput>;

/** Body of `PUT /v1/analytics/exchange-rates`. */
export const ExchangeRatesBody = Type.Object(
  { rates: Type.Array(ExchangeRateInput, { minItems: 1, maxItems: MAX_RATES }) },
  STRICT,
);

export const ExchangeRatesResult = Type.Object(
  {
    written: Type.Integer({ description: 'Rates that are new or differ from what was known' }),
    unchanged: Type.Integer(),
    faults: Type.Array(RowFault, { description: 'The rows that were skipped' }),
  },
  { title: 'ExchangeRatesResult' },
);
export type ExchangeRatesResult = Static<typeof ExchangeRatesResult>;

export const ExchangeRatesQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(Day('The first day')),
    to: Type.Optional(Day('The day after the last')),
  },
  STRICT,
);
export type ExchangeRatesQuery = Static<typeof ExchangeRatesQuery>;

const ExchangeRate = Type.Object(
  { date: Type.String(), base: Type.String(), currency: Type.String(), rate: Type.String(), knownAt: Time() },
  { title: 'ExchangeRate' },
);
export const ExchangeRatePage = Type.Object({ rates: Type.Array(ExchangeRate), nextPageToken: NextPageToken });
export type ExchangeRatePage = Static<typeof ExchangeRatePage>;
