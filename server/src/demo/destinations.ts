import { parseId } from '../shared/ids.ts';
import { plannedStatement } from '../shared/postgres/statement.ts';
import type { Call } from './call.ts';

const OAUTH = { clientId: 'demo', clientSecret: 'demo-client-secret', refreshToken: 'demo-refresh-token' };
/** In the order of `writeDeliveries`. Off, because nothing of a demo may reach a platform. */
const DESTINATIONS = [
  {
    ...{ platform: 'google', name: 'Google Ads', target: '987654321' },
    credentials: { customerId: '1234567890', ...OAUTH },
  },
  {
    ...{ platform: 'meta', name: 'Meta', target: 'Purchase' },
    credentials: { pixelId: '123456789012345', accessToken: 'demo-access-token' },
  },
  {
    ...{ platform: 'microsoft', name: 'Microsoft Advertising', target: 'Purchase' },
    credentials: { ...OAUTH, developerToken: 'demo-developer-token', customerId: '11', accountId: '22' },
  },
];

/** Connects ad platforms. Returns the ids of the destinations. */
export async function createDestinations(call: Call): Promise<string[]> {
  const ids: string[] = [];
  for (const { target, ...destination } of DESTINATIONS) {
    const mapping = [{ event: 'purchase', target, currency: 'EUR' }];
    const body = { ...destination, mapping, consent: 'unless_denied', mode: 'off' };
    const { id }: { id: string } = await call('POST', '/v1/destinations', body);
    ids.push(parseId('dst', id) ?? '');
  }
  return ids;
}

/** ISO 8601. */
const timeOf = (column: string) => `(to_jsonb(${column} at time zone 'UTC') #>> '{}') || 'Z'`;

/** Writes what became of the account's conversions at its destinations: most were sent, some changed, some refused. */
export const writeDeliveries = plannedStatement({ account_id: 'uuid', destinations: 'uuid[]' }).runs(
  `insert into destination_deliveries (account_id, destination_id, conversion_id, status, reason, version, sent, attempts,
     response, created_at, updated_at)
   select :account_id, (:destinations)[o.i], o.id, o.status, o.reason, o.version,
     case when o.was_sent then jsonb_build_object('wireId', o.event_id, 'target', o.target, 'value', o.sent_value,
       'currency', o.currency, 'occurredAt', o.occurred, 'sentAt', o.sent, 'version', o.version) end,
     case when o.was_sent and o.version > 1 then jsonb_build_array(
       jsonb_build_object('at', o.sent, 'action', 'send', 'version', 1, 'value', o.first_value, 'currency', o.currency,
         'status', 'sent', 'reason', null)) else '[]' end
       || jsonb_build_object('at', o.decided, 'action', o.action, 'version', o.version, 'value', o.value,
         'currency', o.currency, 'status', o.status, 'reason', o.reason),
     case when o.status = 'rejected' then 'The click ID is invalid or belongs to another account.' end,
     o.received_at, o.latest
   from (
     select d.i, d.target, c.id, c.event_id, r.version, c.value::text as value, c.currency, c.received_at, r.latest,
       r.value::text as first_value, k.status, k.reason,
       k.status in ('sent', 'adjusted', 'retracted', 'not_adjustable') as was_sent,
       case k.status when 'adjusted' then c.value else r.value end::text as sent_value,
       case when k.status in ('skipped', 'rejected') then 'none' when k.status = 'retracted' then 'retract'
         when r.version > 1 then 'adjust' else 'send' end as action,
       ${timeOf('c.created_on')} as occurred, ${timeOf('c.received_at')} as sent, ${timeOf('r.latest')} as decided
     from conversions c
     join sessions s on s.account_id = c.account_id and s.number = c.session_number
     cross join (values (1, 'gclid', '987654321'), (2, 'fbclid', 'Purchase'), (3, 'msclkid', 'Purchase'))
       d (i, click, target)
     cross join lateral (
       select (array_agg(r.value order by r.arrival))[1] as value, count(*)::integer as version, max(r.received_at) as latest
       from conversion_revisions r where r.account_id = c.account_id and r.conversion_id = c.id) r
     cross join lateral (
       select case
           when c.event <> 'purchase' or s.click_ids -> d.click is null then 'skipped'
           when d.i = 1 and s.number % 11 = 0 then 'rejected'
           when r.version = 1 then 'sent'
           when d.i = 2 then 'not_adjustable'
           when d.i = 3 and c.value = 0 then 'retracted'
           else 'adjusted' end as status,
         case
           when c.event <> 'purchase' then 'event_not_mapped'
           when s.click_ids -> d.click is null then 'no_identifier'
           when d.i = 1 and s.number % 11 = 0 then 'invalid_gclid'
           when d.i = 2 and r.version > 1 then 'platform_cannot_adjust' end as reason) k
     where c.account_id = :account_id) o`,
);
