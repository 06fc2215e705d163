import { defineLimits } from '../shared/limits.ts';

export const ANALYTICS_LIMITS = defineLimits({
  periodDays: [3_660, 'Length of a period'],
  intervals: [997, 'Intervals of a period'],
  filterValues: [100, 'Values of a filter'],
  funnelSteps: [10, 'Steps of a funnel'],
  stepAlternatives: [5, 'Alternatives of a step of a funnel'],
  propertyConditions: [3, 'Conditions on properties of an event in a funnel'],
  sharedLinks: [100, 'Shared links of an account'],
  savedViews: [100, 'Saved views of a screen'],
  savedViewBytes: [16_384, 'State of a saved view, as JSON'],
  annotations: [1_000, 'Annotations of an account'],
  alerts: [100, 'Alerts of an account'],
  channelRules: [100, 'Custom channel rules of an account'],
  channelConditions: [20, 'Conditions of a channel rule'],
  channelValues: [100, 'Values of a condition of a channel rule'],
  alertChannels: [10, 'Channels of an alert'],
  annotationLength: [500, 'Characters of an annotation'],
});

export const LIMITS = ANALYTICS_LIMITS.values;
