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

const FAILURES: Record<string, string> = {
  status: 'Only an answer of 200 to 299 counts',
  redirect: 'It leads elsewhere, which is not followed',
  connection_refused: 'Nothing listens there',
  connection_reset: 'The connection was broken off',
  connection_failed: 'No connection came about',
  dns_failed: 'There is no such host',
  host_unreachable: 'The host is not reached',
  timeout: 'It took too long',
  answer_malformed: 'It does not answer in HTTP',
  tls_failed: 'No safe connection came about',
  address_not_allowed: 'The address of this host is not a public one',
};

/** A code, perhaps with `: ` and a sentence, in words. */
export function wordsOfFailure(error: string): string {
  const [code = '', detail] = error.split(/: (.*)/);
  const words = FAILURES[code];
  if (words === undefined) return error;
  return code === 'tls_failed' && detail ? `${words}: ${detail}` : words;
}
