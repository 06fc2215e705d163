import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SINGLE_VALUED } from '../dimensions.ts';
import { countFunnel } from './count-funnel.ts';
import { ReportNames } from './names.ts';
import { encodeSegment, toColumns } from './segment.ts';
import { SegmentView } from './segment-view.ts';
import { VisitorNumbers } from './visitors.ts';

const NO_TEXTS = Object.fromEntries(Object.values(SINGLE_VALUED).map((name) => [name, null])) as Record<
  (typeof SINGLE_VALUED)[keyof typeof SINGLE_VALUED],
  null
>;
const action = fc.record({
  session: fc.integer({ min: 0, max: 5 }),
  minute: fc.integer({ min: 0, max: 60 }),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
});
const IDS = ['', 'a', 'b', 'c', 'd'];
const FLAGS = { is_bot: false, is_internal: false };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000);

type Action = { minute: number; name: string };

/** How far the best attempt comes, by trying every first step. */
function furthest(actions: Action[], steps: string[], to: number, window: number): number {
  let best = 0;
  actions.forEach((first, i) => {
    if (first.name !== steps[0] || first.minute >= to) return;
    let step = 1;
    for (const next of actions.slice(i + 1)) {
      if (step < steps.length && next.name === steps[step] && next.minute - first.minute <= window) step++;
    }
    best = Math.max(best, step);
  });
  return best;
}

test('a funnel counts each session or visitor by its best attempt', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 60 }),
      fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      async (actions, steps, window, byVisitor) => {
        // Two sessions per visitor. Sorted by time, which is the order within a millisecond too.
        const subjectOf = (session: number) => (byVisitor ? session >> 1 : session);
        const events = actions
          .map(({ session, minute, name }) => ({ number: session, at: at(minute), ...FLAGS, name, funnel: null }))
          .sort((a, b) => a.number - b.number || a.at.getTime() - b.at.getTime());
        const sessions = Array.from({ length: 6 }, (_, number) => ({
          ...{ number, visitor_high: number >> 1, visitor_low: 7, started_at: at(0), is_deleted: false, platforms: [] },
          ...FLAGS,
          ...{ ...NO_TEXTS },
        }));
        const numbers = new VisitorNumbers();
        const parts = encodeSegment(toColumns({ sessions, visits: [], events }, (name) => IDS.indexOf(name ?? '')));
        const visitors = Int32Array.from(sessions, (each) => numbers.numberOf(each.visitor_high, each.visitor_low));
        const segment = { segment: 0, first: 0, last: 0, parts, visitors };
        const population = {
          names: new ReportNames({} as never, ''),
          maxVisitors: numbers.size,
          scan: async (onSegment: (view: SegmentView) => void) => onSegment(new SegmentView().show(segment, undefined)),
        };
        const to = 40;
        const counts = await countFunnel(
          population,
          steps.map((name) => ({ events: new Set([IDS.indexOf(name)]), pages: new Set() })),
          {
            period: { from: at(0).getTime(), to: at(to).getTime() },
            window: window * 60_000,
            by: byVisitor ? 'visitor' : 'session',
            filters: {},
            include: { bots: false, internal: false },
          },
        );
        const bySubject = Map.groupBy(actions, ({ session }) => subjectOf(session));
        const reached = [...bySubject].map(([, own]) => {
          const ordered = byVisitor
            ? [...own].sort((a, b) => a.minute - b.minute || a.session - b.session)
            : [...own].sort((a, b) => a.minute - b.minute);
          return furthest(ordered, steps, to, window);
        });
        const expected = steps.map((_, i) => reached.filter((step) => step > i).length);
        assert.deepEqual(counts, expected);
      },
    ),
    { numRuns: 300 },
  );
});
