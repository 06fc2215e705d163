/**
 * `npm run simulate -- alerts [--seeds=40]`: how often the rule "sales of yesterday 40 % under what is usual by now" raises a false alarm in a
 * quarter of simulated shops, and how soon it sees that sales have halved.
 */
import { parseArgs } from 'node:util';
import { SHOPS, simulateAlerts } from './alerts.ts';

const { values } = parseArgs({ args: process.argv.slice(3), options: { seeds: { type: 'string', default: '40' } } });
const seeds = Number(values.seeds);
console.log(
  '| Shop | False alarms a quarter | Quarters with more than one | Halvings seen within a day | Within two |\n| --- | --- | --- | --- | --- |',
);
for (const shop of SHOPS) {
  const results = Array.from({ length: seeds }, (_, seed) => simulateAlerts(shop, seed + 1));
  const mean = results.reduce((sum, { falseAlarms }) => sum + falseAlarms, 0) / seeds;
  const more = results.filter(({ falseAlarms }) => falseAlarms > 1).length;
  const seenWithin = (days: number) => {
    const seen = results.filter(({ halvingSeenAfter }) => halvingSeenAfter !== null && halvingSeenAfter <= days);
    return `${Math.round((100 * seen.length) / seeds)} %`;
  };
  console.log(`| ${shop.name} | ${mean.toFixed(2)} | ${more} of ${seeds} | ${seenWithin(1)} | ${seenWithin(2)} |`);
}
