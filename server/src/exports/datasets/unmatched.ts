import { type Dataset, decimal, id, json, keyedById, text, time } from './dataset.ts';

export const unmatched: Dataset = {
  table: 'unmatched_conversions',
  ...keyedById,
  time: 'received_at',
  sessions: [],
  columns: [
    id('id', 't.id', 'cnv'),
    text('eventId', 't.event_id'),
    text('event', 't.event'),
    decimal('value', 't.value'),
    text('currency', 't.currency'),
    time('createdOn', 't.created_on'),
    time('receivedAt', 't.received_at'),
    json('identifier', 't.identifier'),
    json('extra', 't.extra'),
  ],
};
