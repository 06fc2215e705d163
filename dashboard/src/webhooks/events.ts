import type { CreateWebhookRequest } from '@headwater/sdk';

export type WebhookEvent = NonNullable<CreateWebhookRequest['events']>[number];

/** What can be pushed, in words. */
export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'lead.created': 'New lead',
  'lead.updated': 'Lead changed',
  'event.recorded': 'Event recorded',
  'conversion.reported': 'Conversion reported',
  'conversion.restated': 'Conversion restated',
  'conversion.matched': 'Conversion matched later',
  'entry.created': 'Entry created',
  'entry.updated': 'Entry changed',
  'entry.deleted': 'Entry deleted',
  'job.completed': 'Job completed',
  'job.failed': 'Job failed',
};

export const EVENT_OPTIONS = Object.entries(EVENT_LABELS).map(([value, label]) => ({ value, label }));

export const labelOfEvent = (type: string) =>
  EVENT_LABELS[type as WebhookEvent] ?? (type === 'webhook.test' ? 'Test' : type);
