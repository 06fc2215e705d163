import type { Action } from '../platforms/platform.ts';

/**
 * What is about to be sent, stored before the request is made. As long as there is no answer, the request is repeated
 * exactly: the platform then recognizes the repetition, or has what was meant.
 */
export interface Intent {
  action: Action;
  version: number;
  wireId: string;
  target: string;
  value: string | null;
  currency: string | null;
  /** What the value was multiplied by, if it was scaled. */
  factor?: number;
  /** Milliseconds since 1970, like the other times. */
  occurredAt: number;
  adjustedAt: number;
  /** Of the first attempt. */
  firstAt: number;
  /** Of a request that the platform processes later. */
  requestId?: string;
  /** How often the platform was asked for the result. */
  polls?: number;
}
