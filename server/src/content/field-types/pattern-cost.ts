/** What it takes to compile a pattern, found in one pass over its source, before anything is expanded. */
interface PatternCost {
  /** At least the number of instructions of the program, as RE2 measures the size of a pattern. */
  instructions: number;
  /** The time to compile it, in instructions (measured: 1 to 3 µs each). */
  total: number;
}

/** A Unicode class (`\pL`, `\p{Greek}`) has up to 700 ranges, which are copied and merged (measured: 0.1 ms). */
const UNICODE_CLASS = 50;
/** Without regard to case, each character of a range is looked up (measured: 27 ns), as far as characters have case. */
const FOLDED_PER_UNIT = 75;
const CASED_UNTIL = 0x1e943;

/** What every program has: start, end and failure. */
const OVERHEAD = 5;

/** What has been read of a group or an alternative. */
interface Part {
  instructions: number;
  total: number;
}

interface Group {
  /** Before this group, in the same alternative. */
  outer: Part;
  /** What `|` has ended. */
  ended: Part;
  /** Whether the group ignores case, and so does what follows an inline flag in it. */
  ignoresCase: boolean;
}

/**
 * Estimates a pattern without compiling it. A repetition `x{n,m}` counts `m` times, as RE2 writes it out. The source may be
 * malformed: then it is at most as expensive as estimated until RE2 refuses it.
 */
export function estimatePattern(source: string): PatternCost {
  const groups: Group[] = [];
  let ended: Part = { instructions: 0, total: 0 };
  let part: Part = { instructions: 0, total: 0 };
  let ignoresCase = false;
  /** The last item, to which a repetition applies. */
  let last: Part = { instructions: 0, total: 0 };
  const add = (instructions: number, extra = 0) => {
    last = { instructions, total: instructions + extra };
    part = plus(part, last);
  };

  for (let at = 0; at < source.length; ) {
    const character = source[at] as string;
    if (source.startsWith('\\Q', at)) {
      const end = source.indexOf('\\E', at);
      const text = source.slice(at + 2, end < 0 ? undefined : end);
      add(text.length);
      // A repetition applies to the last character.
      last = { instructions: 1, total: 1 };
      at = end < 0 ? source.length : end + 2;
    } else if (character === '\\') {
      const escaped = escapeAt(source, at);
      add(1, escaped.cost);
      at = escaped.end;
    } else if (character === '[') {
      const found = classAt(source, at, ignoresCase);
      add(1, found.cost);
      at = found.end;
    } else if (character === '(') {
      const [opening = '('] = OPENING.exec(source.slice(at, at + 200)) ?? [];
      const flags = /^\(\?([imsU]*)(?:-[imsU]*)?([:)])$/.exec(opening);
      const folds: boolean = flags
        ? (flags[1] as string).includes('i') || (ignoresCase && !opening.includes('-'))
        : ignoresCase;
      if (flags?.[2] === ')') ignoresCase ||= folds;
      else {
        groups.push({ outer: part, ended, ignoresCase });
        [part, ended, ignoresCase] = [
          { instructions: 3, total: 3 },
          { instructions: 0, total: 0 },
          ignoresCase || folds,
        ];
      }
      at += opening.length;
    } else if (character === ')') {
      last = plus(ended, part);
      const group = groups.pop();
      if (group) {
        part = plus(group.outer, last);
        ended = group.ended;
        ignoresCase = group.ignoresCase;
      }
      at++;
    } else if (character === '|') {
      // The branch, and an alternative that may be empty.
      ended = plus(plus(ended, part), { instructions: 2, total: 2 });
      part = { instructions: 0, total: 0 };
      at++;
    } else {
      const repetition = repetitionAt(source, at);
      if (repetition === undefined) add(1, character >= '\u0080' ? 1 : 0);
      else {
        // Each copy of the last item, and a branch for those that may be absent.
        const more = times(last, repetition.copies - 1, repetition.branches);
        part = plus(part, more);
        last = plus(last, more);
      }
      at += repetition?.length ?? 1;
    }
  }
  for (const { outer, ended: before } of groups.reverse()) {
    part = plus(plus(outer, plus(ended, part)), { instructions: 0, total: 0 });
    ended = before;
  }
  const { instructions, total } = plus(ended, part);
  return { instructions: instructions + OVERHEAD, total: total + OVERHEAD };
}

