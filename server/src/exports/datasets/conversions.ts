import { clickIds, type Dataset, decimal, id, json, keyedById, session, text, time } from './dataset.ts';

export const conversions: Dataset = {
  table: 'reported_conversions',
  ...keyedById,
  time: 'created_on',
  sessions: [{ as: 's', number: 'session_number' }],
  columns: [
    id('id', 't.id', 'cnv'),
    text('eventId', 't.event_id'),
    text('event', 't.event'),
    decimal('value', 't.value'),
    text('currency', 't.currency'),
    time('createdOn', 't.created_on'),
    time('receivedAt', 't.received_at'),
    text('origin', 't.origin'),
    json('identifier', 't.identifier'),
    session('sessionId', 't.session_number'),
    text('sessionHash', 's.hash'),
    json('extra', 't.extra'),
    text('source', 's.source'),
    text('campaign', 's.campaign'),
    text('landingUrl', 's.landing_url'),
    ...clickIds('s'),
  ],
};
