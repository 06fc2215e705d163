import type { Database, Tx } from '../shared/postgres/database.ts';
import { CLICK_ID_NAMES } from '../tracking/index.ts';
import {
  CHANNELS,
  COUNTRIES,
  DEVICES,
  FIRST_NAMES,
  HOST,
  hoursOf,
  LAST_NAMES,
  LEAD_STEP,
  PAGES,
  STEPS,
  shares,
} from './shop.ts';

export interface TrafficSize {
  sessions: number;
  events: number;
  conversions: number;
  /** What part of those who came as far go on with the next step, from the first. */
  goOn: number;
  days: number;
}

const DAY_MS = 24 * 3_600_000;
const ANSWER = 'quiz_answered';

/** A UUIDv7 of a time, in SQL. */
const uuidAt = (time: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
   || '8' || substr(md5(random()::text), 1, 15))::uuid`;

/** See `Identifier.digest` in tracking. */
const digest = (text: string) => `encode(substring(sha256(convert_to(${text}, 'UTF8')) for 16), 'hex')::uuid`;

/**
 * Writes sessions with all they did, leads, conversions (some restated, some unmatched), by a few statements for any number of
 * them, as the service would have written them. The rows are marked as noted: who calls counts them.
 */
export async function writeTraffic(db: Database, accountId: string, size: TrafficSize, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = 0; set local synchronous_commit = off; set local work_mem = '256MB';
      set local temp_buffers = '128MB';
      set local max_parallel_workers_per_gather = 0; select setseed(0.42)`);
    await draftSessions(tx, size, now);
    await writeSessions(tx, accountId);
    await writeVisits(tx, accountId);
    const from = now - (size.days + 1) * DAY_MS;
    for (let at = from; at <= now; at += DAY_MS) await writeEvents(tx, accountId, at, at + DAY_MS);
    await writeConversions(tx, accountId, size, now);
    await writeUnmatched(tx, accountId, size, now);
    await tx.query('drop table demo_sessions, demo_orders');
  });
  await db.query('analyze sessions, visits, events, leads, lead_sessions, conversions, conversion_revisions');
}

/** What a session is and how far it goes, in the order of their begin. */
async function draftSessions(tx: Tx, { sessions, events, goOn, days }: TrafficSize, now: number): Promise<void> {
  const hours = hoursOf(sessions, days, now);
  const isAnswer = STEPS.map((step) => step === ANSWER);
  await tx.query(
    `create temp table demo_sessions as
     with begun as (
       select at + random() * interval '1 hour' as started_at, random() as r1, random() as r2, random() as r3,
         random() as r4, random() as r5, random() as r6
       from unnest($1::timestamptz[], $2::int[]) as h (at, count), generate_series(1, h.count)),
     drafted as (
       select nextval('session_number_seq') as number, substr(md5(random()::text), 1, 22) as hash,
         date_trunc('milliseconds', started_at) as started_at,
         -- A third come again.
         'v' || substr(md5(case when r1 < 0.35 then 'again ' || floor(random() * $3 * 0.15) else 'once ' || random() end), 1, 20)
           as visitor,
         width_bucket(r2, $4::float8[]) + 1 as channel, width_bucket(r3, $5::float8[]) + 1 as device,
         width_bucket(r4, $6::float8[]) + 1 as country,
         case when r6 < 0.03 then 0 else least(floor(ln(greatest(r5, 1e-12)) / ln($7::float8))::int, $8::int) end as depth,
         r6 < 0.03 as is_bot, r6 > 0.99 as is_internal, 'Ej0' || md5(random()::text) as click
       from (select * from begun order by started_at) b)
     select d.*, null::uuid as lead_id, null::text as email,
       (select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
          ((('x' || substr(encode(sha256(convert_to(hash, 'UTF8')), 'hex'), 1, 15))::bit(60)::bigint >> (55 - 5 * i)) & 31)::int + 1, 1), '' order by i)
        from generate_series(0, 11) i) as short_hash,
       -- The quiz is answered by so many steps of all; their answers make up for what is missing of the events.
       sum(answering) over (order by number) - answering as answering_before, sum(answering) over () as answering_all,
       greatest(0, $11 - sum(others) over ()) as answers
     from drafted d
     cross join lateral (select ($9::int[])[1 + depth] as answering, ($10::int[])[1 + depth] as others) o`,
    [
      hours.map(({ at }) => new Date(at)),
      hours.map(({ count }) => count),
      sessions,
      shares(CHANNELS.map((channel) => channel[4])),
      shares(DEVICES.map((device) => device[3])),
      shares(COUNTRIES.map((country) => country[2])),
      goOn,
      STEPS.length,
      upTo(isAnswer),
      upTo(isAnswer.map((is) => !is)),
      events,
    ],
  );
  await tx.query('create index on demo_sessions (started_at); analyze demo_sessions');
}

/** How many are true of none, of the first, of the first two … */
function upTo(list: boolean[]): number[] {
  return [0, ...list.map((_, i) => list.slice(0, i + 1).filter(Boolean).length)];
}

