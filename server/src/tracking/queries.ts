import { statement } from '../shared/postgres/database.ts';

/**
 * Each branch probes its index once for each key: `lateral … limit 1` leaves the planner no other way, whatever it
 * believes about sizes.
 */
export const findSessionNumbers = statement<{ kind: string; account_id: string; value: string; number: number }>(
  'tracking.find_session_numbers',
  `select 'hash' as kind, w.account_id, w.value, s.number
     from unnest($1::uuid[], $2::text[]) as w (account_id, value)
     join lateral (select number from sessions s where s.account_id = w.account_id and s.hash = w.value limit 1) s on true
   union all
   select 'number', w.account_id, w.value::text, s.number
     from unnest($3::uuid[], $4::bigint[]) as w (account_id, value)
     join lateral (select number from sessions s where s.account_id = w.account_id and s.number = w.value limit 1) s on true
   union all
   select 'short', w.account_id, w.value, s.number
     from unnest($5::uuid[], $6::text[]) as w (account_id, value)
     join lateral (
       select number from sessions s where s.account_id = w.account_id and s.short_hash = w.value
       order by started_at, number limit 1) s on true
   union all
   select 'click', w.account_id, w.value::text, c.session_number
     from unnest($7::uuid[], $8::uuid[]) as w (account_id, value)
     join lateral (
       select session_number from click_ids c where c.account_id = w.account_id and c.digest = w.value
       order by started_at, session_number limit 1) c on true`,
);
