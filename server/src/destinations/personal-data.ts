import { firstUuidAt } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { statement } from '../shared/postgres/statement.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';

/**
 * Erases the responses of platforms, which may repeat what was sent. Nothing else that is stored here identifies a person:
 * requests are built from the data of their session when they are made, and a conversion whose session was erased is not
 * sent any more.
 */
export function personalDataHandler(db: Database): PersonalDataHandler {
  return {
    async eraseSessions(accountId, sessions) {
      if (sessions.length === 0) return;
      await eraseResponses(db, { account_id: accountId, sessions: sessions.map(({ number }) => number) });
    },
    async anonymizeBefore(accountId, before) {
      await eraseResponsesBefore(db, { account_id: accountId, end: firstUuidAt(before.getTime()) });
    },
  };
}

const eraseResponses = statement('destinations.erase_responses', { account_id: 'uuid', sessions: 'bigint[]' }).runs(
  `update destination_deliveries d set response = null
   where d.account_id = :account_id and d.response is not null and d.conversion_id in (
     select c.id from conversions c where c.account_id = :account_id and c.session_number = any(:sessions))`,
);

const eraseResponsesBefore = statement('destinations.erase_responses_before', {
  account_id: 'uuid',
  end: 'uuid',
}).runs(
  `update destination_deliveries d set response = null
   where d.account_id = :account_id and d.conversion_id < :end and d.response is not null`,
);
