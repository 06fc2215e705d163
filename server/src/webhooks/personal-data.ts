import type { Deps } from '../shared/deps.ts';
import { FIRST_ID, firstUuidAt, LAST_ID } from '../shared/ids.ts';
import { statement } from '../shared/postgres/statement.ts';
import { forEachIdRange } from '../shared/postgres/walk-by-id.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';

const PAGE_SIZE = 5_000;

/**
 * Erases personal data from stored payloads. An erased payload keeps the id of its resource; if it has not been delivered
 * yet, it is delivered that way.
 */
export function personalDataHandler({ db }: Pick<Deps, 'db'>): PersonalDataHandler {
  /** Up to which id an account's payloads were erased by retention, so that each run continues there. */
  const erasedUpTo = new Map<string, string>();

  const forEachPage = async (
    account_id: string,
    range: { start: string; end: string; signal: AbortSignal },
    erase: (page: { account_id: string; after: string; up_to: string }) => Promise<unknown>,
  ) => {
    const { start, end } = range;
    // Payloads that are being built from data erased elsewhere must be committed before they are searched for.
    await waitForWriters(db);
    await forEachIdRange(
      range,
      (after) => findMessagePageEnd(db, { account_id, after, end, offset: PAGE_SIZE - 1 }),
      ({ after, upTo }) => erase({ account_id, after, up_to: upTo }),
    );
    // Responses may repeat payloads, including those that are being recorded now.
    await waitForWriters(db);
    await eraseResponses(db, { account_id, after: start, up_to: end });
  };

  return {
    async eraseSessions(accountId, erased, signal) {
      const sessions = erased.map(({ number }) => number);
      if (sessions.length === 0) return;
      await forEachPage(accountId, { start: FIRST_ID, end: LAST_ID, signal }, (page) =>
        erasePayloads(db, { ...page, sessions, lead: null }),
      );
    },
    eraseLead: (accountId, lead, signal) =>
      forEachPage(accountId, { start: FIRST_ID, end: LAST_ID, signal }, (page) =>
        erasePayloads(db, { ...page, sessions: [], lead }),
      ),
    async anonymizeBefore(accountId, before, signal) {
      const end = firstUuidAt(before.getTime());
      const start = erasedUpTo.get(accountId) ?? FIRST_ID;
      if (start >= end) return;
      await forEachPage(accountId, { start, end, signal }, (page) => erasePersonalPayloads(db, page));
      erasedUpTo.set(accountId, end);
    },
  };
}

/** Whether the payload of a row of `webhook_messages` was erased. */
export const IS_ERASED = "(body::json -> 'data')::jsonb ? 'erased'";

/** Blocks erasure until the transaction ends, so that data read before an erasure is not written after it. */
export const acquireErasureLockShared = statement('webhooks.acquire_erasure_lock_shared', {}).runs(
  "select pg_advisory_xact_lock_shared(hashtext('webhooks.erasing'))",
);

/** Waits for the transactions that hold the shared lock. */
const waitForWriters = statement('webhooks.wait_for_writers', {}).runs(
  "select pg_advisory_xact_lock(hashtext('webhooks.erasing'))",
);

export const findMessagePageEnd = statement('webhooks.find_message_page_end', {
  account_id: 'uuid',
  after: 'uuid',
  end: 'uuid',
  offset: 'integer',
}).returns<{ id: string }>(
  `select id from webhook_messages where account_id = :account_id and id > :after and id < :end
   order by id offset :offset limit 1`,
);

const PAGE = { account_id: 'uuid', after: 'uuid', up_to: 'uuid' } as const;

const member = (name: string, of = 'body::json') => `'"${name}":' || coalesce((${of} -> '${name}')::text, 'null')`;

/** Without `json_build_object`, which Citus refuses to call for rows that are updated. */
const ERASED = `'{' || ${['id', 'type', 'timestamp'].map((name) => member(name)).join(" || ',' || ")} || ',"data":{'
  || ${member('id', "body::json -> 'data'")} || ',' || ${member('sequence', "body::json -> 'data'")} || ',"erased":true}}'`;

export const erasePayloads = statement('webhooks.erase_payloads', {
  ...PAGE,
  sessions: 'bigint[]',
  lead: 'uuid?',
}).runs(
  `update webhook_messages set body = ${ERASED}, session_number = null, lead_id = null
   where account_id = :account_id and id > :after and id <= :up_to
     and (session_number = any(:sessions) or lead_id = :lead)`,
);

/** Erases all payloads about visitors and leads. */
export const erasePersonalPayloads = statement('webhooks.erase_personal_payloads', PAGE).runs(
  `update webhook_messages set body = ${ERASED}, session_number = null, lead_id = null
   where account_id = :account_id and id > :after and id <= :up_to
     and (type like 'event.%' or type like 'lead.%' or type like 'conversion.%') and not ${IS_ERASED}`,
);

/** Erases the responses to erased payloads. */
export const eraseResponses = statement('webhooks.erase_responses', PAGE).runs(
  `update webhook_attempts a set response = null from webhook_messages m
   where a.account_id = :account_id and a.message_id > :after and a.message_id <= :up_to and a.response is not null
     and m.account_id = :account_id and m.id = a.message_id and m.id > :after and m.id <= :up_to and ${IS_ERASED}`,
);
