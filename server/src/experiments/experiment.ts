import type { VariedEntry } from '../content/index.ts';
import { readCurrency } from '../shared/currency.ts';
import { escapePointer, type Fault } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { DAY, HOUR } from '../shared/units.ts';
import type { Assigned, Definition, Experiment, ExperimentChange, Metric, NewExperiment } from './contract.ts';
import { type ExperimentRow, findRunning } from './queries.ts';
import { findRecorded, findRetention } from './source-queries.ts';

/** Milliseconds of `14d` or `12h`. */
export const durationOf = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('h') ? HOUR : DAY);

const timeOf = (date: Date | null) => date && isoTime(date);

export function serializeExperiment(row: ExperimentRow): Experiment {
  return {
    id: publicId('exp', row.id),
    ...row.definition,
    status: row.status,
    preceding: row.preceding,
    shippedVariant: row.shipped_variant,
    releaseId: row.release_id && publicId('rel', row.release_id),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    startedAt: timeOf(row.started_at),
    stoppedAt: timeOf(row.stopped_at),
    shippedAt: timeOf(row.shipped_at),
  };
}

/** Every member, with its default. */
export function definitionOf(sent: NewExperiment): Definition {
  return {
    key: sent.key,
    name: sent.name.trim(),
    hypothesis: sent.hypothesis ?? null,
    variants: sent.variants.map(({ key, weight, values }) => ({ key, weight, values: values ?? null })),
    metric: metricOf(sent.metric),
    guardrails: (sent.guardrails ?? []).map(metricOf),
    audience: sent.audience ?? null,
    window: sent.window ?? '14d',
    settleAfter: sent.settleAfter ?? '30d',
    coverage: sent.coverage ?? 1,
    holdout: sent.holdout ?? 0,
    namespace: sent.namespace ?? null,
    content: sent.content ?? [],
    plannedVisitors: sent.plannedVisitors ?? null,
  };
}

const metricOf = ({ event, kind, currency, cap }: Metric): Metric => ({
  event,
  kind,
  currency: readCurrency(currency) ?? null,
  cap: cap ?? null,
});

/** The definition with the members that are sent. */
export const changedDefinition = (before: Definition, sent: ExperimentChange): Definition =>
  definitionOf({ ...before, ...sent });

/** What a running experiment can still change: coverage moves nobody from one variant to another. */
const CHANGEABLE: readonly (keyof Definition)[] = ['name', 'hypothesis', 'coverage'];

/** Whether a member may change. A holdout of what was shipped can shrink: nobody enters it who has seen the new page. */
function mayChange(status: string, name: keyof Definition, before: Definition, after: Definition): boolean {
  if (name === 'holdout') return status === 'shipped' && after.holdout <= before.holdout;
  return CHANGEABLE.includes(name) && (status === 'running' || name !== 'coverage');
}

/** The members that no longer change, with what to do instead. */
export function frozenFaults(status: string, before: Definition, after: Definition): Fault[] {
  const isFrozen = (name: keyof Definition) =>
    !mayChange(status, name, before, after) &&
    JSON.stringify(sorted(before[name])) !== JSON.stringify(sorted(after[name]));
  return (Object.keys(after) as (keyof Definition)[]).filter(isFrozen).map((name) => ({
    pointer: `/${name}`,
    code: 'experiment_frozen',
    detail:
      status === 'running'
        ? `\`/${name}\` does not change once the experiment has started. Stop it, and create another experiment with a new key.`
        : status === 'shipped' && name === 'holdout'
          ? '`/holdout` can only shrink once a variant was shipped, as all other visitors have seen that one.'
          : `\`/${name}\` does not change once the experiment has ended. Create another experiment with a new key.`,
  }));
}

