import { boolean, type Dataset, formerId, id, json, keyedById, session, text, time } from './dataset.ts';

export const events: Dataset = {
  table: 'events',
  ...keyedById,
  time: 'occurred_at',
  sessions: [{ as: 's', number: 'session_number' }],
  columns: [
    id('id', 't.id', 'evt'),
    text('clientEventId', 't.client_event_id'),
    text('event', 't.event'),
    json('properties', 't.properties'),
    session('sessionId', 't.session_number'),
    text('sessionHash', 's.hash'),
    id('leadId', 't.lead_id', 'led'),
    time('occurredAt', 't.occurred_at'),
    time('receivedAt', 't.received_at'),
    { ...boolean('isBot', 't.is_bot'), isOptional: true },
    { ...boolean('isInternal', 't.is_internal'), isOptional: true },
    formerId(id('eventId', 't.id', 'evt')),
  ],
};
