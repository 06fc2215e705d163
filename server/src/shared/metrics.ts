import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';

/** The metrics of `GET /metrics`. Each app has its own registry, so that tests do not share one. */
export function createMetrics() {
  const registry = new Registry();
  const requests = new RequestDurations(
    'headwater_http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response',
    'route',
  );
  const ofCells = new RequestDurations(
    'headwater_cell_request_duration_seconds',
    'The same by the cell of the account, where there are several',
    'cell',
  );
  const readers = new Map<string, (() => number | Promise<number>)[]>();
  for (const durations of [requests, ofCells]) registry.registerMetric(durations as unknown as Metric);
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

interface Durations {
  /** By bound, not cumulated; the last one is unbounded. */
  counts: number[];
  sum: number;
}

/**
 * A histogram of the durations of requests. The library's would take a microsecond for each observation, which is a few
 * percent of the time of a recorded event.
 */
class RequestDurations {
  readonly name: string;
  readonly #help: string;
  readonly #label: string;
  readonly #bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  /** By route (or cell), method and status. */
  readonly #routes = new Map<string, Map<string, Map<number, Durations>>>();

  /** @param label what a request belongs to, besides its method and status */
  constructor(name: string, help: string, label: string) {
    this.name = name;
    this.#help = help;
    this.#label = label;
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const durations = this.#routes.get(route)?.get(method)?.get(status) ?? this.#add(method, route, status);
    let i = 0;
    while (seconds > (this.#bounds[i] ?? Number.POSITIVE_INFINITY)) i++;
    durations.counts[i] = (durations.counts[i] ?? 0) + 1;
    durations.sum += seconds;
  }

  #add(method: string, route: string, status: number): Durations {
    const methods = this.#routes.get(route) ?? new Map<string, Map<number, Durations>>();
    const statuses = methods.get(method) ?? new Map<number, Durations>();
    const durations = { counts: [...this.#bounds.map(() => 0), 0], sum: 0 };
    this.#routes.set(route, methods.set(method, statuses.set(status, durations)));
    return durations;
  }

  /** The form in which the registry reads a metric. */
  async get() {
    const values: { metricName: string; labels: Record<string, string | number>; value: number }[] = [];
    for (const [route, methods] of this.#routes) {
      for (const [method, statuses] of methods) {
        for (const [status, { counts, sum }] of statuses) {
          const labels = { method, [this.#label]: route, status: String(status) };
          let count = 0;
          for (const [i, some] of counts.entries()) {
            count += some;
            const le = this.#bounds[i] ?? '+Inf';
            values.push({ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count });
          }
          values.push({ metricName: `${this.name}_sum`, labels, value: sum });
          values.push({ metricName: `${this.name}_count`, labels, value: count });
        }
      }
    }
    return { name: this.name, help: this.#help, type: 'histogram', values, aggregator: 'sum' };
  }
}
