import type { AuthorType } from '../shared/audit.ts';
import { statement } from '../shared/postgres/statement.ts';
import type { PlanStatus, Preview } from './contract.ts';
import type { KindName } from './kinds.ts';

export interface PlanRow {
  id: string;
  kind: KindName;
  status: PlanStatus;
  reason: string | null;
  request: unknown;
  preview: Preview;
  state: string;
  result: unknown;
  client: string | null;
  author_type: AuthorType;
  author_id: string | null;
  decided_by_type: AuthorType | null;
  decided_by_id: string | null;
  decided_at: Date | null;
}

const COLUMNS = `id, kind, status, reason, request, preview, state, result, client, author_type, author_id, decided_by_type, decided_by_id,
  decided_at`;
const one = { account_id: 'uuid', id: 'uuid' } as const;

export const insertPlan = statement('plans.insert', {
  ...one,
  kind: 'text',
  request: 'jsonb',
  preview: 'jsonb',
  state: 'text',
  client: 'text?',
  author_type: 'text',
  author_id: 'uuid?',
}).returns<PlanRow>(
  `insert into plans (account_id, id, kind, request, preview, state, client, author_type, author_id)
   values (:account_id, :id, :kind, :request, :preview, :state, :client, :author_type, :author_id) returning ${COLUMNS}`,
);

export const findPlan = statement('plans.find', one).returns<PlanRow>(
  `select ${COLUMNS} from plans where account_id = :account_id and id = :id`,
);

export const listPlans = statement('plans.list', {
  account_id: 'uuid',
  before: 'uuid',
  status: 'text?',
  /** Of a role: its own plans. */
  author_id: 'uuid?',
  limit: 'integer',
}).returns<PlanRow>(
  `select ${COLUMNS} from plans
   where account_id = :account_id and id < :before and (:status is null or status = :status)
     and (:author_id is null or author_id = :author_id)
   order by id desc limit :limit`,
);

/** Takes a plan that has a status. One that was left in the middle by a process that ended is taken up after `left`. */
export const claimPlan = statement('plans.claim', {
  ...one,
  from: 'text',
  to: 'text',
  by_type: 'text',
  by_id: 'uuid?',
  now: 'timestamptz',
  left: 'timestamptz',
}).returns<PlanRow>(
  `update plans set status = :to, decided_by_type = :by_type, decided_by_id = :by_id, decided_at = :now
   where account_id = :account_id and id = :id
     and (status = :from or :to = 'applying' and status = 'applying' and decided_at < :left)
   returning ${COLUMNS}`,
);

export const finishPlan = statement('plans.finish', {
  ...one,
  status: 'text',
  reason: 'text?',
  result: 'jsonb?',
}).returns<PlanRow>(
  `update plans set status = :status, reason = :reason, result = coalesce(:result, result)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** Plans of conversions may contain data of any person. */
export const erasePlans = statement('plans.erase', { account_id: 'uuid', end: 'uuid' }).runs(
  "delete from plans where account_id = :account_id and id < :end and kind = 'conversions'",
);

export const deletePlansBefore = statement('plans.delete_before', { end: 'uuid' }).runs(
  'delete from plans where id < :end',
);
