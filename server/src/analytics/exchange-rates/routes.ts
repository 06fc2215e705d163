import type { Deps } from '../../shared/deps.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { OnErrorQuery, rowFaultsOf } from '../../shared/http/row-faults.ts';
import type { App } from '../../shared/http/server.ts';
import { isoTime } from '../../shared/time.ts';
import {
  ExchangeRateInput,
  ExchangeRatePage,
  ExchangeRatesBody,
  ExchangeRatesQuery,
  ExchangeRatesResult,
} from './contract.ts';
import { addExchangeRates } from './put-exchange-rates.ts';
import { type ExchangeRateRow, listExchangeRates } from './queries.ts';

const URL = '/v1/analytics/exchange-rates';

/** `PUT` and `GET /v1/analytics/exchange-rates`. */
export function exchangeRateRoutes(app: App, { db, clock, pageTokens }: Deps): void {
  const common = { tags: ['Analytics'], security: [{ token: [] }] };

  const { get, put } = routesOf(app, common);
  put(URL, {
    config: { access: 'secret', role: 'editor', rate: 'write' },
    operationId: 'putExchangeRates',
    summary: 'Import exchange rates of days',
    description:
      'Reports by day of click convert revenue at the rate of the day of its sale, and cost at that of its own day; on a day without a rate that of up to ten days before counts. A rate that is sent again replaces the earlier one, which reports with an earlier `asKnownOn` still use.',
    querystring: OnErrorQuery,
    body: ExchangeRatesBody,
    returns: ExchangeRatesResult,
    attachValidation: true,
    handle: (request) => {
      const faultsOfRow = rowFaultsOf(request, 'rates', ExchangeRateInput);
      const { caller, body, query } = request;
      return addExchangeRates(db, caller.accountId, body.rates, faultsOfRow, query.onError ?? 'refuse', clock());
    },
  });

  get(URL, {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listExchangeRates',
    summary: 'List exchange rates',
    description: 'The latest days first.',
    querystring: ExchangeRatesQuery,
    returns: ExchangeRatePage,
    handle: async ({ caller: { accountId }, query }) => {
      const { from = null, to = null } = query;
      const { rows, nextPageToken } = await keysetPage<ExchangeRateRow, [string, string, string]>({
        tokens: pageTokens,
        scope: ['exchange-rates', accountId, from, to],
        query,
        read: (after, limit) => {
          const [after_day = null, after_base = '', after_currency = ''] = after ?? [];
          return listExchangeRates(db, {
            account_id: accountId,
            from,
            to,
            after_day,
            after_base,
            after_currency,
            limit,
          });
        },
        positionOf: ({ day, base, currency }) => [day, base, currency],
      });
      const rates = rows.map(({ day, known_at, ...rate }) => ({ date: day, ...rate, knownAt: isoTime(known_at) }));
      return { rates, nextPageToken };
    },
  });
}
