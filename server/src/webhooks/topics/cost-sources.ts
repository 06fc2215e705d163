import { Type } from 'typebox';
import { CostSource, loadCostSources } from '../../costs/index.ts';
import { exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const load: LoadDrafts = async (_deps, tx, changes) => {
  const sources = await loadCostSources(tx, changes);
  return changes.flatMap((change) => {
    const data = sources.get(change.id);
    return data ? [{ change, data }] : [];
  });
};

export const costSourceTopics = {
  'cost_source.failing': {
    data: Type.Object({ ...CostSource.properties, sequence }, { title: 'WebhookCostSource' }),
    load,
    summary: 'What ads cost cannot be read: the platform refuses the source, or has failed for three hours',
    example: {
      id: 'cst_01kaf9m8t0q4h8w2m6c9x3v7bn',
      platform: 'meta',
      name: 'Meta',
      connection: { adAccountId: '123456789012345' },
      destinationId: null,
      source: 'facebook',
      mode: 'live',
      status: 'paused',
      pauseReason: 'access',
      error: '{"error":{"message":"Ad account owner has NOT granted ads_read permission","code":200}}',
      failingSince: exampleTime,
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
      lastReadAt: '2026-11-20T07:00:00.000Z',
      nextReadAt: '2026-11-20T09:00:00.000Z',
      createdAt: '2026-11-01T00:00:00.000Z',
      updatedAt: exampleTime,
      sequence: 1,
    },
  },
} satisfies TopicDefinitions;
