import { Type } from 'typebox';
import { sequence } from './common.ts';
import type { TopicDefinitions } from './topic.ts';

const TestData = Type.Object({
  id: Type.String({ description: "The webhook's id" }),
  message: Type.String(),
  sequence,
});

/** The `data` of a `webhook.test`. */
export const testData = (webhookId: string) => ({ id: webhookId, message: 'This is a test.', sequence: 1 });

export const webhookTopics = {
  'webhook.test': {
    summary: 'The webhook was tested',
    data: TestData,
    example: testData('whk_01kaf9m8t0v9c6n3t1k8p5g2ha'),
    load: null,
  },
} satisfies TopicDefinitions;
