import { Type } from 'typebox';
import { orNull, Time } from '../../shared/http/schemas.ts';
import { exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const AlertData = Type.Object(
  {
    id: Type.String({ description: 'The incident' }),
    alertId: Type.String(),
    name: Type.String(),
    figure: Type.String(),
    status: Type.Enum(['opened', 'resolved']),
    value: Type.Number(),
    expected: orNull(Type.Number({ description: 'What is usual' })),
    limit: orNull(Type.Number()),
    text: Type.String({ description: 'One sentence' }),
    openedAt: Time(),
    resolvedAt: orNull(Time()),
    sequence,
  },
  { title: 'WebhookAlert' },
);

// The outbox contains the notice as it was.
const load: LoadDrafts = async (_deps, _tx, changes) =>
  changes.map((change) => ({ change, data: change.data as object }));

const family = { data: AlertData, load };

const example = {
  id: 'inc_01kaf9m8t0q4h8w2m6c9x3v7bn',
  alertId: 'alr_01kaf9m8t0x3d7h1k5p9s2v6yb',
  name: 'Sales of yesterday are under what is usual by now',
  figure: 'revenue',
  value: 430,
  expected: 1_012.5,
  limit: 607.5,
  text: 'Revenue of yesterday: 430 EUR. Usual by now is 1,012.5 EUR.',
  openedAt: '2026-11-20T07:00:00.000Z',
};

export const alertTopics = {
  'alert.opened': {
    ...family,
    summary: 'An alert with the channel `webhook` opened an incident',
    example: { ...example, status: 'opened', resolvedAt: null, sequence: 1 },
  },
  'alert.resolved': {
    ...family,
    summary: 'The incident of an alert with the channel `webhook` is resolved',
    example: { ...example, status: 'resolved', value: 980, resolvedAt: exampleTime, sequence: 2 },
  },
} satisfies TopicDefinitions;
