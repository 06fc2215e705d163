import { Type } from 'typebox';
import { loadEvents, RecordedEvent, SessionSummary } from '../../tracking/index.ts';
import { exampleEmail, exampleLead, exampleSession, exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const EventData = Type.Object({
  ...RecordedEvent.properties,
  session: Type.Union([SessionSummary, Type.Null()]),
  sequence,
});

const load: LoadDrafts = async (_deps, tx, changes) => {
  const events = await loadEvents(tx, changes);
  return changes.flatMap((change) => {
    const found = events.get(change.id);
    if (!found) return [];
    const { event, sessionNumber, leadId } = found;
    return { change: { ...change, at: event.receivedAt }, data: event, sessions: { session: sessionNumber }, leadId };
  });
};

export const eventTopics = {
  'event.recorded': {
    summary: 'An event was recorded',
    data: EventData,
    example: {
      id: 'evt_01kaf9m8t0b8w5r2f9j6n3c1xg',
      clientEventId: null,
      event: 'order_placed',
      properties: { email: exampleEmail, funnel_id: 'summer-sale', value: 129.9, currency: 'EUR' },
      session: exampleSession,
      lead: { id: exampleLead.id, email: exampleEmail },
      isBot: false,
      isInternal: false,
      occurredAt: exampleTime,
      receivedAt: exampleTime,
      sequence: 1,
    },
    load,
  },
} satisfies TopicDefinitions;
