import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from '../src/experiments/outcome.ts';

test('the outcome states what was decided', () => {
  const arms = [{ variant: 'a', settledVisitors: 400 }].map((arm) => ({
    ...{ ...arm, visitors: 400, conversions: 0, revenue: '0', settledRevenue: '0' },
  }));
  const compared = { variant: 'b', metric: 'purchase', lift: 0, isGuardrail: false };
  const told = (kind: string, decision: 'better' | 'worse' | 'undecided', low: number, high: number, ok = true) =>
    outcomeOf('running', {
      arms,
      comparisons: [
        { ...compared, kind, decision, low, high },
        { ...compared, kind, metric: 'refund', isGuardrail: true, decision: 'worse', low: -0.2, high: -0.1 },
      ],
      sampleRatio: { expected: [], observed: [], e: 1, ok },
    });
  const [guardrail, risk] = [
    'The guardrail refund got worse with b.',
    'per visitor, after refunds; 5 % risk over all looks.',
  ];
  assert.equal(told('revenue', 'better', 0.04, 0.11), `b earns 4% to 11% more ${risk} ${guardrail}`);
  assert.equal(told('events', 'worse', -0.11, -0.04), `b has 4% to 11% less purchase ${risk} ${guardrail}`);
  assert.equal(
    told('revenue', 'undecided', -0.02, 0.03),
    `b is undecided. The difference is between -2% and +3%. ${guardrail}`,
  );
  assert.match(told('revenue', 'better', 0.04, 0.11, false), /^Visitors are missing/);
});
