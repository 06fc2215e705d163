import pg from 'pg';
import { type Attributed, type AttributionAsked, attributeConversions } from './attribute-conversions.ts';
import { chooser } from './choose-sessions.ts';
import { countFunnel, type StepIds } from './count-funnel.ts';
import { type CountedPeriod, countSessions } from './count-sessions.ts';
import type { Credit } from './credits.ts';
import { asksForEvents, type Dimension, type Filters, type Include, type Period, PLATFORMS } from './dimensions.ts';
import { loadSegments, type Names } from './load-segments.ts';
import { SegmentCache } from './segment-cache.ts';
import { findPages } from './segment-queries.ts';

interface Base {
  accountId: string;
  filters: Filters;
  include: Include;
}

export interface CountQuery extends Base {
  kind: 'count';
  periods: { period: Period; starts: number[] }[];
  by: Dimension[];
}

export type Step = { event: string } | { page: string };

export interface FunnelQuery extends Base {
  kind: 'funnel';
  period: Period;
  window: number;
  unit: 'session' | 'visitor';
  steps: Step[];
}

export interface AttributionQuery extends AttributionAsked {
  kind: 'attribution';
}

export type ReportQuery = CountQuery | FunnelQuery | AttributionQuery;

/** Credits by value: null is none. */
export type AttributionResult = Pick<Attributed, 'conversions' | 'attributed'> & {
  rows: { value: string | null; credits: Credit[] }[];
};

/** Counted by value: null is none. */
export type Counted = Omit<CountedPeriod, 'by'> & {
  by: Partial<Record<Dimension, Map<string | null, CountedPeriod['total']>>>;
};

/** What a million sessions take. */
const CACHE_BYTES = 256 * 2 ** 20;

/** Makes reports from packed sessions, one at a time, on a connection of its own. */
export class Reports {
  readonly #connection: pg.PoolConfig;
  readonly #cache = new SegmentCache(CACHE_BYTES);
  #client: Promise<pg.Client> | undefined;

  constructor(connection: pg.PoolConfig) {
    this.#connection = connection;
  }

  async make(query: ReportQuery): Promise<Counted[] | number[] | AttributionResult> {
    const client = await this.#connected();
    try {
      if (query.kind === 'count') return await this.#count(client, query);
      return await (query.kind === 'funnel' ? this.#funnel(client, query) : this.#attribute(client, query));
    } catch (error) {
      // Whatever it was: the next report begins with a connection that is in no transaction.
      this.#client = undefined;
      await client.end().catch(() => {});
      throw error;
    } finally {
      this.#cache.trim();
    }
  }

  async #count(client: pg.Client, { accountId, periods, by, filters, include }: CountQuery): Promise<Counted[]> {
    const { names, ...population } = await loadSegments(client, this.#cache, {
      accountId,
      from: Math.min(...periods.map(({ period }) => period.from)),
      to: Math.max(...periods.map(({ period }) => period.to)),
      withEvents: asksForEvents(filters, by),
    });
    const choose = chooser(filters, await idsIn(names, filters));
    const counted = periods.map((each) => countSessions(population, choose, { ...each, by, include }));
    const ids = new Set(counted.flatMap((each) => Object.values(each.by).flatMap((values) => [...values.keys()])));
    const textOf = await texts(names, [...ids]);
    return counted.map((each) => ({
      ...each,
      by: Object.fromEntries(
        Object.entries(each.by).map(([dimension, values]) => [
          dimension,
          new Map([...values].map(([id, counts]) => [textOf(dimension, id), counts])),
        ]),
      ),
    }));
  }

  async #attribute(client: pg.Client, query: AttributionQuery): Promise<AttributionResult> {
    const { names, credits, ...counts } = await attributeConversions(client, this.#cache, query);
    const textOf = await texts(names, [...credits.keys()]);
    return { ...counts, rows: [...credits].map(([id, each]) => ({ value: textOf(query.by, id), credits: each })) };
  }

  async #funnel(client: pg.Client, query: FunnelQuery): Promise<number[]> {
    const { accountId, filters, include, period, window, unit } = query;
    const { segments, names } = await loadSegments(client, this.#cache, {
      accountId,
      from: period.from,
      to: period.to + window,
      withEvents: true,
    });
    const choose = chooser(filters, await idsIn(names, filters));
    const steps: StepIds[] = [];
    for (const step of query.steps) steps.push(await idsOfStep(client, accountId, step, names));
    return countFunnel(segments, choose, steps, { period, window, by: unit, include });
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= (async () => {
      const client = new pg.Client({ ...this.#connection, types: NUMBERS, application_name: 'headwater-reports' });
      client.on('error', () => {
        this.#client = undefined;
      });
      await client.connect();
      return client;
    })().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }
}

/** As the pool reads them: numbers of sessions and versions are safe integers. */
const NUMBERS: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
};

/** What the numbers of values stand for. */
async function texts(names: Names, ids: number[]): Promise<(dimension: string, id: number) => string | null> {
  const known = await names.textsOf(ids);
  return (dimension, id) =>
    id === 0 ? null : dimension === 'platform' ? (PLATFORMS[id - 1] ?? null) : (known.get(id) ?? null);
}

function idsIn(names: Names, filters: Filters): Promise<(name: string | null) => number> {
  const texts = new Set(Object.values(filters).flat());
  texts.delete(null);
  return names.numbersOf([...texts] as string[]);
}

/** A page that begins with `/` is one of any host; `*` at its end stands for anything. */
async function idsOfStep(client: pg.Client, accountId: string, step: Step, names: Names): Promise<StepIds> {
  if ('event' in step) {
    const idOf = await names.numbersOf([step.event]);
    return { events: new Set([idOf(step.event)]), pages: new Set() };
  }
  const isPrefix = step.page.endsWith('*');
  const anyHost = step.page.startsWith('/');
  // As pages are kept: without a slash at the end.
  const text = isPrefix ? step.page.slice(0, -1) : step.page.replace(/\/+$/, '');
  const fits = (page: string) => {
    const path = anyHost ? page.slice(page.indexOf('/') < 0 ? page.length : page.indexOf('/')) : page;
    return isPrefix ? path.startsWith(text) || `${path}/` === text : path === text;
  };
  const like = text.replace(/[\\%_]/g, '\\$&');
  const rows = await findPages(client, accountId, anyHost ? `%${like}%` : `${like.replace(/\/$/, '')}%`);
  const pages = rows.flatMap(({ id, name }) => (fits(name) ? id : []));
  return { events: new Set(), pages: new Set([...pages, ...names.freshWhere(fits)]) };
}