async function writeSessions(tx: Tx, accountId: string): Promise<void> {
  // Who leaves an e-mail is a lead with all his sessions.
  await tx.query(
    `create temp table demo_leads on commit drop as
     select visitor, ${uuidAt('min(started_at)')} as id, min(started_at) + interval '4 minutes' as first_seen_at,
       max(started_at) + interval '4 minutes' as last_seen_at,
       ($1::text[])[1 + floor(random() * $3)] || '.' || ($2::text[])[1 + floor(random() * $4)] || row_number() over () || '@mail.example' as email
     from demo_sessions where depth >= ${LEAD_STEP} group by visitor`,
    [FIRST_NAMES, LAST_NAMES, FIRST_NAMES.length, LAST_NAMES.length],
  );
  await tx.query(
    `update demo_sessions s set lead_id = l.id, email = l.email from demo_leads l where l.visitor = s.visitor`,
  );
  await tx.query(
    `insert into leads (account_id, id, email, first_seen_at, last_seen_at)
     select $1, id, email, first_seen_at, last_seen_at from demo_leads order by id`,
    [accountId],
  );
  await tx.query(
    `with channel as (
       select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
         as c (source, medium, campaign, click, path, n)),
     device as (select * from unnest($7::text[], $8::text[], $9::text[]) with ordinality as d (device, browser, os, n))
     insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, referrer,
       source, medium, campaign, click_ids, device, browser, os, country, is_bot, is_internal, lead_id)
     select $1, s.number, s.hash, s.short_hash, s.visitor, s.started_at, s.started_at + s.depth * interval '35 seconds',
       '${HOST}' || c.path || case when c.campaign is null then '' else
         '?utm_source=' || c.source || '&utm_medium=' || c.medium || '&utm_campaign=' || c.campaign
           || coalesce('&' || c.click || '=' || s.click, '') end,
       case when c.medium in ('organic', 'social') then 'https://www.' || c.source || '.com/' end,
       c.source, c.medium, c.campaign,
       case when c.click is null then '{}' else jsonb_build_object(c.click, s.click) end,
       d.device, d.browser, d.os, ($10::text[])[s.country], s.is_bot, s.is_internal, s.lead_id
     from demo_sessions s join channel c on c.n = s.channel join device d on d.n = s.device order by s.number`,
    [
      accountId,
      ...[0, 1, 2, 3, 5].map((i) => CHANNELS.map((channel) => channel[i])),
      ...[0, 1, 2].map((i) => DEVICES.map((device) => device[i])),
      COUNTRIES.map(([country]) => country),
    ],
  );
  await tx.query(
    `insert into lead_sessions (account_id, lead_id, started_at, session_number)
     select $1, lead_id, started_at, number from demo_sessions where lead_id is not null order by 2, 3, 4`,
    [accountId],
  );
  await tx.query(
    `insert into click_ids (account_id, digest, session_number, started_at)
     select $1, ${digest("k.name || E'\\n' || s.click")}, s.number, s.started_at
     from demo_sessions s join unnest($2::text[]) with ordinality as k (name, n) on k.n = s.channel and k.name is not null`,
    [accountId, CHANNELS.map((channel) => channel[3])],
  );
}

async function writeVisits(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    `insert into visits (account_id, id, session_number, url, referrer, title, visitor_id, is_bot, is_internal, occurred_at,
       received_at, arrived_in)
     select $1, ${uuidAt('v.at')}, v.number, v.url, null, v.title, v.visitor, v.is_bot, v.is_internal, v.at, v.at, 0
     from (
       select s.*, date_trunc('milliseconds', s.started_at + n * interval '75 seconds' * (0.8 + random() * 0.4)) as at,
         '${HOST}' || case when n = 0 then ($2::text[])[s.channel] else ($3::text[])[n] end as url,
         case when n = 0 then 'Welcome' else initcap(replace(split_part(($3::text[])[n], '/', 2), '-', ' ')) end as title
       from demo_sessions s, generate_series(0, least(5, s.depth / 2)) n) v
     order by v.at`,
    [accountId, CHANNELS.map((channel) => channel[5]), PAGES],
  );
}

