import { type AssignedExperiment, assign } from './assign.ts';
import { createDelivery, type DeliveryOptions } from './delivery.ts';
import type { Entry, ReadOptions } from './delivery-types.ts';

/** Who sees a variant: the ID that assigns it, and the session that the exposure is recorded to, if there is one. */
export interface ExperimentVisitor {
  visitorId: string;
  sessionHash?: string | undefined;
  /** On a server, the User-Agent of the visitor's request, by which the service leaves out bots. */
  userAgent?: string | undefined;
}

interface RunningExperiment extends AssignedExperiment {
  content: readonly { collectionId: string; entryId: string }[];
}

/** For so long, running experiments are not read again. */
const MAX_AGE_MS = 60_000;
/** Visitors whose exposure is not recorded again; the service counts the first one anyway. */
const MAX_EXPOSED = 10_000;

type Name<Schema> = keyof Schema & string;

export interface Experiments<Schema> {
  /** The variants that a visitor is assigned to, by experiment. Records nothing. */
  variantsOf(visitorId: string): Promise<Record<string, string>>;
  /** An entry with what the visitor's variants replace in it, and records that the visitor saw it; null if there is none. */
  get<C extends Name<Schema>, const Expand extends string = never>(
    collection: C,
    entry: string,
    visitor: ExperimentVisitor,
    options?: ReadOptions<Schema, C, Expand>,
  ): Promise<Entry<Schema, C, never, Expand> | null>;
  /** Records that a visitor saw a variant. */
  expose(experiment: string, variant: string, visitor: ExperimentVisitor): Promise<void>;
}

/**
 * Experiments on content: assigns visitors, reads the entries of their variants by URLs that caches can keep, and records exposures.
 * What cannot be read or recorded leaves the entry as it is published.
 */
export function createExperiments<Schema>(options: DeliveryOptions): Experiments<Schema> {
  const { url, key, fetch: own } = options;
  const base = url.replace(/\/+$/, '');
  const delivery = createDelivery<Schema>(options);
  const exposed = new Set<string>();
  let running: { at: number; experiments: Promise<readonly RunningExperiment[]> } | undefined;

  const readRunning = async (): Promise<readonly RunningExperiment[]> => {
    const response = await (own ?? fetch)(`${base}/v1/experiments/running`, {
      headers: { 'x-api-key': `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`The service responded with status ${response.status}.`);
    return ((await response.json()) as { experiments: RunningExperiment[] }).experiments;
  };

  const current = (): Promise<readonly RunningExperiment[]> => {
    if (running && Date.now() - running.at < MAX_AGE_MS) return running.experiments;
    const before = running?.experiments ?? Promise.resolve([]);
    running = { at: Date.now(), experiments: readRunning().catch(() => before) };
    return running.experiments;
  };

  const assigned = (experiments: readonly RunningExperiment[], visitorId: string) =>
    experiments.flatMap((experiment) => {
      const variant = assign(experiment, visitorId);
      return variant === null ? [] : [[experiment.key, variant] as const];
    });

  async function expose(experiment: string, variant: string, visitor: ExperimentVisitor) {
    const { visitorId, sessionHash, userAgent } = visitor;
    const name = `${experiment} ${visitorId}`;
    if (exposed.has(name)) return;
    if (exposed.size >= MAX_EXPOSED) exposed.clear();
    exposed.add(name);
    const properties = { experiment, variant, ...(sessionHash ? { sessionHash } : { visitorId }) };
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(userAgent && { 'user-agent': userAgent }) },
      body: JSON.stringify({ api_key: key, event: 'experiment_exposure', properties }),
    };
    const sent = await (own ?? fetch)(`${base}/v1/events`, init).catch(() => undefined);
    if (!sent?.ok) exposed.delete(name);
  }

  return {
    async variantsOf(visitorId) {
      return Object.fromEntries(assigned(await current(), visitorId));
    },
    async get<C extends Name<Schema>, const Expand extends string = never>(
      collection: C,
      entry: string,
      visitor: ExperimentVisitor,
      reading?: ReadOptions<Schema, C, Expand>,
    ) {
      const onContent = (await current()).filter(({ content }) => content.length > 0);
      const variants = assigned(onContent, visitor.visitorId);
      const variant =
        variants
          .map((pair) => pair.join(':'))
          .sort()
          .join() || undefined;
      const found = await delivery.get<C, Expand>(collection, entry, { ...reading, variant });
      if (found?.experiment && found.variant) await expose(found.experiment, found.variant, visitor);
      return found;
    },
    expose,
  };
}
