import { defineLimits } from '../shared/limits.ts';

export const WEBHOOK_LIMITS = defineLimits({
  webhooks: [100, 'Webhooks of an account'],
  urlLength: [2_048, 'URL of a webhook'],
  fieldLength: [200, 'Path of a field that a webhook sends or filters by'],
  fields: [100, 'Fields that a webhook sends'],
  filters: [20, 'Filters of a webhook'],
  descriptionLength: [1_000, 'Description of a webhook'],
});

export const LIMITS = WEBHOOK_LIMITS.values;