async function writeEvents(tx: Tx, accountId: string, from: number, to: number): Promise<void> {
  await tx.query(
    `insert into events (account_id, id, event, properties, session_number, lead_id, is_bot, is_internal, occurred_at,
       received_at, arrived_in)
     select $1, ${uuidAt('e.at')}, e.name, e.properties, e.number, case when e.step = ${LEAD_STEP} then e.lead_id end, false,
       e.is_internal, e.at, e.at, 0
     from (
       select s.*, step, name, date_trunc('milliseconds', s.started_at + step * interval '30 seconds'
           + (n + random()) * interval '2 seconds') as at,
         jsonb_strip_nulls(jsonb_build_object('funnel_id', ($3::text[])[s.channel],
           'question', case when name = '${ANSWER}' then 'q' || (step - 1) * 10 + n end,
           'email', case when step = ${LEAD_STEP} then s.email end)) as properties
       from demo_sessions s
       join unnest($2::text[], $6::int[]) with ordinality as k (name, answering, step) on k.step <= s.depth
       cross join generate_series(1, case when name <> '${ANSWER}' then 1 else
         (s.answers * (s.answering_before + answering) / s.answering_all
           - s.answers * (s.answering_before + answering - 1) / s.answering_all)::int end) n
       where s.started_at >= $4 and s.started_at < $5) e
     order by e.at`,
    [
      accountId,
      STEPS,
      CHANNELS.map((channel) => channel[6]),
      new Date(from),
      new Date(to),
      upTo(STEPS.map((step) => step === ANSWER)).slice(1),
    ],
  );
}

/** Orders that the shop's back end reported, some given back since; renewals a month later make up for what is missing. */
async function writeConversions(tx: Tx, accountId: string, { conversions }: TrafficSize, now: number): Promise<void> {
  const named = `case when b.name is null then jsonb_build_object('sessionHash', b.hash) else jsonb_build_object(b.name, b.click) end`;
  await tx.query(
    `create temp table demo_orders as
     select b.*, ${uuidAt('b.received_at')} as id, ${named} as identifier,
       case when b.name is null then ${digest("E'hash\\n' || b.hash")} else ${digest("b.name || E'\\n' || b.click")} end as digest,
       case when random() < 0.08 and b.received_at + interval '9 days' < $1::timestamptz then 0 when random() < 0.04 then round(b.value / 2, 2) end
         as restated
     from (
       select s.number, s.hash, s.click, event, at, at + random() * interval '2 hours' as received_at,
         ($2::text[])[s.country] as currency, round((29 + 90 * random() * random())::numeric, 2) as value,
         event || '-' || s.number as event_id,
         case when random() < 0.7 then ($3::text[])[s.channel] end as name
       from demo_sessions s
       cross join lateral (
         values ('purchase', date_trunc('milliseconds', s.started_at + interval '7 minutes')),
           ('renewal', date_trunc('milliseconds', s.started_at + interval '30 days 7 minutes'))) o (event, at)
       where s.depth = ${STEPS.length} and at < $1::timestamptz - interval '2 hours'
       order by event, random() limit $4) b
     order by b.received_at`,
    [new Date(now), COUNTRIES.map(([, currency]) => currency), CHANNELS.map((channel) => channel[3]), conversions],
  );
  await tx.query(
    `insert into conversions (account_id, id, event_id, sent_event, value, currency, sent_created_on, received_at, origin,
       identifier, identifier_digest, session_number, extra, updated_at)
     select $1, id, event_id, event, coalesce(restated, value), currency, at, received_at, 'report', identifier, digest, number,
       jsonb_build_object('plan', case when value > 60 then 'yearly' else 'monthly' end), received_at
     from demo_orders order by id`,
    [accountId],
  );
  await tx.query(
    `insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, identifier,
       origin, received_at, arrived_in)
     select $1, id, nextval('conversion_arrival_seq'), event, value, currency, at, identifier, 'report', received_at, 0
     from demo_orders order by id`,
    [accountId],
  );
  await tx.query(
    `insert into conversion_revisions (account_id, conversion_id, arrival, value, identifier, origin, received_at, arrived_in)
     select $1, id, nextval('conversion_arrival_seq'), restated, identifier, 'report',
       least(received_at + interval '8 days', $2::timestamptz), 0
     from demo_orders where restated is not null order by id`,
    [accountId, new Date(now)],
  );
}

/** Reports of the last days whose session nobody knows: clicks that never arrived, and hashes that were cut off on the way. */
async function writeUnmatched(tx: Tx, accountId: string, { sessions }: TrafficSize, now: number): Promise<void> {
  await tx.query(
    `insert into unmatched_conversions (account_id, id, digest, identifier, event_id, sent_event, value, currency,
       sent_created_on, received_at, arrival)
     select $1, ${uuidAt('at')}, ${digest("kind || E'\\n' || value")}, jsonb_build_object(name, value), 'order-u' || n, 'purchase',
       round((29 + 60 * random())::numeric, 2), 'EUR', at, at, nextval('conversion_arrival_seq')
     from (
       select n, $2::timestamptz - random() * interval '29 days' as at, name,
         case when name = 'sessionHash' then 'hash' else name end as kind,
         case when name = 'sessionHash' then substr(md5(random()::text), 1, 12) else 'Cj0' || md5(random()::text) end as value
       from generate_series(1, greatest(12, $3::int / 400)) n
       cross join lateral (select ($4::text[])[1 + n % cardinality($4::text[])] as name) k) u
     order by at`,
    [accountId, new Date(now), sessions, ['gclid', 'gclid', 'fbclid', 'sessionHash', CLICK_ID_NAMES[7]]],
  );
}
