import { statement } from '../shared/postgres/statement.ts';
import type { Schema } from './contract.ts';

const push = { account_id: 'uuid', id: 'uuid' } as const;

export const insertPush = statement('schema.insert_push', {
  ...push,
  before: 'json',
  after: 'json',
  created_at: 'timestamptz',
}).runs(
  `insert into schema_pushes (account_id, id, before, after, created_at)
   values (:account_id, :id, :before, :after, :created_at)`,
);

export const findPush = statement('schema.find_push', push).returns<{
  before: Schema;
  after: Schema;
  created_at: Date;
}>('select before, after, created_at from schema_pushes where account_id = :account_id and id = :id');

export const deleteOldPushes = statement('schema.delete_old_pushes', {
  account_id: 'uuid',
  before: 'timestamptz',
}).runs('delete from schema_pushes where account_id = :account_id and created_at < :before');
