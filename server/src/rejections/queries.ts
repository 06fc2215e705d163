import { rows, statement } from '../shared/postgres/statement.ts';

const REJECTIONS = rows({
  account_id: 'uuid',
  id: 'uuid',
  key_id: 'uuid',
  method: 'text',
  url: 'text',
  status: 'integer',
  code: 'text',
  detail: 'text',
  errors: 'jsonb',
  body: 'jsonb?',
  skipped: 'integer',
});

export interface RejectionRow {
  id: string;
  key_id: string;
  method: string;
  url: string;
  status: number;
  code: string;
  detail: string;
  errors: { pointer: string; code: string; detail: string }[];
  body: unknown;
  skipped: number;
}

export const insertRejections = statement('rejections.insert', { rejections: REJECTIONS }).runs(
  `insert into rejected_requests (${REJECTIONS.list}) select * from :rejections as w`,
);

export const listRejections = statement('rejections.list', {
  account_id: 'uuid',
  code: 'text?',
  /** Of a role: its own token, whose requests of any kind it sees. */
  key_id: 'uuid?',
  before: 'uuid',
  limit: 'integer',
}).returns<RejectionRow>(
  `select id, key_id, method, url, status, code, detail, errors, body, skipped from rejected_requests
   where account_id = :account_id and id < :before and (:code is null or code = :code)
     and (:key_id is null or key_id = :key_id or url ~ '^/v1/(visits|events|batch)')
   order by id desc limit :limit`,
);

export const deleteRejections = statement('rejections.delete', { account_id: 'uuid' }).runs(
  'delete from rejected_requests where account_id = :account_id',
);

export const deleteRejectionsBefore = statement('rejections.delete_before', { end: 'uuid' }).runs(
  'delete from rejected_requests where id < :end',
);

/** Query and body can contain any personal data. */
export const eraseRequests = statement('rejections.erase', { account_id: 'uuid', end: 'uuid' }).runs(
  `update rejected_requests set body = null, url = split_part(url, '?', 1), detail = '', errors = '[]'
   where account_id = :account_id and id < :end and (body is not null or url like '%?%' or detail <> '')`,
);
