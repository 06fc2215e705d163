/**
 * What a load takes on paper, from what was measured: a plain event in a request of its own, flushed to disk before it is
 * acknowledged (docs/performance.md, docs/sizing.md, docs/scaling.md).
 */
const BYTES_OF_LOG = 355;
const BYTES_ON_DISK = 1_000;
/** Of a process, whose requests share one core. */
const SERVICE_UTILIZATION = 0.6;
/** Cores of PostgreSQL in one cell. */
const CELL_CORES = 4;
const CELL_UTILIZATION = 0.5;
const POOL = 16;
/** The listeners and commands of a process. */
const CONNECTIONS_BESIDE = 3;

export const ASSUMPTIONS = {
  /** Processor time for each event. */
  serviceMicroseconds: 25,
  databaseMicroseconds: 37,
  sentences: [] as string[],
};

ASSUMPTIONS.sentences = [
  `${ASSUMPTIONS.serviceMicroseconds} µs of the service and ${ASSUMPTIONS.databaseMicroseconds} µs of PostgreSQL per event (1.21 cores at 19,390 events/s, divided as by \`npm run chaos -- cell-scaling\`)`,
  `processes use ${SERVICE_UTILIZATION * 100} % of a core each, PostgreSQL ${CELL_UTILIZATION * 100} % of ${CELL_CORES} cores per cell, so that peaks, reports and vacuum have room`,
  `${BYTES_OF_LOG} bytes of log and ${BYTES_ON_DISK} bytes on disk per event`,
  `each process connects to each cell with ${POOL} connections and ${CONNECTIONS_BESIDE} beside`,
  'requests are spread evenly over processes, and load over cells, by moves as above',
  'nothing was measured beyond one machine of four cores',
];

export interface Needs {
  serviceCores: number;
  processes: number;
  databaseCores: number;
  cells: number;
  connectionsPerCell: number;
  /** Megabytes per second. */
  logPerCell: number;
  /** Gigabytes. */
  diskPerDay: number;
}

export function needsOf(eventsPerSecond: number): Needs {
  const serviceCores = (eventsPerSecond * ASSUMPTIONS.serviceMicroseconds) / 1e6;
  const databaseCores = (eventsPerSecond * ASSUMPTIONS.databaseMicroseconds) / 1e6;
  const processes = Math.ceil(serviceCores / SERVICE_UTILIZATION);
  const cells = Math.ceil(databaseCores / (CELL_CORES * CELL_UTILIZATION));
  return {
    serviceCores,
    processes,
    databaseCores,
    cells,
    connectionsPerCell: processes * (POOL + CONNECTIONS_BESIDE),
    logPerCell: (eventsPerSecond * BYTES_OF_LOG) / cells / 1e6,
    diskPerDay: (eventsPerSecond * BYTES_ON_DISK * 86_400) / 1e9,
  };
}
