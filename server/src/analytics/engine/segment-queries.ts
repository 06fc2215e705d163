import type pg from 'pg';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { PARTS, type Part } from './segment.ts';

const SEGMENT = { account_id: 'uuid', segment: 'bigint' } as const;

export interface SegmentVersion {
  segment: number;
  version: number;
}

export interface SegmentRange extends SegmentVersion {
  /** Milliseconds since 1970. */
  first_at: number | null;
  last_at: number | null;
  first_event_at: number | null;
  last_event_at: number | null;
}

/**
 * Segments with something in a period. Reads all segments of the account: a thousand for a million sessions.
 * `segments` are returned whatever their time.
 */
export const findSegments = statement('analytics.find_segments', {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  with_events: 'boolean',
  segments: 'bigint[]',
}).returns<SegmentRange>(
  `select segment, version, date_part('epoch', first_at) * 1000 as first_at, date_part('epoch', last_at) * 1000 as last_at,
     date_part('epoch', first_event_at) * 1000 as first_event_at, date_part('epoch', last_event_at) * 1000 as last_event_at
   from analytics_segments
   where account_id = :account_id and (
     first_at < :to and last_at >= :from or :with_events and first_event_at < :to and last_event_at >= :from
       or segment = any(:segments))
   order by segment`,
);

/** The snapshot of a transaction, for others that shall see the same. */
export async function exportSnapshot(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
  return rows[0]?.snapshot ?? '';
}

export const findChangedSessions = statement('analytics.find_changed_sessions', { account_id: 'uuid' }).returns<{
  session_number: number;
}>('select session_number from analytics_changed_sessions where account_id = :account_id order by 1');

interface SegmentRow extends Record<Part, Buffer> {
  is_stale: boolean;
}

/** An advisory lock: the row to lock may not exist yet. */
export const lockSegmentKey = statement('analytics.lock_segment_key', { key: 'text' }).runs(
  'select pg_advisory_xact_lock(hashtextextended(:key, 0))',
);

export const lockSegment = statement('analytics.lock_segment', SEGMENT).returns<SegmentRow>(
  `select ${PARTS.join(', ')}, is_stale from analytics_segments
   where account_id = :account_id and segment = :segment for update`,
);

/** Takes the changed sessions of a segment, except those that are due later. */
export const takeChangedSessions = statement('analytics.take_changed_sessions', {
  ...SEGMENT,
  now: 'timestamptz',
}).returns<{ session_number: number }>(
  `delete from analytics_changed_sessions
   where account_id = :account_id and session_number >= :segment * 1024 and session_number < (:segment + 1) * 1024
     and (due_at is null or due_at <= :now)
   returning session_number`,
);

export const writeSegment = statement('analytics.write_segment', {
  ...SEGMENT,
  first_at: 'timestamptz?',
  last_at: 'timestamptz?',
  first_event_at: 'timestamptz?',
  last_event_at: 'timestamptz?',
  ...(Object.fromEntries(PARTS.map((part) => [part, 'bytea'])) as Record<Part, 'bytea'>),
}).runs(
  `insert into analytics_segments (account_id, segment, version, first_at, last_at, first_event_at, last_event_at,
     ${PARTS.join(', ')})
   values (:account_id, :segment, nextval('analytics_version_seq'), :first_at, :last_at, :first_event_at, :last_event_at,
     ${PARTS.map((part) => `:${part}`).join(', ')})
   on conflict (account_id, segment) do update set version = excluded.version, first_at = excluded.first_at,
     last_at = excluded.last_at, first_event_at = excluded.first_event_at, last_event_at = excluded.last_event_at,
     ${PARTS.map((part) => `${part} = excluded.${part}`).join(', ')}, is_stale = false`,
);

export const deleteSegment = statement('analytics.delete_segment', SEGMENT).runs(
  'delete from analytics_segments where account_id = :account_id and segment = :segment',
);

interface NameRow {
  id: number;
  name: string;
}

export const findNames = statement('analytics.find_names', {
  account_id: 'uuid',
  names: 'text[]',
}).returns<NameRow>('select id, name from analytics_names where account_id = :account_id and name = any(:names)');

export const findNamesById = statement('analytics.find_names_by_id', {
  account_id: 'uuid',
  ids: 'integer[]',
}).returns<NameRow>('select id, name from analytics_names where account_id = :account_id and id = any(:ids)');

export const findNamesLike = statement('analytics.find_names_like', {
  account_id: 'uuid',
  pattern: 'text',
}).returns<NameRow>('select id, name from analytics_names where account_id = :account_id and name like :pattern');

export const findNamesContaining = statement('analytics.find_names_containing', {
  account_id: 'uuid',
  text: 'text',
}).returns<NameRow>(
  `select id, name from analytics_names
   where account_id = :account_id and position(lower(:text collate "C") in lower(name collate "C")) > 0`,
);

export const addNames = statement('analytics.add_names', { account_id: 'uuid', names: rows({ name: 'text' }) }).runs(
  `insert into analytics_names (account_id, name) select :account_id, w.name from :names as w order by w.name
   on conflict do nothing`,
);
