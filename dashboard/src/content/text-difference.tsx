import { cutText } from './cut-text.ts';

const CONTEXT = 60;
const LONGEST = 800;

/** A text with what is its own marked; what both begin and end with is left out where it is long. */
export function TextDifference({ text, other }: { text: string; other: string }) {
  const { before, middle, after } = cutText(text, other);
  // All of a text that is another one altogether need not be marked.
  const Own = before === '' && after === '' ? 'span' : 'mark';
  return (
    <span style={{ whiteSpace: 'pre-wrap' }}>
      {before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before}
      {middle !== '' && <Own>{middle.length > LONGEST ? `${middle.slice(0, LONGEST)}…` : middle}</Own>}
      {after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after}
    </span>
  );
}
