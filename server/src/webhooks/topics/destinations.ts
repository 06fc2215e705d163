import { Type } from 'typebox';
import { Destination, loadDestinations } from '../../destinations/index.ts';
import { exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const DestinationData = Type.Object({ ...Destination.properties, sequence }, { title: 'WebhookDestination' });

const load: LoadDrafts = async (_deps, tx, changes) => {
  const destinations = await loadDestinations(tx, changes);
  return changes.flatMap((change) => {
    const data = destinations.get(change.id);
    return data ? [{ change, data }] : [];
  });
};

export const destinationTopics = {
  'destination.failing': {
    data: DestinationData,
    load,
    summary: 'A platform refuses a destination: it is paused, or every request of 10 minutes has failed',
    example: {
      id: 'dst_01kaf9m8t0q4h8w2m6c9x3v7bn',
      platform: 'meta',
      name: 'Meta',
      connection: { pixelId: '123456789012345' },
      mapping: [{ event: 'order', target: 'Purchase', value: 'send', amount: null, currency: null }],
      filter: { events: null, sources: null, minimumValue: null },
      consent: 'required',
      trustPublicValues: false,
      mode: 'live',
      startAt: '2026-11-01T00:00:00.000Z',
      sendAfter: 0,
      value: 'current',
      status: 'paused',
      failingSince: exampleTime,
      pauseReason: 'credentials',
      error: '{"error":{"message":"Error validating access token","code":190}}',
      lastSentAt: '2026-11-20T07:59:00.000Z',
      createdAt: '2026-11-01T00:00:00.000Z',
      updatedAt: exampleTime,
      sequence: 1,
    },
  },
} satisfies TopicDefinitions;
