import { defineLimits } from '../shared/limits.ts';

export const WEBHOOK_LIMITS = defineLimits({
  webhooks: [100, 'Webhooks of an account'],
  urlLength: [2_048, 'URL of a webhook'],
  descriptionLength: [1_000, 'Description of a webhook'],
});

export const LIMITS = WEBHOOK_LIMITS.values;
