import type { CreateWebhookRequest } from '@headwater/sdk';

export type WebhookEvent = NonNullable<CreateWebhookRequest['events']>[number];

const EVENT_LABELS: Record<WebhookEvent, string> = {
  'lead.created': 'Lead created',
  'lead.updated': 'Lead updated',
  'event.recorded': 'Event recorded',
  'conversion.reported': 'Conversion reported',
  'conversion.restated': 'Conversion adjusted',
  'conversion.matched': 'Conversion matched late',
  'entry.created': 'Entry created',
  'entry.updated': 'Entry updated',
  'entry.deleted': 'Entry deleted',
  'entry.published': 'Entry published',
  'entry.unpublished': 'Entry unpublished',
  'release.completed': 'Release published',
  'release.failed': 'Release failed',
  'job.completed': 'Job completed',
  'job.failed': 'Job failed',
  'destination.failing': 'Destination failing',
};

export const EVENT_OPTIONS = Object.entries(EVENT_LABELS).map(([value, label]) => ({ value, label }));

export const eventLabel = (type: string) =>
  EVENT_LABELS[type as WebhookEvent] ?? (type === 'webhook.test' ? 'Test' : type);

export const eventsLabel = (events: readonly string[] | null) => events?.map(eventLabel).join(', ') ?? 'All events';
