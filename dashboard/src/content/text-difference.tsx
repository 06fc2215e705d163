import { splitAtDifference } from './text-parts.ts';

const MAX_CONTEXT = 60;
const MAX_CHANGED = 800;

/** A text with its differences from another one marked; long common parts are cut. */
export function TextDifference({ text, other }: { text: string; other: string }) {
  const { before, changed, after } = splitAtDifference(text, other);
  // Marking all of an entirely different text would say nothing.
  const Changed = before === '' && after === '' ? 'span' : 'mark';
  return (
    <span style={{ whiteSpace: 'pre-wrap' }}>
      {before.length > MAX_CONTEXT ? `…${before.slice(-MAX_CONTEXT)}` : before}
      {changed !== '' && (
        <Changed>{changed.length > MAX_CHANGED ? `${changed.slice(0, MAX_CHANGED)}…` : changed}</Changed>
      )}
      {after.length > MAX_CONTEXT ? `${after.slice(0, MAX_CONTEXT)}…` : after}
    </span>
  );
}
