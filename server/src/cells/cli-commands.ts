import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { addCell, cellStatus, listMovesByCommand, setCellOpen, withSchema } from './commands.ts';
import { drainCell, moveCell } from './move/drain.ts';
import { cancelMove, moveAccount } from './move/move-account.ts';
import { moveToNode } from './move/move-to-node.ts';
import { rebalanceCells } from './move/rebalance.ts';

interface CellOptions {
  schema?: string | undefined;
  to?: string | undefined;
  node?: string | undefined;
  strategy?: string | undefined;
  replica?: string | undefined;
  cancel: boolean;
  onProgress(step: string): void;
}

type Command = (deps: Deps, args: readonly string[], options: CellOptions) => Promise<object>;

/** The cells, with size and load, follow what the command responds. */
const withCells =
  (command: Command): Command =>
  async (deps, args, options) => ({
    ...(await command(deps, args, options)),
    ...(await cellStatus(deps.control, deps.secret)),
  });

const listWithMoves = withCells(({ control }) => listMovesByCommand(control));

/** The commands about cells, by their words. */
export const CELL_COMMANDS: Record<string, Command> = {
  'cells list': listWithMoves,
  'cells status': listWithMoves,
  'cells add': withCells(({ control, secret, clock }, [name, url], { schema, replica }) =>
    addCell(control, secret, required(name, '<name>'), withSchema(required(url, 'the URL'), schema, replica), clock()),
  ),
  'cells open': ({ control }, [name]) => setCellOpen(control, required(name, '<name>'), true),
  'cells close': ({ control }, [name]) => setCellOpen(control, required(name, '<name>'), false),
  'cells drain': withCells((deps, [name], { to, onProgress }) =>
    drainCell(deps, required(name, '<name>'), to, onProgress),
  ),
  'cells move': withCells((deps, [name, url], { schema, node, replica, onProgress }) =>
    node !== undefined
      ? moveToNode(deps, required(name, '<name>'), node, onProgress)
      : moveCell(deps, required(name, '<name>'), withSchema(required(url, 'the URL'), schema, replica), onProgress),
  ),
  'cells rebalance': withCells((deps, _args, { strategy, onProgress }) => rebalanceCells(deps, strategy, onProgress)),
  'accounts move': (deps, [id, cell], { cancel, onProgress }) =>
    cancel
      ? cancelMove(deps, required(id, '<id>'), onProgress)
      : moveAccount(deps, required(id, '<id>'), required(cell, '<cell>'), onProgress),
};

function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw badRequest('argument_missing', `${what} is required`);
  return value;
}
