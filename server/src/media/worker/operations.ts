import { resizeImage } from '../images/resize-image.ts';
import { extractStillImage } from '../videos/still-image.ts';
import { writePoster } from '../videos/write-poster.ts';
import { inspectMedia } from './inspect-media.ts';

/** What a worker process does; arguments and results are structured clones. */
export const OPERATIONS = { inspectMedia, extractStillImage, writePoster, resizeImage };

export type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;

export interface Task {
  operation: OperationName;
  args: unknown[];
  /** The process ends itself beyond this resident size. */
  memoryMb: number;
}

/** `refused`: an `ApiError`'s code and detail. `failed`: the stack of any other error. */
export type Outcome = { result: unknown } | { refused: { code: string; detail: string } } | { failed: string };

export interface Answer {
  outcome: Outcome;
  /** What the process has after the task, in bytes. */
  rss: number;
}
