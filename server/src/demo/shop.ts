import { HOUR, MINUTE } from '../shared/units.ts';

/** The demo account: a skin care shop that acquires customers with a quiz. */

export const HOST = 'https://shop.example';

/** Traffic channels: source, medium, campaign, click id, weight, landing path, funnel. */
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

/** The events of a session in order; from step to step fewer visitors continue. */
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

/** The pages of a session after the landing page. */
export const PAGES = ['/quiz', '/quiz/result', '/products/serum', '/checkout', '/thank-you'] as const;

export const DEVICES = [
  ['mobile', 'Safari', 'iOS', 38],
  ['mobile', 'Chrome', 'Android', 24],
  ['desktop', 'Chrome', 'Windows', 20],
  ['desktop', 'Safari', 'macOS', 13],
  ['tablet', 'Safari', 'iOS', 5],
] as const;

export const COUNTRIES = [
  ['DE', 'EUR', 38, 'Bavaria', 'Berlin', 'Hamburg'],
  ['AT', 'EUR', 9, 'Vienna', 'Tyrol', 'Styria'],
  ['CH', 'CHF', 9, 'Zurich', 'Bern', 'Geneva'],
  ['GB', 'GBP', 14, 'England', 'Scotland', 'Wales'],
  ['US', 'USD', 20, 'California', 'New York', 'Texas'],
  ['FR', 'EUR', 10, 'Île-de-France', 'Occitanie', 'Brittany'],
] as const;

const FIRST =
  'Ada Ben Carla Deniz Emil Fiona Georg Hanna Ines Jonas Klara Leon Mila Noah Olga Paul Rosa Sami Tara Yusuf';
const LAST =
  'Albers Bauer Costa Dietz Engel Fuchs Gruber Haas Ivanov Jansen Keller Lang Moser Novak Otto Peters Rossi Simon';
export const FIRST_NAMES = FIRST.toLowerCase().split(' ');
export const LAST_NAMES = LAST.toLowerCase().split(' ');

/** The time zone of most customers. */
const TIME_ZONE = 'Europe/Berlin';

/** Traffic by hour of the day and by day of the week, from Monday. */
const HOURS = [3, 2, 1, 1, 1, 2, 4, 6, 7, 8, 8, 8, 9, 8, 8, 8, 9, 10, 12, 14, 16, 15, 11, 6];
const WEEK = [1.05, 1, 0.97, 0.98, 0.9, 0.95, 1.15];

/** No session is longer, so none lasts into the future. */
const MAX_SESSION_MS = 8 * MINUTE;

/** How many sessions start in each hour of the last days: more in the evening, on Sundays, and from week to week. */
export function hoursOf(sessions: number, days: number, now: number): { at: number; count: number }[] {
  const hours = Array.from({ length: days * 24 }, (_, i) => now - MAX_SESSION_MS - (i + 1) * HOUR).reverse();
  const weights = hours.map((at, i) => {
    const { hour, dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(TIME_ZONE);
    return (HOURS[hour] ?? 1) * (WEEK[dayOfWeek - 1] ?? 1) * (0.8 + (0.4 * i) / hours.length);
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  let [target, assigned] = [0, 0];
  return hours.map((at, i) => {
    target += ((weights[i] ?? 0) / sum) * sessions;
    const count = Math.round(target) - assigned;
    assigned += count;
    return { at, count };
  });
}

/** Turns weights into thresholds for a random number from 0 to 1. */
export function thresholds(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let threshold = 0;
  return weights.slice(0, -1).map((weight) => {
    threshold += weight / sum;
    return threshold;
  });
}
