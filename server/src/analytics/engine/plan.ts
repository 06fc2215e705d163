import type { Dimension, Filters, Include, Period, SingleValued } from '../dimensions.ts';
import type { FilterIds } from './filter-sessions.ts';
import type { ReportNames } from './names.ts';
import type { Part } from './segment.ts';
import type { SegmentView } from './segment-view.ts';

/** By segment, offsets of sessions that are read elsewhere. */
export type HiddenSessions = ReadonlyMap<number, ReadonlySet<number>>;

/** What is done with one segment after another. */
export interface Scan {
  add(view: SegmentView): void;
  /** What is needed of a segment besides what was requested for all. */
  partsOf?(view: SegmentView): readonly Part[];
}

/** Work on segments of which several threads can do a part each. */
export interface Work<Part> extends Scan {
  /** What this thread has done, as a message. */
  readonly part: Part;
  /** The buffers in it that are handed over. */
  readonly buffers: ArrayBuffer[];
  merge(part: Part): void;
}

/** The sessions of an account at one moment, as far as they touch a period. */
export interface Population {
  names: ReportNames;
  /** Visitor numbers are below this. */
  maxVisitors: number;
  /** How many threads do a part of the work. */
  threads: number;
  /** Shows all segments, one after another. They are not all in memory at the same time. */
  scan(onSegment: (view: SegmentView) => void): Promise<void>;
  /** Runs work on all segments. If these are many, other threads run the same plan on a part of them. */
  work<Part>(plan: WorkPlan, work: Work<Part>): Promise<void>;
}

export interface CountPlan {
  period: Period;
  /** The starts of the intervals in milliseconds, on whole minutes; none: only the total is counted. */
  starts: number[];
  by: readonly Dimension[];
  include: Include;
}

/** Counts sessions of a part of the segments. */
export interface SessionWorkPlan {
  type: 'count';
  filters: Filters;
  ids: FilterIds;
  plans: readonly CountPlan[];
  maxVisitors: number;
}

export interface FunnelPlan {
  /** In which the first step happens. */
  period: Period;
  /** Milliseconds from the first step to the last one. */
  window: number;
  by: 'session' | 'visitor';
  filters: Filters;
  include: Include;
  /** Of the sessions by which the counts are broken down. */
  breakdownBy?: SingleValued | undefined;
}

/** The ids of the events and pages that count as a step. */
export interface StepIds {
  events: ReadonlySet<number>;
  pages: ReadonlySet<number>;
}

/** An event that counts as steps because of its properties, which segments do not contain. */
export interface ExtraAction {
  /** Of its session in the segment. */
  offset: number;
  at: number;
  /** A bit for each step. */
  mask: number;
}

/** By number of the segment. */
export type ExtraActions = ReadonlyMap<number, readonly ExtraAction[]>;

/** Counts a funnel in a part of the segments. */
export interface FunnelWorkPlan {
  type: 'funnel';
  ids: FilterIds;
  steps: StepIds[];
  plans: readonly FunnelPlan[];
  extras: ExtraActions;
  /** By visitor: the first one to count, and the actions of each period that a thread has memory for. */
  from: number;
  maxActions: number;
}

/** Work that can be divided, as a message. */
export type WorkPlan = SessionWorkPlan | FunnelWorkPlan;
