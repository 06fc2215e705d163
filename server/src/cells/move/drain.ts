import { badRequest, notFound } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { MAIN } from '../../shared/main-cell.ts';
import { sealedUrls } from '../cells.ts';
import { addCell, setCellOpen } from '../commands.ts';
import { DIRECTORY_CHANGED, findCell, listCells, removeCell } from '../directory.ts';
import { moveAccount } from './move-account.ts';
import { listAccountsOfCell } from './queries.ts';
import type { MoveDeps } from './sides.ts';

/** What a drain moved, and what it could not move. */
interface Drained {
  cell: string;
  moved: number;
  failed: { account: string; error: string }[];
}

/**
 * Moves all accounts of a cell, one after the other: to one cell, or each to the open cell with the fewest accounts. No new account
 * is created in the cell. An account that cannot be moved stays, and does not stop the others; repeat the command to finish.
 * @throws ApiError 404; 400 `no_open_cell`
 */
export async function drainCell(
  deps: MoveDeps,
  cell: string,
  to: string | undefined,
  onProgress: (step: string) => void,
): Promise<Drained> {
  const { control } = deps;
  if (to !== undefined && (await findCell(control, { name: to })).length === 0) throw notFound('cell');
  await setCellOpen(control, cell, false);
  const drained: Drained = { cell, moved: 0, failed: [] };
  const accounts = await listAccountsOfCell(control, { cell });
  for (const { id } of accounts) {
    const account = publicId('acc', id);
    const target = to ?? (await emptiestCell(deps, cell));
    try {
      await moveAccount(deps, account, target, (step) => onProgress(`${account} to ${target}: ${step}`));
      drained.moved++;
    } catch (error) {
      drained.failed.push({ account, error: (error as Error).message });
    }
  }
  return drained;
}

async function emptiestCell({ control }: MoveDeps, besides: string): Promise<string> {
  const open = (await listCells(control)).filter(({ name, is_open }) => is_open && name !== besides);
  const [emptiest] = open.sort((a, b) => a.accounts - b.accounts);
  if (emptiest) return emptiest.name;
  throw badRequest('no_open_cell', 'No other cell is open. Add or open one, or name it with --to.');
}

/**
 * Moves a cell to another database: adds it as a cell with the next free name (`eu-1` becomes `eu-1-2`), moves all accounts there,
 * and removes the old cell. The tables of the old database stay.
 * @throws ApiError 404; 400 for the main cell, which also contains what all accounts share
 */
export async function moveCell(deps: MoveDeps, cell: string, url: string, onProgress: (step: string) => void) {
  const { control, secret, clock } = deps;
  if (cell === MAIN) {
    throw badRequest(
      'cell_is_main',
      'Accounts leave the first database by `headwater cells drain main`. The rest moves by a backup.',
    );
  }
  if ((await findCell(control, { name: cell })).length === 0) throw notFound('cell');
  const to = await nextName(deps, cell, url);
  await addCell(control, secret, to, url, clock());
  const drained = await drainCell(deps, cell, to, onProgress);
  if (drained.failed.length === 0) await removeCell(control, { name: cell, channel: DIRECTORY_CHANGED });
  return { ...drained, to };
}

/** That of an earlier attempt, or the first free one. */
async function nextName({ control, secret }: MoveDeps, cell: string, url: string): Promise<string> {
  for (let i = 2; ; i++) {
    const name = `${cell}-${i}`;
    const [known] = await findCell(control, { name });
    if (!known || (known.url && sealedUrls(secret).open(known.url, name).toString() === url)) return name;
  }
}
