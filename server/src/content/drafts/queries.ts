import { statement } from '../../shared/postgres/statement.ts';

const ofOwner = { account_id: 'uuid', entry_id: 'uuid', owner_id: 'uuid' } as const;

export interface DraftRow {
  version: number;
  changes: Record<string, unknown>;
  updated_at: Date;
}

export const findDraft = statement('content.find_draft', ofOwner).returns<DraftRow>(
  `select version, changes, updated_at from entry_drafts
   where account_id = :account_id and entry_id = :entry_id and owner_id = :owner_id`,
);

/** Changes nothing where a draft of another time than `expected` is stored; null is none. */
const asExpected = '(:is_any or entry_drafts.updated_at = :expected)';

export const saveDraft = statement('content.save_draft', {
  ...ofOwner,
  version: 'integer',
  changes: 'jsonb',
  now: 'timestamptz',
  is_any: 'boolean',
  expected: 'timestamptz?',
}).returns<DraftRow>(
  `insert into entry_drafts (account_id, entry_id, owner_id, version, changes, updated_at)
   values (:account_id, :entry_id, :owner_id, :version, :changes, :now)
   on conflict (account_id, entry_id, owner_id) do update
     set version = excluded.version,
         changes = excluded.changes,
         -- Two are never of the same time.
         updated_at = greatest(excluded.updated_at, entry_drafts.updated_at + interval '1 millisecond')
     where ${asExpected}
   returning version, changes, updated_at`,
);

export const deleteDraft = statement('content.delete_draft', {
  ...ofOwner,
  is_any: 'boolean',
  expected: 'timestamptz?',
}).returns<DraftRow>(
  `delete from entry_drafts
   where account_id = :account_id and entry_id = :entry_id and owner_id = :owner_id and ${asExpected}
   returning version, changes, updated_at`,
);

/** Deletes drafts of all accounts that were not changed since. */
export const expireDrafts = statement('content.expire_drafts', { before: 'timestamptz' }).runs(
  'delete from entry_drafts where updated_at < :before',
);
