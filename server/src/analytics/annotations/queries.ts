import type { AuthorType } from '../../shared/audit.ts';
import { statement } from '../../shared/postgres/statement.ts';

export interface AnnotationRow {
  id: string;
  /** `YYYY-MM-DD`; null: `at` is a time. */
  day: string | null;
  at: Date | null;
  text: string;
  author_type: AuthorType;
  author_id: string | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, day::text, at, text, author_type, author_id, created_at, updated_at';
const KEY = { account_id: 'uuid', id: 'uuid' } as const;
const NOTE = { day: 'text?', at: 'timestamptz?', text: 'text' } as const;

/** Annotations of the days and times; all of them if the range is null. */
export const listAnnotations = statement('analytics.list_annotations', {
  account_id: 'uuid',
  first_day: 'text?',
  last_day: 'text?',
  from: 'timestamptz?',
  to: 'timestamptz?',
}).returns<AnnotationRow>(
  `select ${COLUMNS} from annotations
   where account_id = :account_id
     and (:from::timestamptz is null or (at >= :from and at < :to) or day between :first_day::date and :last_day::date)
   order by id`,
);

/** Returns no row if the account already has `max` annotations. */
export const insertAnnotation = statement('analytics.insert_annotation', {
  ...KEY,
  ...NOTE,
  author_type: 'text',
  author_id: 'uuid?',
  now: 'timestamptz',
  max: 'integer',
}).returns<AnnotationRow>(
  `with added as materialized (
     select :day::date as day where (select count(*) from annotations where account_id = :account_id) < :max),
   inserted as (
     insert into annotations (account_id, id, day, at, text, author_type, author_id, created_at, updated_at)
     select :account_id, :id, day, :at, :text, :author_type, :author_id, :now, :now from added
     returning *)
   select ${COLUMNS} from inserted`,
);

export const lockAnnotation = statement('analytics.lock_annotation', KEY).returns<AnnotationRow>(
  `select ${COLUMNS} from annotations where account_id = :account_id and id = :id for update`,
);

export const updateAnnotation = statement('analytics.update_annotation', {
  ...KEY,
  ...NOTE,
  now: 'timestamptz',
}).returns<AnnotationRow>(
  `with updated as (
     update annotations set day = :day::date, at = :at, text = :text, updated_at = :now
     where account_id = :account_id and id = :id returning *)
   select ${COLUMNS} from updated`,
);

export const deleteAnnotation = statement('analytics.delete_annotation', KEY).returns<AnnotationRow>(
  `with deleted as (delete from annotations where account_id = :account_id and id = :id returning *)
   select ${COLUMNS} from deleted`,
);
