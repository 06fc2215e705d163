/**
 * `npm run simulate -- alerts [--seeds=40]`: how often the rule "sales of yesterday 40 % under what is usual by now" raises a false alarm in a
 * quarter of simulated shops, and how soon it sees that sales have halved.
 */
import { parseArgs } from 'node:util';
import { SHOPS, simulateAlerts } from './alerts.ts';

const { values } = parseArgs({ args: process.argv.slice(3), options: { seeds: { type: 'string', default: '40' } } });
const seeds = Number(values.seeds);
console.log('| Shop | False alarms a quarter | Most in one | Halvings seen within a day |\n| --- | --- | --- | --- |');
for (const shop of SHOPS) {
  const results = Array.from({ length: seeds }, (_, seed) => simulateAlerts(shop, seed + 1));
  const alarms = results.map(({ falseAlarms }) => falseAlarms);
  const mean = alarms.reduce((a, b) => a + b, 0) / seeds;
  const seen = results.filter(({ halvingSeenAfter }) => halvingSeenAfter === 1).length / seeds;
  console.log(`| ${shop.name} | ${mean.toFixed(2)} | ${Math.max(...alarms)} | ${Math.round(100 * seen)} % |`);
}
