/** Databases that hold the data of accounts, and moves of accounts between them. */
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
export { addMasterKey, masterKeyStatus, rotateMasterKey } from './master-key.ts';
export { movesWorker } from './move/moves-worker.ts';
export { openEmptyCell } from './open-cell.ts';
export { cellRoutes } from './routes.ts';
