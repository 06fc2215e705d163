/** The first frame of a video is often black. */
const POSITION = 0.1;
const MAX_SECONDS = 3;

/** When to take a frame, in seconds. */
export function framePosition(durationSeconds: number | null): number {
  return Math.min((durationSeconds ?? 0) * POSITION, MAX_SECONDS);
}
