import type { DynamicParameters } from '../../shared/postgres/statement.ts';
import type { ChannelRule } from '../channel-rules/rule.ts';
import { channelSql } from '../channel-rules/rule-sql.ts';
import type { Exchange } from './convert-revenue.ts';

/** How a selection sees conversions. */
export interface ConversionView {
  accountId: string;
  /** Sales in other currencies than this are grouped by their day, whose rate they convert at. */
  exchange: Pick<Exchange, 'currency' | 'timeZone'>;
  /** In milliseconds: conversions as they were known then. Default: now. */
  knownOn?: number | undefined;
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
}

const OF_SESSION = [
  'session_started_at',
  'country',
  'device',
  'channel',
  'referrer',
  'exit_page',
  'browser',
  'os',
  'region',
];
const LISTS = ['platform_list', 'page_list', 'event_list', 'funnel_list'];
const OF_INCREMENT = [
  ...['session_number', 'is_bot', 'is_internal', 'source', 'medium', 'campaign', 'term', 'content', 'landing_page'],
];

/** A table of conversions with `own_channel`, and `sold_in`: their currency, and for those to convert the day of the sale after a space. */
export function conversionsFrom(
  { accountId, exchange, knownOn, channels }: ConversionView,
  format: DynamicParameters['add'],
): string {
  const { currency, timeZone } = exchange;
  const table =
    knownOn === undefined
      ? 'analytics_conversions'
      : knownThen(format('uuid', accountId), format('timestamptz', new Date(knownOn)));
  const soldIn =
    currency === null
      ? 'currency'
      : `case when currency <> ${format('text', currency)} then currency || ' ' || (at at time zone ${format('text', timeZone)})::date else currency end`;
  return `(select *, ${soldIn} as sold_in, ${channelSql(accountId, channels, format)} as own_channel from ${table}) c`;
}

/**
 * Conversions as the increments until a time make them. One that was moved to another time or currency has several groups, of which the
 * last one counts. What increments do not contain is as it is known today, but a conversion
 * without a value then has no currency either.
 */
const knownThen = (account: string, time: string) => `(
  select i.account_id, i.id, i.at, i.currency, i.is_refunded,
    case when i.has_value then i.value when a.value is not null and i.currency is not null then 0 end as value,
    ${OF_INCREMENT.map((name) => `i.${name}`).join(', ')}, ${OF_SESSION.map((name) => `a.${name}`).join(', ')},
    ${LISTS.map((name) => `coalesce(a.${name}, 0) as ${name}`).join(', ')}
  from (
    select account_id, conversion_id as id, sale_at as at, currency, sum(value) as value, bool_or(value <> 0) as has_value,
      sum(conversions) <= 0 as is_refunded, max(number) as number, max(session_number) as session_number, bool_or(is_bot) as is_bot,
      bool_or(is_internal) as is_internal,
      ${OF_INCREMENT.slice(3)
        .map((name) => `max(${name}) as ${name}`)
        .join(', ')}
    from analytics_increments where account_id = ${account} and known_at <= ${time}
    group by account_id, conversion_id, sale_at, currency
    having sum(conversions) > 0 or sum(value) = 0 and bool_or(is_refund)) i
  left join analytics_conversions a on a.account_id = i.account_id and a.id = i.id
  where not i.is_refunded or not exists (
    select from analytics_increments o
    where o.account_id = i.account_id and o.conversion_id = i.id and o.number > i.number and o.known_at <= ${time})) k`;
