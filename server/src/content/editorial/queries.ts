import { rows, statement } from '../../shared/postgres/statement.ts';
import type { AuthorColumns } from '../entries/queries.ts';
import type { Review } from './contract.ts';

const ofEntry = { account_id: 'uuid', entry_id: 'uuid' } as const;

export interface ReviewRow extends AuthorColumns {
  state: Review['state'];
  version: number;
  approved_versions: number[];
  assignee_id: string | null;
  updated_at: Date;
}

export const findReview = statement('content.find_review', ofEntry).returns<ReviewRow>(
  `select state, version, approved_versions, assignee_id, author_type, author_id, updated_at
   from entry_reviews where account_id = :account_id and entry_id = :entry_id`,
);

/** The entries among these whose version was not approved. */
export const findUnapproved = statement('content.find_unapproved', {
  account_id: 'uuid',
  entries: rows({ id: 'uuid', version: 'integer' }),
}).returns<{ id: string }>(
  `select w.id from :entries as w
   left join entry_reviews r on r.account_id = :account_id and r.entry_id = w.id and w.version = any(r.approved_versions)
   where r.entry_id is null`,
);

export const writeReview = statement('content.write_review', {
  ...ofEntry,
  state: 'text',
  version: 'integer',
  approved_versions: 'integer[]',
  assignee_id: 'uuid?',
  author_type: 'text',
  author_id: 'uuid?',
  now: 'timestamptz',
}).runs(
  `insert into entry_reviews (account_id, entry_id, state, version, approved_versions, assignee_id, author_type,
     author_id, updated_at)
   values (:account_id, :entry_id, :state, :version, :approved_versions, :assignee_id, :author_type, :author_id, :now)
   on conflict (account_id, entry_id) do update set state = excluded.state, version = excluded.version,
     approved_versions = excluded.approved_versions, assignee_id = excluded.assignee_id,
     author_type = excluded.author_type, author_id = excluded.author_id, updated_at = excluded.updated_at`,
);

export interface CommentRow extends AuthorColumns {
  id: string;
  text: string;
}

export const insertComment = statement('content.insert_comment', {
  ...ofEntry,
  id: 'uuid',
  text: 'text',
  author_type: 'text',
  author_id: 'uuid?',
}).runs(
  `insert into entry_comments (account_id, id, entry_id, text, author_type, author_id)
   values (:account_id, :id, :entry_id, :text, :author_type, :author_id)`,
);

/** Newest first. */
export const listComments = statement('content.list_comments', {
  ...ofEntry,
  before: 'uuid',
  limit: 'integer',
}).returns<CommentRow>(
  `select id, text, author_type, author_id from entry_comments
   where account_id = :account_id and entry_id = :entry_id and id < :before order by id desc limit :limit`,
);

export const findComment = statement('content.find_comment', { ...ofEntry, id: 'uuid' }).returns<CommentRow>(
  `select id, text, author_type, author_id from entry_comments
   where account_id = :account_id and entry_id = :entry_id and id = :id`,
);

export const deleteComment = statement('content.delete_comment', { ...ofEntry, id: 'uuid' }).runs(
  'delete from entry_comments where account_id = :account_id and entry_id = :entry_id and id = :id',
);

/** Records that a user has an entry open, and returns who else has. @param user_id null only reads */
export const recordPresence = statement('content.record_presence', {
  ...ofEntry,
  user_id: 'uuid?',
  field: 'text?',
  now: 'timestamptz',
  since: 'timestamptz',
}).returns<{ user_id: string; field: string | null }>(
  `with gone as (
     delete from entry_presence where account_id = :account_id and entry_id = :entry_id and seen_at < :since
       and user_id is distinct from :user_id
   ), seen as (
     insert into entry_presence (account_id, entry_id, user_id, field, seen_at)
     select :account_id, :entry_id, :user_id, :field, :now where :user_id is not null
     on conflict (account_id, entry_id, user_id) do update
       set seen_at = excluded.seen_at, field = excluded.field
   )
   select user_id, field from entry_presence
   where account_id = :account_id and entry_id = :entry_id and user_id is distinct from :user_id
     and seen_at >= :since
   order by user_id`,
);
