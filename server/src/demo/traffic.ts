import type { Tx } from '../shared/postgres/database.ts';
import { plannedStatement, rows } from '../shared/postgres/statement.ts';
import { DAY } from '../shared/units.ts';
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
  thresholds,
} from './shop.ts';
import { digestOf, uuidAt } from './sql.ts';

export interface TrafficSize {
  sessions: number;
  events: number;
  /** The share of visitors who continue from one step to the next. */
  continueRate: number;
  days: number;
}

/** Progress is reported after so many days. */
const REPORTED_DAYS = 6;

/** The step that is repeated until the account has as many events as its size says. */
const REPEATED = 'quiz_answered';

/**
 * Writes sessions with their visits and events, and leads, by a few statements for any number of them. The rows look like
 * those of the service, but have `inserted_xid` 0: the caller aggregates them. Leaves the table `demo_sessions` for
 * `writeOrders`.
 * @param onProgress gets the part of the events that was written
 */
export async function writeTraffic(
  tx: Tx,
  accountId: string,
  size: TrafficSize,
  now: number,
  onProgress: (part: number) => void,
): Promise<void> {
  await tx.query(`set local statement_timeout = 0; set local synchronous_commit = off; set local work_mem = '256MB';
    set local temp_buffers = '128MB';
    set local max_parallel_workers_per_gather = 0; select setseed(0.42)`);
  await draftSessions(tx, {
    hours: hoursOf(size.sessions, size.days, now).map(({ at, count }) => ({ at: new Date(at), count })),
    session_count: size.sessions,
    event_count: size.events,
    continue_rate: size.continueRate,
    channel_thresholds: thresholds(CHANNELS.map((channel) => channel[4])),
    device_thresholds: thresholds(DEVICES.map((device) => device[3])),
    country_thresholds: thresholds(COUNTRIES.map((country) => country[2])),
    step_count: STEPS.length,
    repeated_steps: [0, ...countUpTo((step) => step === REPEATED)],
    other_steps: [0, ...countUpTo((step) => step !== REPEATED)],
  });
  await tx.query('create index on demo_sessions (started_at); analyze demo_sessions');
  await draftLeads(tx, { first_names: FIRST_NAMES, last_names: LAST_NAMES });
  await tx.query(
    'update demo_sessions s set lead_id = l.id, email = l.email from demo_leads l where l.visitor = s.visitor',
  );
  const account = { account_id: accountId };
  await writeLeads(tx, account);
  await writeSessions(tx, {
    ...account,
    channels: CHANNELS.map(([source, medium, campaign, click, , path]) => ({ source, medium, campaign, click, path })),
    devices: DEVICES.map(([device, browser, os]) => ({ device, browser, os })),
    countries: COUNTRIES.map(([country]) => country),
    regions: COUNTRIES.flatMap(([country, , , ...regions]) => regions.map((region) => `${region}, ${country}`)),
  });
  await writeLeadSessions(tx, account);
  await writeClickIds(tx, { ...account, click_names: CHANNELS.map((channel) => channel[3]) });
  await writeVisits(tx, { ...account, landing_paths: CHANNELS.map((channel) => channel[5]), pages: [...PAGES] });
  const repeated = countUpTo((step) => step === REPEATED);
  const steps = STEPS.map((name, i) => ({ name, repeated: repeated[i] ?? 0, step: i + 1 }));
  const funnels = CHANNELS.map((channel) => channel[6]);
  for (let day = size.days + 1; day >= 0; day--) {
    const at = now - day * DAY;
    await writeEvents(tx, { ...account, steps, funnels, from: new Date(at), to: new Date(at + DAY) });
    if (day % REPORTED_DAYS === 0) onProgress(1 - day / (size.days + 1));
  }
}

/** For the first step, the first two, …: how many of them match. */
function countUpTo(matches: (step: string) => boolean): number[] {
  return STEPS.map((_, i) => STEPS.slice(0, i + 1).filter(matches).length);
}