/** With the members of objects in order, so that equal values have equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** What is wrong with a definition by itself. */
export function definitionFaults(sent: NewExperiment): Fault[] {
  const faults: Fault[] = [];
  const { variants } = sent;
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  // A hundredth of a bucket: thirds may be typed as 0.3333333.
  if (Math.abs(sum - 1) > 1e-6) {
    const detail = `The weights of the variants sum to ${Number(sum.toFixed(7))}. They must sum to 1.`;
    faults.push({ pointer: '/variants', code: 'weights_invalid', detail });
  }
  variants.forEach(({ key, values }, i) => {
    if (variants.findIndex((other) => other.key === key) !== i) {
      const detail = `\`/variants/${i}/key\` is the key of another variant.`;
      faults.push({ pointer: `/variants/${i}/key`, code: 'duplicate', detail });
    }
    if (values) faults.push(...valuesFaults(values, sent.content ?? [], `/variants/${i}/values`));
  });
  (sent.content ?? []).forEach(({ entryId }, i, all) => {
    if (all.findIndex((other) => other.entryId === entryId) === i) return;
    const detail = `\`/content/${i}\` is there before. Name each entry once.`;
    faults.push({ pointer: `/content/${i}/entryId`, code: 'duplicate', detail });
  });
  metricsOf(sent).forEach(([pointer, { currency }]) => {
    if (currency === undefined || currency === null || readCurrency(currency) !== undefined) return;
    const detail = `\`${pointer}/currency\` must be an ISO 4217 code, such as EUR.`;
    faults.push({ pointer: `${pointer}/currency`, code: 'currency_invalid', detail });
  });
  if (durationOf(sent.window ?? '14d') === 0) {
    const detail = '`/window` must be longer than 0, such as 14d.';
    faults.push({ pointer: '/window', code: 'window_invalid', detail });
  }
  return faults;
}

type Content = Definition['content'];
const isEntryId = (name: string) => parseId('ent', name) !== undefined;

/** Values are those of entries by their IDs, or of the fields of the only entry. */
function valuesFaults(values: object, content: Content, pointer: string): Fault[] {
  const names = Object.keys(values);
  if (names.length === 0) return [];
  if (content.length === 0) {
    const detail = `\`${pointer}\` needs \`content\`: the entries whose fields it replaces.`;
    return [{ pointer, code: 'content_missing', detail }];
  }
  if (!names.some(isEntryId)) {
    if (content.length === 1) return [];
    const detail = `\`${pointer}\` must name the entry of each field, as \`content\` has several: {"${content[0]?.entryId}": {…}}.`;
    return [{ pointer, code: 'values_ambiguous', detail }];
  }
  return Object.entries(values).flatMap(([name, of]): Fault[] => {
    const place = `${pointer}/${escapePointer(name)}`;
    if (!content.some(({ entryId }) => entryId === name)) {
      const detail = `\`${place}\` is no entry of \`content\`. Add it there.`;
      return [{ pointer: place, code: 'entry_not_listed', detail }];
    }
    if (typeof of === 'object' && of !== null && !Array.isArray(of)) return [];
    return [{ pointer: place, code: 'type', detail: `\`${place}\` must be an object of values by field.` }];
  });
}

/** What a variant replaces in an entry, and where it says so; null: nothing. */
export function valuesFor(
  sent: object | null | undefined,
  entryId: string,
): { values: Record<string, unknown>; at: string } | null {
  const values = { ...sent } as Record<string, unknown>;
  if (Object.keys(values).length === 0) return null;
  if (!Object.keys(values).some(isEntryId)) return { values, at: '' };
  const own = values[entryId] as Record<string, unknown> | undefined;
  return own && Object.keys(own).length > 0 ? { values: own, at: `/${entryId}` } : null;
}

/** The entries of an experiment with what its variants replace. */
export const variedEntries = ({ content, variants }: Pick<Definition, 'content' | 'variants'>): VariedEntry[] =>
  content.map(({ collectionId, entryId }, i) => ({
    ...{ pointer: `/content/${i}`, collectionId, entryId },
    variants: variants.flatMap(({ values }, k) => {
      const own = valuesFor(values, entryId);
      return own ? { pointer: `/variants/${k}/values${own.at}`, values: own.values } : [];
    }),
  }));

const metricsOf = ({
  metric,
  guardrails = [],
}: Pick<NewExperiment, 'metric' | 'guardrails'>): (readonly [string, Metric])[] => [
  ['/metric', metric],
  ...guardrails.map((each, i) => [`/guardrails/${i}`, each] as const),
];

