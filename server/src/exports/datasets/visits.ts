import { boolean, type Dataset, id, keyedById, session, text, time } from './dataset.ts';

export const visits: Dataset = {
  table: 'visits',
  ...keyedById,
  time: 'occurred_at',
  sessions: [{ as: 's', number: 'session_number' }],
  columns: [
    id('visitId', 't.id', 'vis'),
    text('url', 't.url'),
    text('referrer', 't.referrer'),
    text('title', 't.title'),
    session('sessionId', 't.session_number'),
    text('sessionHash', 's.hash'),
    text('visitorId', 't.visitor_id'),
    time('occurredAt', 't.occurred_at'),
    time('receivedAt', 't.received_at'),
    boolean('isBot', 't.is_bot'),
    boolean('isInternal', 't.is_internal'),
    text('source', 's.source'),
    text('medium', 's.medium'),
    text('campaign', 's.campaign'),
    text('device', 's.device'),
    text('browser', 's.browser'),
    text('os', 's.os'),
    text('country', 's.country'),
    text('region', 's.region'),
  ],
};
