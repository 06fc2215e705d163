import { DEFAULT_TUNING, type Sequence } from '../statistics/index.ts';
import type { Definition } from './contract.ts';

/** The risk of a false decision, over all looks and variants. */
export const ALPHA = 0.05;

/** By which an experiment is decided. */
export const sequenceFor = ({ plannedVisitors }: Definition): Sequence => ({
  alpha: ALPHA,
  tuning: plannedVisitors ?? DEFAULT_TUNING,
  ...(plannedVisitors !== null && { planned: plannedVisitors }),
});
