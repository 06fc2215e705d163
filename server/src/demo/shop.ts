/** What the demonstration account is about: a shop for skin care that finds customers by a quiz. */

export const HOST = 'https://shop.example';

/** Where visitors come from, how many of them (weight) and where they land. */
export const CHANNELS = [
  ['google', 'cpc', 'summer-sale', 'gclid', 20, '/offers/summer', 'summer-sale'],
  ['google', 'cpc', 'brand', 'gclid', 8, '/', 'shop'],
  ['facebook', 'paid', 'quiz-lookalike', 'fbclid', 17, '/quiz', 'skin-quiz'],
  ['tiktok', 'paid', 'quiz-creators', 'ttclid', 11, '/quiz', 'skin-quiz'],
  ['bing', 'cpc', 'brand', 'msclkid', 4, '/', 'shop'],
  ['pinterest', 'paid', 'routines', 'epik', 3, '/guides/routines', 'skin-quiz'],
  ['newsletter', 'email', 'july-letter', null, 8, '/offers/summer', 'summer-sale'],
  ['google', 'organic', null, null, 14, '/guides/dry-skin', 'shop'],
  ['instagram', 'social', null, null, 4, '/', 'shop'],
  [null, null, null, null, 11, '/', 'shop'],
] as const;

/** What a visitor does, in order: fewer and fewer go on. */
export const STEPS = [
  'quiz_started',
  'quiz_answered',
  'quiz_answered',
  'quiz_answered',
  'quiz_finished',
  'offer_viewed',
  'video_played',
  'faq_opened',
  'email_submitted',
  'plan_chosen',
  'checkout_started',
  'order_placed',
] as const;

export const LEAD_STEP = 9;

/** The pages that go with it, after the one that the visitor landed on. */
export const PAGES = ['/quiz', '/quiz/result', '/products/serum', '/checkout', '/thank-you'] as const;

export const DEVICES = [
  ['mobile', 'Safari', 'iOS', 38],
  ['mobile', 'Chrome', 'Android', 24],
  ['desktop', 'Chrome', 'Windows', 20],
  ['desktop', 'Safari', 'macOS', 13],
  ['tablet', 'Safari', 'iOS', 5],
] as const;

export const COUNTRIES = [
  ['DE', 'EUR', 38],
  ['AT', 'EUR', 9],
  ['CH', 'CHF', 9],
  ['GB', 'GBP', 14],
  ['US', 'USD', 20],
  ['FR', 'EUR', 10],
] as const;

const FIRST =
  'Ada Ben Carla Deniz Emil Fiona Georg Hanna Ines Jonas Klara Leon Mila Noah Olga Paul Rosa Sami Tara Yusuf';
const LAST =
  'Albers Bauer Costa Dietz Engel Fuchs Gruber Haas Ivanov Jansen Keller Lang Moser Novak Otto Peters Rossi Simon';
export const FIRST_NAMES = FIRST.toLowerCase().split(' ');
export const LAST_NAMES = LAST.toLowerCase().split(' ');

/** Where most of its customers live. */
const TIME_ZONE = 'Europe/Berlin';

/** How busy the hours of a day and the days of a week (from Monday) are there. */
const HOURS = [3, 2, 1, 1, 1, 2, 4, 6, 7, 8, 8, 8, 9, 8, 8, 8, 9, 10, 12, 14, 16, 15, 11, 6];
const WEEK = [1.05, 1, 0.97, 0.98, 0.9, 0.95, 1.15];
const HOUR_MS = 3_600_000;

/** The longest session, so that what is done in it has been done. */
const LATEST_MS = 8 * 60_000;

/**
 * How many sessions begin in each hour of the days before `now`: more in the evening, on Sundays, and from week to week.
 */
export function hoursOf(sessions: number, days: number, now: number): { at: number; count: number }[] {
  const hours = Array.from({ length: days * 24 }, (_, i) => now - LATEST_MS - (i + 1) * HOUR_MS).reverse();
  const weights = hours.map((at, i) => {
    const { hour, dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(TIME_ZONE);
    return (HOURS[hour] ?? 1) * (WEEK[dayOfWeek - 1] ?? 1) * (0.8 + (0.4 * i) / hours.length);
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  let [due, given] = [0, 0];
  return hours.map((at, i) => {
    due += ((weights[i] ?? 0) / sum) * sessions;
    const count = Math.round(due) - given;
    given += count;
    return { at, count };
  });
}

/** Upper bounds of what each has of all, for a random number from 0 to 1. */
export function shares(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let upTo = 0;
  return weights.slice(0, -1).map((weight) => {
    upTo += weight / sum;
    return upTo;
  });
}
