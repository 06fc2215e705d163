import { defineLimits } from '../shared/limits.ts';

export const EXPERIMENT_LIMITS = defineLimits({
  experiments: [1_000, 'Experiments of an account'],
  variants: [10, 'Variants of an experiment'],
  guardrails: [10, 'Guardrails of an experiment'],
});

export const LIMITS = EXPERIMENT_LIMITS.values;
