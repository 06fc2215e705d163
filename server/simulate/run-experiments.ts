/** `npm run simulate -- experiments [--experiments=20000 --seed=1]` prints how often experiments without a difference are decided. */
import { parseArgs } from 'node:util';
import { falseDecisions, powerOf, SCENARIOS, type Scenario } from './experiments.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { experiments: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const [experiments, seed] = [Number(values.experiments), Number(values.seed)];
if (!(experiments >= 1 && seed >= 0)) {
  console.error('Options are numbers: --experiments=20000 --seed=1');
  process.exit(2);
}

const percent = (part: number) => `${(100 * part).toFixed(2)} %`;
console.log('| Experiments without a difference | False decisions over all hourly looks, at most 5 % |\n|---|---|');
for (const scenario of Object.keys(SCENARIOS) as Scenario[]) {
  console.log(`| ${scenario} | ${percent(falseDecisions(scenario, experiments, seed))} |`);
}
const { sequential, fixed, ratio, low, high } = powerOf(experiments, seed);
console.log(
  `\nPower at the planned size: ${percent(sequential)}; of a test of a single look there: ${percent(fixed)}; ratio ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}).`,
);
for (const [name, description] of Object.entries(SCENARIOS)) console.log(`\n- ${name}: ${description}`);
