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
type Session = Action & { session: number };

function summary(seconds: number[]) {
  if (seconds.length === 0) return null;
  const sorted = seconds.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return { median: (low + high) / 2, average: sorted.reduce((sum, each) => sum + each, 0) / sorted.length };
}

const noAttempts = { counts: [], total: null, durations: [], groups: new Map<number, number[]>() };

interface Best {
  steps: number;
  /** When the furthest step was reached first, as the index of its action, and the latest start of an attempt that did. */
  end: number;
  start: Action;
  /** When that attempt reached the step before, in minutes. */
  previous: number;
}

/** How far the best attempt comes, by trying every first step. */
function furthest(actions: Action[], steps: string[], to: number, window: number): Best | undefined {
  let best: Best | undefined;
  actions.forEach((first, i) => {
    if (first.name !== steps[0] || first.minute >= to) return;
    const found = { steps: 1, end: i, start: first, previous: first.minute };
    let at = first.minute;
    for (const [j, next] of actions.entries()) {
      if (j <= i || found.steps === steps.length) continue;
      if (next.name !== steps[found.steps] || next.minute - first.minute > window) continue;
      Object.assign(found, { steps: found.steps + 1, end: j, previous: at });
      at = next.minute;
    }
    // Of those that come as far, the first to arrive; of those that arrive at once, the last to start.
    const isBetter =
      !best ||
      found.steps > best.steps ||
      (found.steps === best.steps && (found.steps === 1 ? false : found.end <= best.end));
    if (isBetter) best = found;
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
          ...{ ...NO_TEXTS, device: IDS[(number % 3) + 1] ?? null },
        }));
        const numbers = new VisitorNumbers();
        const parts = encodeSegment(toColumns({ sessions, visits: [], events }, (name) => IDS.indexOf(name ?? '')));
        const visitors = numbers.numbersOf(
          Int32Array.from(sessions, ({ visitor_high }) => visitor_high),
          Int32Array.from(sessions, ({ visitor_low }) => visitor_low),
        );
        const segment = { segment: 0, first: 0, last: 0, firstEvent: 0, lastEvent: 0, parts, visitors };
        const population = {
          names: new ReportNames({} as never, ''),
          ...{ maxVisitors: numbers.size, threads: 1 },
          scan: async (onSegment: (view: SegmentView) => void) => onSegment(new SegmentView().show(segment, undefined)),
          work: async (_plan: unknown, work: { add(view: SegmentView): void }) =>
            work.add(new SegmentView().show(segment, undefined)),
        };
        const to = 40;
        const attempts = await countFunnel(
          population,
          steps.map((name) => ({ events: new Set([IDS.indexOf(name)]), pages: new Set() })),
          [
            {
              period: { from: at(0).getTime(), to: at(to).getTime() },
              window: window * 60_000,
              by: byVisitor ? 'visitor' : 'session',
              filters: {},
              include: { bots: false, internal: false },
              breakdownBy: 'device',
            },
          ],
        );
        const [{ counts, total, durations, groups } = noAttempts] = attempts;
        const bySubject = Map.groupBy(actions, ({ session }) => subjectOf(session));
        const orderedOf = new Map<Action, Action[]>();
        const reached = [...bySubject].map(([, own]) => {
          const ordered = byVisitor
            ? [...own].sort((a, b) => a.minute - b.minute || a.session - b.session)
            : [...own].sort((a, b) => a.minute - b.minute);
          for (const each of ordered) orderedOf.set(each, ordered);
          return furthest(ordered, steps, to, window);
        });
        const found = reached.filter((best) => best !== undefined);
        assert.deepEqual(
          counts,
          steps.map((_, i) => found.filter((best) => best.steps > i).length),
        );
        const inGroup = (group: number) => found.filter(({ start }) => ((start as Session).session % 3) + 1 === group);
        for (const [group, each] of groups) {
          assert.deepEqual(
            each,
            steps.map((_, i) => inGroup(group).filter((best) => best.steps > i).length),
          );
        }
        const complete = steps.length > 1 ? found.filter((best) => best.steps === steps.length) : [];
        const endOf = ({ end, start }: Best) => (orderedOf.get(start)?.[end]?.minute ?? 0) * 60;
        assert.deepEqual(total, summary(complete.map((best) => endOf(best) - best.start.minute * 60)));
        assert.deepEqual(durations.at(-1) ?? null, summary(complete.map((best) => endOf(best) - best.previous * 60)));
      },
    ),
    { numRuns: 300 },
  );
});
