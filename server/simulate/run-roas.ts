/** `npm run simulate -- roas [--shops=20 --seed=1]` prints how often what came lay in the intervals that were forecast. */
import { parseArgs } from 'node:util';
import { SCENARIOS, type Scenario, simulateForecasts } from './roas.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { shops: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const [shops, seed] = [Number(values.shops), Number(values.seed)];
if (!(shops >= 1 && seed >= 0)) {
  console.error('Options are numbers: --shops=20 --seed=1');
  process.exit(2);
}

const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
console.log(
  '| Shop | Sales a week | Forecasts | 80 % intervals held | Error of that of revenue to date | By age in days |',
);
console.log('|---|---|---|---|---|---|');
for (const scenario of Object.keys(SCENARIOS) as Scenario[]) {
  for (const sales of [400, 100, 20]) {
    const { forecasts, coverage, error, naiveError, byAge } = simulateForecasts(scenario, sales, shops, seed);
    const ages = byAge
      .map(({ age, coverage: held, ratio }) => `${age}: ${percent(held)}, ${percent(ratio)}`)
      .join('; ');
    console.log(
      `| ${scenario} | ${sales} | ${forecasts} | ${percent(coverage)} | ${percent(error / naiveError)} | ${ages} |`,
    );
  }
}
for (const [name, description] of Object.entries(SCENARIOS)) console.log(`\n- ${name}: ${description}`);
