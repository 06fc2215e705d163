import type { Metrics } from '../shared/metrics.ts';
import type { Database } from '../shared/postgres/database.ts';
import type { CellMeasures, CellMeter } from './measure.ts';

/**
 * The metrics of each cell.
 * @param databases of all cells; undefined: a cell that is not open
 */
export function cellMetrics(
  metrics: Metrics,
  meter: CellMeter,
  databases: () => ReadonlyMap<string, Database | undefined>,
): void {
  const gauge = (name: string, help: string, read: (db: Database) => number) =>
    metrics.gaugeBy(`headwater_cell_${name}`, help, 'cell', async () => {
      const values = new Map<string, number>();
      for (const [cell, db] of databases()) if (db) values.set(cell, read(db));
      return values;
    });
  gauge('connections', 'Connections of this process to the cell', ({ pool }) => pool.totalCount);
  gauge('connections_idle', 'Those that are idle', ({ pool }) => pool.idleCount);
  gauge('waiting', 'Requests of this process that wait for a connection to the cell', ({ pool }) => pool.waitingCount);

  const measured = (name: string, help: string, read: (measures: CellMeasures) => number) =>
    metrics.gaugeBy(`headwater_cell_${name}`, help, 'cell', async () => {
      const values = new Map<string, number>();
      await Promise.all(
        [...databases()].map(async ([cell, db]) => {
          // It is away; `headwater_cell_up` says so.
          if (!(await db?.isAlive())) return;
          const measures = db && (await meter.measure(cell, db).catch(() => undefined));
          if (measures) values.set(cell, read(measures));
        }),
      );
      return values;
    });
  measured('size_bytes', 'Size of the tables of the cell', ({ bytes }) => bytes);
  measured(
    'recorded',
    'Visits, events and reports of conversions since the statistics of PostgreSQL began',
    ({ recorded }) => recorded,
  );
  measured(
    'lag_seconds',
    'Age of the oldest row of the cell that is not in reports yet',
    ({ lagSeconds }) => lagSeconds,
  );
  measured('queued', 'Jobs, changes and webhook deliveries of the cell that are due', ({ queued }) => queued);
  metrics.gaugeBy('headwater_cell_up', 'Whether the database of a cell responds', 'cell', async () => {
    const all = [...databases()].map(async ([cell, db]) => [cell, (await db?.isAlive()) ? 1 : 0] as const);
    return new Map(await Promise.all(all));
  });
}
