import { Type } from 'typebox';
import { ConversionSummary, loadConversions } from '../../conversions/index.ts';
import { SessionSummary } from '../../tracking/index.ts';
import { exampleSession, exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const ConversionData = Type.Object(
  {
    ...ConversionSummary.properties,
    session: Type.Union([SessionSummary, Type.Null()], {
      description: 'The session the conversion is attributed to: landing page, source, campaign, click ids',
    }),
    sequence,
  },
  { title: 'WebhookConversion' },
);

const load: LoadDrafts = async (_deps, tx, changes) => {
  const versions = changes.map(({ accountId, id, sequence: version }) => ({ accountId, id, version }));
  const conversions = await loadConversions(tx, versions);
  return changes.flatMap((change, i) => {
    const found = conversions[i];
    return found ? { change, data: found.conversion, sessions: { session: found.sessionNumber } } : [];
  });
};

const family = { data: ConversionData, load };

const example = {
  id: 'cnv_01kaf9m8t0e4n7v1b8s3h6k2dz',
  eventId: 'order-1',
  event: 'conversion',
  value: '129.90',
  currency: 'EUR',
  createdOn: exampleTime,
  receivedAt: exampleTime,
  origin: 'report',
  identifier: { gclid: 'EAIaIQ' },
  extra: null,
  withdrawnAt: null,
  session: exampleSession,
};

export const conversionTopics = {
  'conversion.reported': {
    ...family,
    summary: 'A conversion was reported and attributed to a session',
    example: { ...example, sequence: 1 },
  },
  'conversion.restated': {
    ...family,
    summary: 'A conversion was reported again; the payload has its new state',
    example: { ...example, value: '64.95', sequence: 2 },
  },
  'conversion.matched': {
    ...family,
    summary: 'A conversion that was reported as unmatched was matched to a session',
    example: { ...example, sequence: 1 },
  },
} satisfies TopicDefinitions;
