import type { Deps } from '../shared/deps.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { requireOperator } from '../users/index.ts';
import type { Cells } from './cells.ts';
import { requireCell, setCellOpen } from './commands.ts';
import {
  CellAccounts,
  CellAccountsQuery,
  CellChange,
  CellMove,
  CellPath,
  Cells as CellsResponse,
  MovePath,
  MoveRequest,
} from './contract.ts';
import { readAccountsOfCell, readCells, requestCancel, requestMove } from './operate.ts';

// Whatever the state of the cell of the operator's own account.
const read = { access: 'user', rate: 'read', inControl: true } as const;
const write = { access: 'user', rate: 'write', inControl: true, confirm: true } as const;
const about = { tags: ['Operation'], security: [{ session: [] }] };

/** The cells of the service, for its operators: all accounts are in them. */
export function cellRoutes(app: App, deps: Deps, cells: Cells): void {
  const { control, log } = deps;

  const { get, post, patch } = routesOf(app, about);
  get('/operator/cells', {
    config: read,
    operationId: 'listCells',
    summary: 'List cells',
    description: 'Cells with their size, load and lag, and the accounts on their way between them.',
    returns: CellsResponse,
    handle: async ({ signedIn }) => {
      await requireOperator(control, signedIn.userId);
      return readCells(deps, cells);
    },
  });

  patch('/operator/cells/:cell', {
    config: write,
    operationId: 'changeCell',
    summary: 'Open or close a cell for new accounts',
    description: 'New accounts are created in cells that are open. The accounts of a closed cell stay and work.',
    params: CellPath,
    body: CellChange,
    returns: CellsResponse,
    handle: async ({ signedIn, params, body }) => {
      await requireOperator(control, signedIn.userId);
      await requireCell(control, params.cell);
      await setCellOpen(control, params.cell, body.isOpen);
      log.info({ cell: params.cell, isOpen: body.isOpen, user: signedIn.userId }, 'a cell was opened or closed');
      return readCells(deps, cells);
    },
  });

  get('/operator/cells/:cell/accounts', {
    config: read,
    operationId: 'listAccountsOfCell',
    summary: 'List the largest accounts of a cell',
    description: 'The 50 with the most visits and events, with `q` among those that match it.',
    params: CellPath,
    querystring: CellAccountsQuery,
    returns: CellAccounts,
    handle: async ({ signedIn, params, query }) => {
      await requireOperator(control, signedIn.userId);
      return readAccountsOfCell(deps, cells, params.cell, query.q);
    },
  });

  post('/operator/moves', {
    config: write,
    operationId: 'moveAccount',
    summary: 'Move an account to another cell',
    description: 'It is moved in the background while it is used; `GET /operator/cells` has the state.',
    body: MoveRequest,
    returns: CellMove,
    handle: async ({ signedIn, body }) => {
      await requireOperator(control, signedIn.userId);
      log.info({ account: body.account, cell: body.cell, user: signedIn.userId }, 'a move of an account is requested');
      return requestMove(deps, body.account, body.cell);
    },
  });

  post('/operator/moves/:account/cancel', {
    config: write,
    operationId: 'cancelMove',
    summary: 'Cancel a move of an account',
    description: 'Deletes the copy in the background. A move that has switched cannot be canceled.',
    params: MovePath,
    returns: CellMove,
    handle: async ({ signedIn, params }) => {
      await requireOperator(control, signedIn.userId);
      return requestCancel(deps, params.account);
    },
  });
}
