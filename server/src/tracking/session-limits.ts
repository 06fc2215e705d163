import { DAY, MINUTE } from '../shared/units.ts';

/** How long a session may be idle, and how long before its first visit a visit that arrives late may lie. Also used by the page script. */
export const IDLE_MS = 30 * MINUTE;
export const MAX_LENGTH_MS = DAY;
