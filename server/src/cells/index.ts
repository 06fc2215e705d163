export { type BuildModules, Cells, type HostedCell } from './cells.ts';
export {
  addCell,
  addCells,
  cellStatus,
  inCellOf,
  listCellsByCommand,
  requireCell,
  setCellOpen,
  withSchema,
} from './commands.ts';
export { dispatchByCell } from './dispatch.ts';
