/**
 * The columnar engine: stores sessions with their visits and events in segments of 1,024, and runs reports on them in a
 * thread. The format of a segment is described in segment.ts.
 */
export { MODELS, type Model, SHARES } from './attribution-models.ts';
export { type Exchange, toMoney, toRevenue } from './convert-revenue.ts';
export type { Credit } from './credits.ts';
export { countByInterval } from './outcome-queries.ts';
export { addOutcome, noOutcomes, toNumbers } from './outcomes.ts';
export type { RankedSession } from './rank-sessions.ts';
export { rebuildSegment } from './rebuild-segment.ts';
export type { ReportRequests, ReportResults } from './report-engine.ts';
export { REPORT_MS, ReportRunner } from './report-runner.ts';
export { findChangedSessions } from './segment-queries.ts';