/** What is wrong with a definition in this account: metrics that nobody recorded, and data that is deleted too early. */
export async function accountFaults(tx: Tx, account_id: string, sent: NewExperiment): Promise<Fault[]> {
  const faults: Fault[] = [];
  const metrics = metricsOf(sent);
  const names = [...new Set(metrics.map(([, { event }]) => event))];
  const recorded = new Set((await findRecorded(tx, { account_id, names })).map(({ name }) => name));
  for (const [pointer, { event }] of metrics) {
    if (recorded.has(event)) continue;
    const detail = `Nothing with the name \`${event}\` was ever recorded. Check its spelling, or record an event or a conversion with it first.`;
    faults.push({ pointer: `${pointer}/event`, code: 'metric_unknown', detail });
  }
  const [row] = await findRetention(tx, { account_id });
  const days = row?.retention_days ?? null;
  const needed = durationOf(sent.window ?? '14d') + durationOf(sent.settleAfter ?? '30d');
  if (days !== null && needed > days * DAY) {
    const detail = `\`/window\` and \`/settleAfter\` are ${needed / DAY} days together, but data is deleted after ${days} days. Shorten them, or keep data longer.`;
    faults.push({ pointer: '/window', code: 'window_too_long', detail });
  }
  return faults;
}

/** Running experiments on one of its entries that are in no namespace with it. */
export async function overlapFaults(
  tx: Tx,
  account_id: string,
  { content, namespace }: Pick<Definition, 'content' | 'namespace'>,
): Promise<Fault[]> {
  if (content.length === 0) return [];
  const running = await findRunning(tx, { account_id });
  return content.flatMap(({ entryId }, i) =>
    running
      .filter(({ definition }) => definition.content.some((other) => other.entryId === entryId))
      .filter(({ definition }) => namespace === null || definition.namespace !== namespace)
      .map(({ key }) => ({
        pointer: `/content/${i}`,
        code: 'experiment_overlap',
        detail: `The entry ${entryId} is in the running experiment \`${key}\`. Stop that one, or put both into one \`namespace\`.`,
      })),
  );
}

/** Running experiments that left out fewer of its visitors when they started than it would have now. */
export async function coverageFaults(tx: Tx, account_id: string, { key, coverage }: Definition): Promise<Fault[]> {
  const running = await findRunning(tx, { account_id });
  return running.flatMap(({ key: other, preceding }) => {
    const left = preceding.find((each) => each.key === key)?.coverage ?? 1;
    if (coverage <= left) return [];
    const detail = `The running experiment \`${other}\` of the namespace has the visitors beyond a coverage of ${left}. Stop it first.`;
    return [{ pointer: '/coverage', code: 'experiment_overlap', detail }];
  });
}

/** What visitors are assigned by, without what nobody else should know. */
export const assignedOf = ({ key, variants, coverage }: Pick<Definition, 'key' | 'variants' | 'coverage'>) => ({
  key,
  variants: variants.map((variant) => ({ key: variant.key, weight: variant.weight })),
  coverage,
});

/** Whose visitors an experiment leaves out that starts now. @param served by which visitors see variants */
export function precedingOf({ namespace, content }: Definition, served: readonly ExperimentRow[]): Assigned[] {
  const isIn = (other: Definition) => namespace !== null && other.namespace === namespace;
  const isOn = (other: Definition) =>
    other.content.some(({ entryId }) => content.some((each) => each.entryId === entryId));
  return served
    .filter(({ status, definition }) => isIn(definition) || (status === 'shipped' && isOn(definition)))
    .flatMap(({ status, definition: { key, variants, coverage, holdout } }) => [
      ...(status === 'running' ? [assignedOf({ key, variants, coverage })] : []),
      // Its holdout sees the first variant for ever: those of the buckets of `isHeld`.
      ...(holdout > 0
        ? [{ key: `${key}:holdout`, variants: [{ key: variants[0]?.key ?? '', weight: 1 }], coverage: holdout }]
        : []),
    ]);
}
