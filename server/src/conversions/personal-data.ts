import type { Deps } from '../shared/deps.ts';
import { firstUuidAt, LAST_ID } from '../shared/ids.ts';
import { rows, statement } from '../shared/postgres/statement.ts';
import { forEachIdRange } from '../shared/postgres/walk-by-id.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { erasedStub } from './erased-stubs.ts';

const PAGE = 5_000;
/** Of a person with more sessions, a conversion is recognized by the identifiers of its own session alone. */
const MOST_RELATED = 50;

/**
 * Erases the personal data of conversions: identifiers and `extra`. Values remain, and with them all sums; stubs of the
 * identifiers let later reports correct them.
 */
export function personalDataHandler({ db, secret }: Pick<Deps, 'db' | 'secret'>): PersonalDataHandler {
  return {
    async eraseSessions(accountId, sessions, signal) {
      if (sessions.length === 0) return;
      const account = { account_id: accountId };
      const numbers = sessions.map(({ number }) => number);
      const digestsOf = new Map(sessions.map(({ number, digests }) => [number, digests]));
      // A conversion can be restated by any session's identifier.
      const others = sessions.length > MOST_RELATED ? [] : sessions.flatMap(({ digests }) => digests);
      await eraseUnmatched(db, { ...account, digests: sessions.flatMap(({ digests }) => digests) });
      await forEachIdRange(
        { end: LAST_ID, signal },
        (after) => findPageEnd(db, { ...account, after, end: LAST_ID, rows: PAGE - 1 }),
        ({ after, upTo }) =>
          db.transaction(async (tx) => {
            const found = await findToErase(tx, { ...account, after, up_to: upTo, sessions: numbers });
            const conversions = found.map(({ id, event_id, session_number, identifier_digest }) => {
              const digests = new Set([...(digestsOf.get(session_number) ?? []), ...others]);
              if (identifier_digest !== null) digests.add(identifier_digest);
              const stubs =
                event_id === null ? [] : [...digests].map((digest) => erasedStub(secret, accountId, event_id, digest));
              return { id, stubs: `{${stubs.join(',')}}` };
            });
            if (conversions.length > 0) await eraseConversions(tx, { ...account, conversions });
          }),
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

/** The conversions of sessions, locked: a report that restates one waits until it is erased. */
const findToErase = statement('conversions.find_to_erase', { ...PAGE_PARAMETERS, sessions: 'bigint[]' }).returns<{
  id: string;
  event_id: string | null;
  session_number: number;
  identifier_digest: string | null;
}>(
  `select id, event_id, session_number, identifier_digest from conversions
   where account_id = :account_id and id > :after and id <= :up_to and session_number = any(:sessions)
   order by event_id collate "C", id for update`,
);

/**
 * Removes identifiers and `extra` of conversions, and of their reports. `stubs` is an array as text; those of an erasure that was
 * interrupted remain.
 */
const eraseConversions = statement('conversions.erase', {
  account_id: 'uuid',
  conversions: rows({ id: 'uuid', stubs: 'text' }),
}).runs(
  `with found as materialized (select id, stubs::uuid[] as stubs from :conversions as w),
   erased as (
     update conversions c set identifier = null, identifier_digest = null, extra = null,
       erased_stubs = array(select distinct unnest(coalesce(c.erased_stubs, '{}') || found.stubs))
     from found where c.account_id = :account_id and c.id = found.id)
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