const OPENING = /^\((?:\?(?:P?<[^>]*>|[imsU]*(?:-[imsU]*)?[:)]|<?[=!]))?/;

const plus = (a: Part, b: Part): Part => ({ instructions: a.instructions + b.instructions, total: a.total + b.total });

const times = (item: Part, copies: number, branches: number): Part => ({
  instructions: item.instructions * copies + branches,
  // A class is read once, however often its instruction is copied.
  total: item.instructions * copies + branches,
});

/** `*`, `+`, `?` or `{n,m}` at a position, with the mark of a lazy one. */
function repetitionAt(source: string, at: number): { length: number; copies: number; branches: number } | undefined {
  const [all, simple, least, comma, most] =
    /^(?:([*+?])|\{(\d{1,9})(?:(,)(\d{1,9})?)?\})\??/.exec(source.slice(at, at + 30)) ?? [];
  if (all === undefined) return undefined;
  // An optional item that may be empty takes two branches.
  if (simple !== undefined) return { length: all.length, copies: 1, branches: 2 };
  const min = Number(least);
  const max = most === undefined ? Math.max(min, 1) : Number(most);
  const copies = Math.max(max, 1);
  return { length: all.length, copies, branches: comma === undefined ? 0 : Math.max(copies - min, 0) + 2 };
}

/** An escape outside or inside a class: `\d`, `\x{1F600}`, `\p{Greek}`, `\.`. */
function escapeAt(source: string, at: number): { end: number; cost: number; rune: number } {
  const [all = '\\', unicode, hex, shortHex, octal] =
    /^\\(?:([pP](?:\{[^}]*\}|.)?)|x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|([0-7]{1,3})|[\s\S]?)/u.exec(
      source.slice(at, at + 100),
    ) ?? [];
  const rune = hex ?? shortHex;
  const code = rune !== undefined ? Number.parseInt(rune, 16) : octal !== undefined ? Number.parseInt(octal, 8) : -1;
  return {
    end: at + all.length,
    cost: unicode !== undefined ? UNICODE_CLASS : 1,
    rune: code >= 0 ? code : (all.codePointAt(1) ?? 0),
  };
}

/** A class in brackets, whose first character may be a bracket that closes nothing. */
function classAt(source: string, start: number, ignoresCase: boolean): { end: number; cost: number } {
  let at = start + (source[start + 1] === '^' ? 2 : 1);
  let cost = 1;
  /** The lower end of a range that has begun. */
  let low: number | undefined;
  let previous: number | undefined;
  for (let isFirst = true; at < source.length; isFirst = false) {
    const character = source[at];
    if (character === ']' && !isFirst) return { end: at + 1, cost };
    const posix = source.startsWith('[:', at) ? source.indexOf(':]', at) : -1;
    if (posix > 0 && posix < at + 14) {
      cost += 2;
      at = posix + 2;
      previous = undefined;
      continue;
    }
    if (character === '-' && previous !== undefined && low === undefined && source[at + 1] !== ']') {
      low = previous;
      at++;
      continue;
    }
    const escaped = character === '\\' ? escapeAt(source, at) : undefined;
    const rune = escaped?.rune ?? source.codePointAt(at) ?? 0;
    cost += escaped?.cost ?? 1;
    if (ignoresCase && low !== undefined) cost += Math.max(0, Math.min(rune, CASED_UNTIL) - low) / FOLDED_PER_UNIT;
    previous = low === undefined ? rune : undefined;
    low = undefined;
    at = escaped?.end ?? at + (rune > 0xffff ? 2 : 1);
  }
  return { end: at, cost };
}
