export interface Cut {
  before: string;
  middle: string;
  after: string;
}

/** A text in three parts: what it begins with like the other one, what is its own, and what it ends with like the other. */
export function cutText(text: string, other: string): Cut {
  // By characters: half of one would not be shown.
  const [own, its] = [Array.from(text), Array.from(other)];
  const shortest = Math.min(own.length, its.length);
  let start = 0;
  while (start < shortest && own[start] === its[start]) start++;
  let end = 0;
  while (end < shortest - start && own.at(-1 - end) === its.at(-1 - end)) end++;
  return {
    before: own.slice(0, start).join(''),
    middle: own.slice(start, own.length - end).join(''),
    after: own.slice(own.length - end).join(''),
  };
}
