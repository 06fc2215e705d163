import { firstUuidAt, LAST_ID } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { statement } from '../shared/postgres/statement.ts';
import { forEachIdRange } from '../shared/postgres/walk-by-id.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';

const PAGE = 5_000;

/** Erases the personal data of conversions: identifiers and `extra`. Values remain, and with them all sums. */
export function personalDataHandler(db: Database): PersonalDataHandler {
  return {
    async eraseSessions(accountId, sessions, signal) {
      if (sessions.length === 0) return;
      const account = { account_id: accountId };
      const numbers = sessions.map(({ number }) => number);
      await eraseUnmatched(db, { ...account, digests: sessions.flatMap(({ digests }) => digests) });
      await forEachIdRange(
        { end: LAST_ID, signal },
        (after) => findPageEnd(db, { ...account, after, end: LAST_ID, rows: PAGE - 1 }),
        ({ after, upTo }) => eraseConversions(db, { ...account, after, up_to: upTo, sessions: numbers }),
      );
    },

    async anonymizeBefore(accountId, before, signal) {
      const account = { account_id: accountId };
      const end = firstUuidAt(before.getTime());
      while ((await deleteOldUnmatched(db, { ...account, end, limit: PAGE })).length === PAGE) signal.throwIfAborted();
      await forEachIdRange(
        { end, signal },
        (after) => findPageEnd(db, { ...account, after, end, rows: PAGE - 1 }),
        ({ after, upTo }) => anonymizeConversions(db, { ...account, after, up_to: upTo, before }),
      );
    },
  };
}

/** The id `rows` rows after an id, if there are that many before `end`. */
const findPageEnd = statement('conversions.find_page_end', {
  account_id: 'uuid',
  after: 'uuid',
  end: 'uuid',
  rows: 'integer',
}).returns<{ id: string }>(
  `select id from conversions where account_id = :account_id and id > :after and id < :end
   order by id offset :rows limit 1`,
);

const PAGE_PARAMETERS = { account_id: 'uuid', after: 'uuid', up_to: 'uuid' } as const;

/** Removes identifiers and `extra` of the conversions of sessions, and of their reports. */
const eraseConversions = statement('conversions.erase', { ...PAGE_PARAMETERS, sessions: 'bigint[]' }).runs(
  `with found as materialized (
     select id from conversions
     where account_id = :account_id and id > :after and id <= :up_to and session_number = any(:sessions)),
   erased as (
     update conversions set identifier = null, identifier_digest = null, extra = null
     where account_id = :account_id and id in (select id from found))
   update conversion_revisions set identifier = null, extra = null
   where account_id = :account_id and conversion_id in (select id from found)`,
);

/** Removes what identifies a person from unmatched reports, so that they match nothing any more. */
const eraseUnmatched = statement('conversions.erase_unmatched', { account_id: 'uuid', digests: 'uuid[]' }).runs(
  `update unmatched_conversions set identifier = '{}', digest = id, extra = null
   where account_id = :account_id and digest = any(:digests)`,
);

/** Removes the identifiers of conversions received before a time, and of such reports. */
const anonymizeConversions = statement('conversions.anonymize', { ...PAGE_PARAMETERS, before: 'timestamptz' }).runs(
  `with conversion as (
     update conversions set identifier = null
     where account_id = :account_id and id > :after and id <= :up_to and received_at < :before
       and identifier is not null)
   update conversion_revisions set identifier = null
   where account_id = :account_id and conversion_id > :after and conversion_id <= :up_to and received_at < :before
     and identifier is not null`,
);

const deleteOldUnmatched = statement('conversions.delete_old_unmatched', {
  account_id: 'uuid',
  end: 'uuid',
  limit: 'integer',
}).returns<{ id: string }>(
  `delete from unmatched_conversions where account_id = :account_id and id in (
     select id from unmatched_conversions where account_id = :account_id and id < :end order by id limit :limit
     for update skip locked)
   returning id`,
);
