import { clickIds, type Dataset, decimal, id, json, keyedById, session, text, time } from './dataset.ts';

export const conversions: Dataset = {
  table: 'reported_conversions',
  baseTable: 'conversions',
  tableAt: (account, time) => `(
    select c.account_id, c.id, c.event_id, c.event, c.received_at, c.origin, c.identifier, c.session_number, c.extra, k.*
    from conversions c cross join lateral (
      select sale_at as created_on, currency,
        case when bool_or(value <> 0) then sum(value) when c.value is not null and i.currency is not null then 0 end as value
      from analytics_increments i
      where i.account_id = c.account_id and i.conversion_id = c.id and i.known_at <= ${time}
      group by sale_at, currency having sum(conversions) > 0 or sum(value) = 0 and bool_or(is_refund)
      order by max(known_at) desc, max(number) desc limit 1) k
    where c.account_id = ${account}) as_known`,
  ...keyedById,
  time: 'created_on',
  sessions: [{ as: 's', number: 'session_number' }],
  columns: [
    id('id', 't.id', 'cnv'),
    text('eventId', 't.event_id'),
    text('event', 't.event'),
    decimal('value', 't.value'),
    text('currency', 't.currency'),
    time('createdOn', 't.created_on'),
    time('receivedAt', 't.received_at'),
    text('origin', 't.origin'),
    json('identifier', 't.identifier'),
    session('sessionId', 't.session_number'),
    text('sessionHash', 's.hash'),
    json('extra', 't.extra'),
    text('source', 's.source'),
    text('campaign', 's.campaign'),
    text('landingUrl', 's.landing_url'),
    ...clickIds('s'),
  ],
};
