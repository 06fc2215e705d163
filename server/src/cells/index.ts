export { type BuildModules, Cells, type HostedCell } from './cells.ts';
export { CELL_COMMANDS } from './cli-commands.ts';
export {
  addCells,
  type CellConnection,
  cellConnections,
  cellStatus,
  inAllCells,
  inCellOf,
  moveCells,
  requireCell,
} from './commands.ts';
export { dispatchByCell } from './dispatch.ts';
export { movesWorker } from './move/moves-worker.ts';
export { openEmptyCell } from './open-cell.ts';
export { cellRoutes } from './routes.ts';
