import { alertTopics } from './alerts.ts';
import { conversionTopics } from './conversions.ts';
import { costSourceTopics } from './cost-sources.ts';
import { destinationTopics } from './destinations.ts';
import { entryTopics } from './entries.ts';
import { eventTopics } from './events.ts';
import { jobTopics } from './jobs.ts';
import { leadTopics } from './leads.ts';
import { releaseTopics } from './releases.ts';
import type { Topic, TopicDefinition } from './topic.ts';
import { webhookTopics } from './webhook.ts';

/**
 * Every topic. To add one: name it in `topic.ts`, define it in the file of its family, and write it to the outbox where
 * the change is made.
 */
export const REGISTRY: Readonly<Record<Topic, TopicDefinition>> = {
  ...eventTopics,
  ...leadTopics,
  ...conversionTopics,
  ...entryTopics,
  ...releaseTopics,
  ...jobTopics,
  ...destinationTopics,
  ...costSourceTopics,
  ...alertTopics,
  ...webhookTopics,
} satisfies Record<Topic, TopicDefinition>;

export function isTopic(text: string): text is Topic {
  return Object.hasOwn(REGISTRY, text);
}
