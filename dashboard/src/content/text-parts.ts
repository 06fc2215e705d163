interface TextParts {
  before: string;
  changed: string;
  after: string;
}

/** Splits a text at its differences from another one: the common start, what differs, and the common end. */
export function splitAtDifference(text: string, other: string): TextParts {
  // By code point, so that no surrogate pair is split.
  const [own, its] = [Array.from(text), Array.from(other)];
  const shortest = Math.min(own.length, its.length);
  let start = 0;
  while (start < shortest && own[start] === its[start]) start++;
  let end = 0;
  while (end < shortest - start && own.at(-1 - end) === its.at(-1 - end)) end++;
  return {
    before: own.slice(0, start).join(''),
    changed: own.slice(start, own.length - end).join(''),
    after: own.slice(own.length - end).join(''),
  };
}
