export { type BuildModules, Cells, type HostedCell } from './cells.ts';
export {
  addCell,
  addCells,
  type CellConnection,
  cellConnections,
  cellStatus,
  inAllCells,
  inCellOf,
  listCellsByCommand,
  moveCells,
  requireCell,
  setCellOpen,
  withSchema,
} from './commands.ts';
export { dispatchByCell } from './dispatch.ts';
export { openEmptyCell } from './open-cell.ts';
