import { parseId } from '../../src/shared/ids.ts';
import { finding } from '../proof.ts';
import { column, type Keys, RepeatingClients, storedOnce, type Workload } from './workload.ts';

/** Visits and events, repeated by their own ids or by an Idempotency-Key. Every third event has a value. */
export function trackingWorkload({ apiKey }: Keys): Workload & { eventIds: ReadonlySet<string> } {
  const visits = new Set<string>();
  const events = new Set<string>();
  const eventIds = new Set<string>();
  const clients = new RepeatingClients(
    (client, n) => {
      if (n % 4 === 3) {
        const name = `visit-${n}`;
        const body = { api_key: apiKey, visitId: name, visitorId: `visitor-${client}`, url: 'https://shop.example/' };
        return { name, request: 'POST /v1/visits', options: { body } };
      }
      const name = `event-${n}`;
      const properties = { name, email: `${client}@shop.example`, ...(n % 3 === 0 && { value: 1 }) };
      const body = { api_key: apiKey, event: 'x', properties };
      const options = n % 2 === 0 ? { body: { ...body, id: name } } : { body, headers: { 'idempotency-key': name } };
      return { name, request: 'POST /v1/events', options };
    },
    (name, { body }) => {
      if (name.startsWith('visit')) visits.add(name);
      else {
        events.add(name);
        eventIds.add(body.event_id);
      }
    },
  );
  return {
    name: 'visits and events',
    eventIds,
    step: (service, client) => clients.step(service, client),
    async check(db) {
      const storedVisits = await column(db, 'select client_visit_id from visits where client_visit_id is not null');
      const storedEvents = await column(db, "select properties->>'name' from events");
      const ids = new Set(await column(db, 'select id from events'));
      const missing = [...eventIds].filter((id) => !ids.has(parseId('evt', id) ?? ''));
      const [valued] = await column(db, "select count(*) from events where properties ? 'value'");
      const [conversions] = await column(db, "select count(*) from conversions where origin = 'event'");
      const [leads] = await column(db, 'select count(*) - count(distinct email) from leads');
      return [
        storedOnce('visits', visits, clients.unknown, storedVisits),
        storedOnce('events', events, clients.unknown, storedEvents),
        finding('every event_id of a response exists', `${missing.length} missing`, missing.length === 0),
        finding(
          'an event with a value is one conversion, an email one lead',
          `${valued} events with a value, ${conversions} conversions, ${leads} leads doubled`,
          valued === conversions && Number(leads) === 0,
        ),
      ];
    },
  };
}
