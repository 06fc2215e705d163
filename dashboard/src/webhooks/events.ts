import type { CreateWebhookRequest } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

export type WebhookEvent = NonNullable<CreateWebhookRequest['events']>[number];

const EVENT_LABELS: Record<WebhookEvent, string> = {
  'lead.created': t('Lead created'),
  'lead.updated': t('Lead updated'),
  'event.recorded': t('Event recorded'),
  'conversion.reported': t('Conversion reported'),
  'conversion.restated': t('Conversion adjusted'),
  'conversion.matched': t('Conversion matched late'),
  'entry.created': t('Entry created'),
  'entry.updated': t('Entry updated'),
  'entry.deleted': t('Entry deleted'),
  'entry.published': t('Entry published'),
  'entry.unpublished': t('Entry unpublished'),
  'release.completed': t('Release published'),
  'release.failed': t('Release failed'),
  'job.completed': t('Job completed'),
  'job.failed': t('Job failed'),
  'destination.failing': t('Destination failing'),
  'cost_source.failing': t('Cost source failing'),
  'alert.opened': t('Alert opened'),
  'alert.resolved': t('Alert resolved'),
};

export const EVENT_OPTIONS = Object.entries(EVENT_LABELS).map(([value, label]) => ({ value, label }));

export const eventLabel = (type: string) =>
  EVENT_LABELS[type as WebhookEvent] ?? (type === 'webhook.test' ? t('Test') : type);

export const eventsLabel = (events: readonly string[] | null) => events?.map(eventLabel).join(', ') ?? t('All events');
