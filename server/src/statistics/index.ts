/** Statistics as pure functions: no database, no HTTP. Each formula names its source. */
export { BUCKETS, bucketOf, variantOfBucket } from './buckets.ts';
export { forecastByCommand, InputFault, statisticsByCommand } from './commands.ts';
export { type DecidedComparison, decideByLooks, distanceOf } from './compare-arms.ts';
export { criticalValue, DEFAULT_TUNING, type Sequence } from './confidence-sequence.ts';
export {
  addOrigins,
  credibleDevelopments,
  type Development,
  developmentOf,
  type Forecast,
  forecast,
  lognormalInterval,
  noSteps,
  type Origin,
  type Steps,
  sumSteps,
} from './development.ts';
export type { Arm } from './effect.ts';
export { fixedSize, sequentialSize, visitorsUntilDecision } from './power.ts';
export { type SampleRatio, sampleRatio } from './sample-ratio.ts';
