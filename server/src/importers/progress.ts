const EVERY_MS = 2_000;

/** Says how far a long import is, and how fast it goes. */
export type ProgressLine = (what: string, done: number, total: number | undefined) => void;

/** Writes a line every two seconds while there is something to say. */
export function progressLine(write: (line: string) => void, clock = () => performance.now()): ProgressLine {
  let what = '';
  let startedAt = 0;
  let startedWith = 0;
  let writtenAt = 0;
  return (now, done, total) => {
    const at = clock();
    if (now !== what) {
      what = now;
      startedAt = at;
      startedWith = done;
      writtenAt = at;
    }
    if (at - writtenAt < EVERY_MS) return;
    writtenAt = at;
    const rate = ((done - startedWith) * 1000) / (at - startedAt);
    const of = total === undefined ? '' : ` of ${total}`;
    const left = total === undefined || rate === 0 ? '' : `, ${Math.ceil((total - done) / rate)} s left`;
    write(`${what}: ${done}${of}, ${rate.toFixed(rate < 10 ? 1 : 0)} a second${left}`);
  };
}

/** Of an import that nobody watches. */
export const silent: ProgressLine = () => {};
