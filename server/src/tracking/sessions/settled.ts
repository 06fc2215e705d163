import { MINUTE } from '../../shared/units.ts';

/** A session that is recorded later than this after its start is recorded as late, too. */
export const LATE_MS = 5 * MINUTE;

/** Sessions that started longer ago have been recorded, or will be as late: what is between may differ by clocks and slow commits. */
export const SETTLED_MS = 2 * LATE_MS;