const SHORT_HASH = `(select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    ((('x' || substr(encode(sha256(convert_to(hash, 'UTF8')), 'hex'), 1, 15))::bit(60)::bigint >> (55 - 5 * i)) & 31)::int + 1, 1), '' order by i)
  from generate_series(0, 11) i)`;

const draftSessions = plannedStatement({
  hours: rows({ at: 'timestamptz', count: 'integer' }),
  session_count: 'integer',
  event_count: 'integer',
  continue_rate: 'double precision',
  channel_thresholds: 'double precision[]',
  device_thresholds: 'double precision[]',
  country_thresholds: 'double precision[]',
  step_count: 'integer',
  repeated_steps: 'integer[]',
  other_steps: 'integer[]',
}).runs(
  `create temp table demo_sessions as
   with started as (
     select at + random() * interval '1 hour' as started_at, random() as r1, random() as r2, random() as r3,
       random() as r4, random() as r5, random() as r6
     from :hours as h, generate_series(1, h.count)),
   drafted as (
     select nextval('session_number_seq') as number, substr(md5(random()::text), 1, 22) as hash,
       date_trunc('milliseconds', started_at) as started_at,
       -- A third are returning visitors.
       'v' || substr(md5(case when r1 < 0.35 then 'again ' || floor(random() * :session_count * 0.15)
         else 'once ' || random() end), 1, 20) as visitor,
       width_bucket(r2, :channel_thresholds) + 1 as channel, width_bucket(r3, :device_thresholds) + 1 as device,
       width_bucket(r4, :country_thresholds) + 1 as country,
       case when r6 < 0.03 then 0
         else least(floor(ln(greatest(r5, 1e-12)) / ln(:continue_rate))::int, :step_count) end as depth,
       r6 < 0.03 as is_bot, r6 > 0.99 as is_internal, 'Ej0' || md5(random()::text) as click
     from (select * from started order by started_at) b)
   select d.*, null::uuid as lead_id, null::text as email, ${SHORT_HASH} as short_hash,
     -- The repeated step makes up for the events that are missing.
     sum(repeated) over (order by number) - repeated as repeated_before, sum(repeated) over () as repeated_total,
     greatest(0, :event_count - sum(others) over ()) as answers
   from drafted d
   cross join lateral (select (:repeated_steps)[1 + depth] as repeated, (:other_steps)[1 + depth] as others) o`,
);

/** A visitor who leaves an email address is a lead with all of the visitor's sessions. */
const draftLeads = plannedStatement({ first_names: 'text[]', last_names: 'text[]' }).runs(
  `create temp table demo_leads on commit drop as
   select visitor, ${uuidAt('min(started_at)')} as id, min(started_at) + interval '4 minutes' as first_seen_at,
     max(started_at) + interval '4 minutes' as last_seen_at,
     (:first_names)[1 + floor(random() * cardinality(:first_names))] || '.'
       || (:last_names)[1 + floor(random() * cardinality(:last_names))] || row_number() over () || '@mail.example' as email
   from demo_sessions where depth >= ${LEAD_STEP} group by visitor`,
);

const writeLeads = plannedStatement({ account_id: 'uuid' }).runs(
  `insert into leads (account_id, id, email, first_seen_at, last_seen_at)
   select :account_id, id, email, first_seen_at, last_seen_at from demo_leads order by id`,
);

