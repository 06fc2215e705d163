import { statement } from '../shared/postgres/statement.ts';
import type { Assigned, Definition, Experiment } from './contract.ts';
import type { ExperimentResults } from './results-contract.ts';

export interface ExperimentRow {
  id: string;
  key: string;
  status: Experiment['status'];
  definition: Definition;
  preceding: Assigned[];
  shipped_variant: string | null;
  release_id: string | null;
  /** By the ID of an entry, what the holdout sees. */
  before: Record<string, Record<string, unknown>> | null;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  stopped_at: Date | null;
  shipped_at: Date | null;
}

const COLUMNS =
  'id, key, status, definition, preceding, shipped_variant, release_id, before, created_at, updated_at, started_at, stopped_at, shipped_at';
const KEY = { account_id: 'uuid', id: 'uuid' } as const;

/** The newest first. */
export const listExperiments = statement('experiments.list', {
  account_id: 'uuid',
  status: 'text?',
  after: 'uuid',
  limit: 'integer',
}).returns<ExperimentRow>(
  `select ${COLUMNS} from experiments
   where account_id = :account_id and id < :after and (:status is null or status = :status)
   order by id desc limit :limit`,
);

export const findExperiment = statement('experiments.find', KEY).returns<ExperimentRow>(
  `select ${COLUMNS} from experiments where account_id = :account_id and id = :id`,
);

export const lockExperiment = statement('experiments.lock', KEY).returns<ExperimentRow>(
  `select ${COLUMNS} from experiments where account_id = :account_id and id = :id for update`,
);

/** Starts of one account wait for each other, so that two cannot overlap unseen. */
export const lockStarts = statement('experiments.lock_starts', { account_id: 'uuid' }).runs(
  "select pg_advisory_xact_lock(hashtextextended('experiments ' || :account_id::text, 0))",
);

export const findRunning = statement('experiments.find_running', { account_id: 'uuid' }).returns<ExperimentRow>(
  `select ${COLUMNS} from experiments where account_id = :account_id and status = 'running' order by started_at, id`,
);

/** Returns `is_full` if the account has `max` experiments, and no row if another one has the key. */
export const insertExperiment = statement('experiments.insert', {
  ...KEY,
  key: 'text',
  definition: 'jsonb',
  now: 'timestamptz',
}).returns<ExperimentRow>(
  `insert into experiments (account_id, id, key, status, definition, created_at, updated_at)
   values (:account_id, :id, :key, 'draft', :definition, :now, :now)
   on conflict (account_id, key) do nothing returning ${COLUMNS}`,
);

export const countExperiments = statement('experiments.count', { account_id: 'uuid' }).returns<{ count: number }>(
  'select count(*)::int as count from experiments where account_id = :account_id',
);

export const findByKey = statement('experiments.find_by_key', { account_id: 'uuid', key: 'text' }).returns<{
  id: string;
}>('select id from experiments where account_id = :account_id and key = :key');

export const updateExperiment = statement('experiments.update', {
  ...KEY,
  key: 'text',
  status: 'text',
  definition: 'jsonb',
  preceding: 'jsonb',
  shipped_variant: 'text?',
  release_id: 'uuid?',
  before: 'jsonb?',
  is_served: 'boolean',
  started_at: 'timestamptz?',
  stopped_at: 'timestamptz?',
  shipped_at: 'timestamptz?',
  now: 'timestamptz',
}).returns<ExperimentRow>(
  `update experiments set key = :key, status = :status, definition = :definition, preceding = :preceding,
     shipped_variant = :shipped_variant, release_id = :release_id, before = :before, is_served = :is_served, started_at = :started_at, stopped_at = :stopped_at, shipped_at = :shipped_at,
     updated_at = :now
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** Those whose variants visitors see. @param keys null: all */
export const findServed = statement('experiments.find_served', {
  account_id: 'uuid',
  keys: 'text[]?',
}).returns<ExperimentRow>(
  `select ${COLUMNS} from experiments
   where account_id = :account_id and is_served and (:keys is null or key = any(:keys)) order by started_at, id`,
);

interface KeptRow {
  /** null: nothing was kept yet, as everything is still there. */
  kept_results: ExperimentResults | null;
  kept_at: Date | null;
}

/** Those that no visitor is added to, and whose first visitors came before a time. */
export const findEnded = statement('experiments.find_ended', {
  account_id: 'uuid',
  started_before: 'timestamptz',
}).returns<ExperimentRow & KeptRow>(
  `select ${COLUMNS}, kept_results, kept_at from experiments
   where account_id = :account_id and stopped_at is not null and started_at < :started_before order by id`,
);

export const findKept = statement('experiments.find_kept', KEY).returns<KeptRow>(
  'select kept_results, kept_at from experiments where account_id = :account_id and id = :id',
);

export const keepResults = statement('experiments.keep_results', {
  ...KEY,
  kept_results: 'jsonb',
  kept_at: 'timestamptz',
}).runs(
  'update experiments set kept_results = :kept_results, kept_at = :kept_at where account_id = :account_id and id = :id',
);
