import type { CreateExperimentRequest, Experiment } from '@headwater/sdk';
import type { Segment } from './queries.ts';

/** Values of a variant by entry and field. */
export type EntryValues = Record<string, Record<string, unknown>>;

export interface FormValues {
  key: string;
  name: string;
  hypothesis: string;
  event: string;
  kind: Experiment['metric']['kind'];
  guardrails: Experiment['guardrails'];
  /** By column of sessions, the values that take part. */
  audience: Partial<Record<Segment, string[]>>;
  window: string;
  settleAfter: string;
  /** In percent. */
  coverage: number | string | undefined;
  holdout: number | string | undefined;
  plannedVisitors: number | string | undefined;
  namespace: string;
  content: { collectionId: string; entryId: string }[];
  variants: { key: string; share: number | string | undefined; values: EntryValues }[];
}

const NEW: FormValues = {
  ...{
    key: '',
    name: '',
    hypothesis: '',
    event: '',
    kind: 'revenue',
    guardrails: [],
    audience: {},
    window: '14d',
    settleAfter: '30d',
  },
  ...{ coverage: 100, holdout: 0, plannedVisitors: undefined, namespace: '', content: [] },
  variants: [
    { key: 'control', share: 50, values: {} },
    { key: 'new', share: 50, values: {} },
  ],
};

/** 0.1 + 0.2 is slightly more than 0.3. */
const percent = (share: number) => Number((share * 100).toFixed(6));
const shareOf = (value: number | string | undefined) => Number(value) / 100;

export function formValuesOf(experiment: Experiment | undefined): FormValues {
  if (!experiment) return NEW;
  const { content, metric, guardrails } = experiment;
  const only = content.length === 1 ? content[0]?.entryId : undefined;
  const byEntry = (values: Record<string, unknown> | null): EntryValues => {
    if (values === null) return {};
    const isByEntry = Object.keys(values).some((name) => content.some(({ entryId }) => entryId === name));
    return isByEntry || only === undefined ? (values as EntryValues) : { [only]: values };
  };
  return {
    ...{ key: experiment.key, name: experiment.name, hypothesis: experiment.hypothesis ?? '' },
    ...{ event: metric.event, kind: metric.kind, guardrails, audience: experiment.audience?.filters ?? {} },
    ...{ window: experiment.window, settleAfter: experiment.settleAfter, namespace: experiment.namespace ?? '' },
    ...{ coverage: percent(experiment.coverage), holdout: percent(experiment.holdout), content },
    plannedVisitors: experiment.plannedVisitors ?? undefined,
    variants: experiment.variants.map(({ key, weight, values }) => ({
      key,
      share: percent(weight),
      values: byEntry(values),
    })),
  };
}

/** @param before what the form does not show of it stays */
export function requestOf(form: FormValues, before: Experiment | undefined): CreateExperimentRequest {
  const { event, kind, guardrails, audience, content, variants, plannedVisitors } = form;
  const hasAudience = Object.values(audience).some((values) => values.length > 0);
  return {
    ...{ key: form.key.trim(), name: form.name.trim(), hypothesis: form.hypothesis.trim() || null },
    metric: { ...(before?.metric.kind === kind && before.metric), event: event.trim(), kind },
    guardrails: guardrails.map((each) => ({ ...each, event: each.event.trim() })),
    audience: hasAudience ? { filters: audience } : null,
    ...{ window: form.window.trim(), settleAfter: form.settleAfter.trim(), namespace: form.namespace.trim() || null },
    ...{ coverage: shareOf(form.coverage), holdout: shareOf(form.holdout), content },
    plannedVisitors: plannedVisitors === undefined ? null : Number(plannedVisitors),
    variants: variants.map(({ key, share, values }) => {
      const own = Object.entries(values).filter(
        ([id, fields]) => content.some(({ entryId }) => entryId === id) && Object.keys(fields).length > 0,
      );
      return { key: key.trim(), weight: shareOf(share), values: own.length === 0 ? null : Object.fromEntries(own) };
    }),
  };
}
