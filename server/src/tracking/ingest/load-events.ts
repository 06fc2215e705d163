import { type Static, Type } from 'typebox';
import { orNull, Time } from '../../shared/http/schemas.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { isoTime } from '../../shared/time.ts';
import { LeadRef } from '../leads/contract.ts';

/** An event as webhooks send it, along with its session. */
export const RecordedEvent = Type.Object({
  id: Type.String({ description: 'The `event_id` of the response that recorded it' }),
  clientEventId: orNull(Type.String(), { description: "The client's own `event_id`" }),
  event: Type.String(),
  properties: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  lead: orNull(LeadRef),
  isBot: Type.Boolean(),
  isInternal: Type.Boolean(),
  occurredAt: Time(),
  receivedAt: Time(),
});

interface LoadedEvent {
  event: Static<typeof RecordedEvent>;
  sessionNumber: number | null;
  /** UUID. */
  leadId: string | null;
}

/** Events by their UUID. Deleted events are missing. */
export async function loadEvents(
  tx: Tx,
  events: readonly { accountId: string; id: string }[],
): Promise<Map<string, LoadedEvent>> {
  const found = await findEventsById(tx, {
    events: events.map(({ accountId, id }) => ({ account_id: accountId, id })),
  });
  return new Map(
    found.map((row) => [
      row.id,
      {
        event: {
          id: publicId('evt', row.id),
          clientEventId: row.client_event_id,
          event: row.event,
          properties: row.properties,
          lead: row.lead_id === null ? null : { id: publicId('led', row.lead_id), email: row.email },
          isBot: row.is_bot,
          isInternal: row.is_internal,
          occurredAt: isoTime(row.occurred_at),
          receivedAt: isoTime(row.received_at),
        },
        sessionNumber: row.session_number,
        leadId: row.lead_id,
      },
    ]),
  );
}

/** `lead_id` is null, and `email` empty, if the event has no lead or the lead was deleted. */
interface EventRow {
  id: string;
  client_event_id: string | null;
  event: string;
  properties: Record<string, unknown>;
  session_number: number | null;
  lead_id: string | null;
  email: string;
  is_bot: boolean;
  is_internal: boolean;
  occurred_at: Date;
  received_at: Date;
}

const findEventsById = statement('tracking.find_events_by_id', {
  events: rows({ account_id: 'uuid', id: 'uuid' }),
}).returns<EventRow>(
  `select e.id, e.client_event_id, e.event, e.properties, e.session_number, l.id as lead_id, coalesce(l.email, '') as email,
     e.is_bot, e.is_internal, e.occurred_at, e.received_at
   from :events as w
   join lateral (select * from events e where e.account_id = w.account_id and e.id = w.id limit 1) e on true
   left join lateral (
     select id, email from leads l where l.account_id = w.account_id and l.id = e.lead_id limit 1) l on true`,
);
