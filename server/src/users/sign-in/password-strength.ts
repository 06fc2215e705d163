import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Fault } from '../../shared/errors.ts';

/** zxcvbn's scale from 0 to 4: 3 takes more than 10^8 guesses, of an attacker who knows how people choose passwords. */
const MIN_SCORE = 3;

/** The check takes 30 ms for so many characters at worst, and grows with the square. More characters only help. */
const CHECKED_LENGTH = 48;

const HOW = 'Use several unrelated words, or let a password manager create one.';
const COMMON = 'The password is one of the most common ones, or much like one.';
const PATTERN = 'The password is a pattern that is easy to guess.';
const REASONS: Record<string, string> = {
  topTen: COMMON,
  topHundred: COMMON,
  common: COMMON,
  similarToCommon: COMMON,
  simpleRepeat: 'The password repeats the same characters.',
  extendedRepeat: 'The password repeats the same characters.',
  sequences: PATTERN,
  straightRow: PATTERN,
  keyPattern: PATTERN,
  dates: 'The password is a date.',
  recentYears: 'The password is a year.',
  userInputs: 'The password contains your name or email.',
};

let loading: Promise<ZxcvbnFactory> | undefined;

// Loaded when somebody sets a password: the 49,000 most common passwords take 7 MB.
function load(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')])
    .then(
      ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) =>
        new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }),
    )
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/**
 * Whether a new password is too easy to guess. @param pointer the member of the request that contains it
 * @param known what an attacker knows of the user, such as name and email
 */
export async function weakness(password: string, pointer: string, known: readonly string[]): Promise<Fault[]> {
  const zxcvbn = await load();
  const words = ['headwater', ...known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])];
  const used = words.filter((word) => word.length > 2).map((word) => word.slice(0, CHECKED_LENGTH));
  const { score, feedback } = zxcvbn.check(password.slice(0, CHECKED_LENGTH), used.slice(0, 20));
  if (score >= MIN_SCORE) return [];
  const reason = REASONS[feedback.warning ?? ''] ?? 'The password is too easy to guess.';
  return [{ pointer, code: 'password_weak', detail: `${reason} ${HOW}` }];
}
