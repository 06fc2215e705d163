import { type Dataset, formerId, id, keyedById, session, text, time } from './dataset.ts';

export const leads: Dataset = {
  table: 'leads_with_sessions',
  ...keyedById,
  time: 'first_seen_at',
  sessions: [
    { as: 'first', number: 'first_session' },
    { as: 'latest', number: 'latest_session' },
  ],
  columns: [
    id('id', 't.id', 'led'),
    text('email', 't.email'),
    session('firstSessionId', 't.first_session'),
    text('firstSessionHash', 'first.hash'),
    session('latestSessionId', 't.latest_session'),
    text('latestSessionHash', 'latest.hash'),
    time('firstSeenAt', 't.first_seen_at'),
    time('lastSeenAt', 't.last_seen_at'),
    formerId(id('leadId', 't.id', 'led')),
  ],
};
