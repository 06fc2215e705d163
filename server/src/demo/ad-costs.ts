import { isoTime } from '../shared/time.ts';
import { DAY } from '../shared/units.ts';
import { CHANNELS } from './shop.ts';

/** Of all `CHANNELS`, in percent. */
const TOTAL_WEIGHT = CHANNELS.reduce((sum, [, , , , weight]) => sum + weight, 0);
const PRICE_OF_CLICK = 0.85;
const IMPRESSIONS_OF_CLICK = 42;

/** What the ads of the shop cost in EUR, by day and campaign: the price of clicks rises and falls over two weeks. */
export function adCosts(size: { sessions: number; days: number }, now: number) {
  const paid = CHANNELS.filter(([, medium]) => medium === 'cpc' || medium === 'paid');
  return Array.from({ length: size.days }, (_, day) =>
    paid.map(([source, , campaign, , weight], i) => {
      const clicks = Math.round((size.sessions / size.days) * (weight / TOTAL_WEIGHT) * (1 + ((day * 7 + i) % 5) / 10));
      const price = PRICE_OF_CLICK * (1 + Math.sin((day / 14) * 2 * Math.PI + i) / 4);
      return {
        date: isoTime(now - day * DAY).slice(0, 10),
        ...{ source, campaign, currency: 'EUR', clicks, impressions: clicks * IMPRESSIONS_OF_CLICK },
        cost: (clicks * price).toFixed(2),
      };
    }),
  ).flat();
}
