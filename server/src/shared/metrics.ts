import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';

/** The metrics of `GET /metrics`. Each app has its own registry, so that tests do not share one. */
export function createMetrics() {
  const registry = new Registry();
  const requests = new Requests('headwater_http_request', 'route', groupOf);
  const ofCells = new Requests('headwater_cell_request', 'cell', (cell) => cell);
  const readers = new Map<string, (() => number | Promise<number>)[]>();
  for (const metric of [requests, ofCells].flatMap((each) => each.metrics())) {
    registry.registerMetric(metric as unknown as Metric);
  }
  const batches = new Histogram({
    name: 'headwater_ingest_batch_size',
    help: 'Requests that shared one commit',
    labelNames: ['type'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers: [registry],
  });
  return {
    registry,
    observeRequest: requests.observe.bind(requests),
    observeRequestOfCell: ofCells.observe.bind(ofCells),
    batches,
    /** The sum of what is read. Each cell contributes a reader. */
    gauge(name: string, help: string, read: () => number | Promise<number>): void {
      const known = readers.get(name);
      if (known) return void known.push(read);
      const all = [read];
      readers.set(name, all);
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          const values = await Promise.all(all.map((each) => each()));
          this.set(values.reduce((sum, value) => sum + value, 0));
        },
      });
    },
    /** A gauge with a value for each value of a label. */
    gaugeBy(name: string, help: string, label: string, read: () => Promise<Map<string, number>>): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const values = await read();
          this.reset();
          for (const [key, value] of values) this.set({ [label]: key }, value);
        },
      });
    },
    /** The counter of this name, which cells share. */
    counter: <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
      (registry.getSingleMetric(name) as Counter<Label> | undefined) ??
      new Counter({ name, help, labelNames, registers: [registry] }),
    /** The histogram of this name, which cells share. */
    histogram: (name: string, help: string, buckets: number[]) =>
      (registry.getSingleMetric(name) as Histogram | undefined) ??
      new Histogram({ name, help, buckets, registers: [registry] }),
    /** A gauge whose value never changes: its labels say something. */
    info: (name: string, help: string, labels: Record<string, string>) =>
      new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] }).set(labels, 1),
    withProcess: () => collectDefaultMetrics({ register: registry }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Routes with durations of their own. */
const WATCHED = new Set(['/v1/analytics/report-conversion', '/v1/files/upload']);
/** The durations of the others are together by the start of their path, such as `/v1/cms`. */
const groupOf = (route: string) =>
  WATCHED.has(route) ? route : (/^\/(?:v1\/[^/]+|auth|operator|shared|files)/.exec(route)?.[0] ?? 'other');

interface Durations {
  /** By bound, not cumulated; the last one is unbounded. */
  counts: number[];
  sum: number;
}

interface Requested {
  labels: Record<string, string>;
  count: number;
  durations: Durations;
}

type Value = { metricName?: string; labels: Record<string, string | number>; value: number };

/**
 * A counter of requests by what they belong to, method and status, and a histogram of their durations, which has 16 series for each
 * value of its only label: with the labels of the counter it had thousands. The library's histogram would take a microsecond for each
 * observation, which is a few percent of the time of a recorded event.
 */
class Requests {
  readonly #name: string;
  readonly #label: string;
  readonly #groupOf: (belongsTo: string) => string;
  readonly #bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  /** By route (or cell), method and status. */
  readonly #requested = new Map<string, Map<string, Map<number, Requested>>>();
  readonly #durations = new Map<string, Durations>();

  /** @param label what a request belongs to, besides its method and status @param groupOf whose durations are together */
  constructor(name: string, label: string, groupOf: (belongsTo: string) => string) {
    this.#name = name;
    this.#label = label;
    this.#groupOf = groupOf;
  }

  observe(method: string, belongsTo: string, status: number, seconds: number): void {
    const requested = this.#requested.get(belongsTo)?.get(method)?.get(status) ?? this.#add(method, belongsTo, status);
    requested.count++;
    const { durations } = requested;
    let i = 0;
    while (seconds > (this.#bounds[i] ?? Number.POSITIVE_INFINITY)) i++;
    durations.counts[i] = (durations.counts[i] ?? 0) + 1;
    durations.sum += seconds;
  }

  #add(method: string, belongsTo: string, status: number): Requested {
    const methods = this.#requested.getOrInsertComputed(belongsTo, () => new Map<string, Map<number, Requested>>());
    const statuses = methods.getOrInsertComputed(method, () => new Map<number, Requested>());
    const none = () => ({ counts: [...this.#bounds.map(() => 0), 0], sum: 0 });
    const durations = this.#durations.getOrInsertComputed(this.#groupOf(belongsTo), none);
    const labels = { method, [this.#label]: belongsTo, status: String(status) };
    const requested = { labels, count: 0, durations };
    statuses.set(status, requested);
    return requested;
  }

  /** In the form in which the registry reads metrics. */
  metrics() {
    const [histogram, counter] = [`${this.#name}_duration_seconds`, `${this.#name}s_total`];
    return [
      {
        name: histogram,
        get: async () => ({
          ...{ name: histogram, type: 'histogram', aggregator: 'sum' },
          help: `Time from the first byte of a request to the last byte of its response, by ${this.#label}`,
          values: [...this.#durations].flatMap(([group, durations]) => this.#valuesOf(histogram, group, durations)),
        }),
      },
      {
        name: counter,
        get: async () => ({
          ...{ name: counter, type: 'counter', aggregator: 'sum' },
          help: `Requests by method, ${this.#label} and status`,
          values: [...this.#requested.values()]
            .flatMap((methods) => [...methods.values()].flatMap((statuses) => [...statuses.values()]))
            .map(({ labels, count }): Value => ({ labels, value: count })),
        }),
      },
    ];
  }

  #valuesOf(name: string, group: string, { counts, sum }: Durations): Value[] {
    const labels = { [this.#label]: group };
    let count = 0;
    const buckets = counts.map((some, i): Value => {
      count += some;
      return { metricName: `${name}_bucket`, labels: { le: this.#bounds[i] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