const writeSessions = plannedStatement({
  account_id: 'uuid',
  channels: rows({ source: 'text?', medium: 'text?', campaign: 'text?', click: 'text?', path: 'text' }),
  devices: rows({ device: 'text', browser: 'text', os: 'text' }),
  countries: 'text[]',
  regions: 'text[]',
}).runs(
  `with channel as (select *, row_number() over () as n from :channels as c),
   device as (select *, row_number() over () as n from :devices as d)
   insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, referrer,
     source, medium, campaign, click_ids, device, browser, os, country, region, is_bot, is_internal, lead_id)
   select :account_id, s.number, s.hash, s.short_hash, s.visitor, s.started_at, s.started_at + s.depth * interval '35 seconds',
     '${HOST}' || c.path || case when c.campaign is null then '' else
       '?utm_source=' || c.source || '&utm_medium=' || c.medium || '&utm_campaign=' || c.campaign
         || coalesce('&' || c.click || '=' || s.click, '') end,
     case when c.medium in ('organic', 'social') then 'https://www.' || c.source || '.com/' end,
     c.source, c.medium, c.campaign,
     case when c.click is null then '{}' else jsonb_build_object(c.click, s.click) end,
     d.device, d.browser, d.os, (:countries)[s.country], (:regions)[3 * s.country - s.number % 3], s.is_bot, s.is_internal, s.lead_id
   from demo_sessions s join channel c on c.n = s.channel join device d on d.n = s.device order by s.number`,
);

const writeLeadSessions = plannedStatement({ account_id: 'uuid' }).runs(
  `insert into lead_sessions (account_id, lead_id, started_at, session_number)
   select :account_id, lead_id, started_at, number from demo_sessions where lead_id is not null order by 2, 3, 4`,
);

const writeClickIds = plannedStatement({ account_id: 'uuid', click_names: 'text[]' }).runs(
  `insert into click_ids (account_id, digest, session_number, seen_at)
   select :account_id, ${digestOf("k.name || E'\\n' || s.click")}, s.number, s.started_at
   from demo_sessions s
   join unnest(:click_names) with ordinality as k (name, n) on k.n = s.channel and k.name is not null`,
);

const writeVisits = plannedStatement({ account_id: 'uuid', landing_paths: 'text[]', pages: 'text[]' }).runs(
  `insert into visits (account_id, id, session_number, url, referrer, title, visitor_id, is_bot, is_internal, occurred_at,
     received_at, inserted_xid)
   select :account_id, ${uuidAt('v.at')}, v.number, v.url, null, v.title, v.visitor, v.is_bot, v.is_internal, v.at, v.at, 0
   from (
     select s.*, date_trunc('milliseconds', s.started_at + n * interval '75 seconds' * (0.8 + random() * 0.4)) as at,
       '${HOST}' || case when n = 0 then (:landing_paths)[s.channel] else (:pages)[n] end as url,
       case when n = 0 then 'Welcome' else initcap(replace(split_part((:pages)[n], '/', 2), '-', ' ')) end as title
     from demo_sessions s, generate_series(0, least(5, s.depth / 2)) n) v
   order by v.at`,
);

/** The events of the sessions that started in a period. `repeated`: how many of the steps up to this one are repeated. */
const writeEvents = plannedStatement({
  account_id: 'uuid',
  steps: rows({ name: 'text', repeated: 'integer', step: 'integer' }),
  funnels: 'text[]',
  from: 'timestamptz',
  to: 'timestamptz',
}).runs(
  `insert into events (account_id, id, event, properties, session_number, lead_id, is_bot, is_internal, occurred_at,
     received_at, inserted_xid)
   select :account_id, ${uuidAt('e.at')}, e.name, e.properties, e.number,
     case when e.step = ${LEAD_STEP} then e.lead_id end, false, e.is_internal, e.at, e.at, 0
   from (
     select s.*, step, name, date_trunc('milliseconds', s.started_at + step * interval '30 seconds'
         + (n + random()) * interval '2 seconds') as at,
       jsonb_strip_nulls(jsonb_build_object('funnel_id', (:funnels)[s.channel],
         'question', case when name = '${REPEATED}' then 'q' || (step - 1) * 10 + n end,
         'email', case when step = ${LEAD_STEP} then s.email end)) as properties
     from demo_sessions s
     join :steps as k on k.step <= s.depth
     cross join generate_series(1, case when name <> '${REPEATED}' then 1 else
       (s.answers * (s.repeated_before + k.repeated) / s.repeated_total
         - s.answers * (s.repeated_before + k.repeated - 1) / s.repeated_total)::int end) n
     where s.started_at >= :from and s.started_at < :to) e
   order by e.at`,
);
