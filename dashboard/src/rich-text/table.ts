import type { Node, ResolvedPos } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection } from 'prosemirror-state';

interface Place {
  table: Node;
  /** Before the table, and before its rows. */
  tableStart: number;
  row: number;
  column: number;
}

/** The cell that contains the selection. */
function placeOf({ selection: { $from } }: EditorState): Place | undefined {
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name !== 'table') continue;
    return { table: $from.node(depth), tableStart: $from.start(depth), ...indexesAt($from, depth) };
  }
  return undefined;
}

const indexesAt = ($from: ResolvedPos, depth: number) => ({ row: $from.index(depth), column: $from.index(depth + 1) });

export const isInTable = (state: EditorState): boolean => placeOf(state) !== undefined;

export const insertTable: Command = (state, dispatch) => {
  const { table, table_row: row, table_header: header, table_cell: cell } = state.schema.nodes;
  if (!table || !row || !header || !cell || isInTable(state)) return false;
  const rowOf = (type: typeof cell) =>
    row.create(null, Array.from({ length: 3 }, () => type.createAndFill() ?? []).flat());
  const made = table.create(null, [rowOf(header), rowOf(cell), rowOf(cell)]);
  if (dispatch) {
    const { tr } = state;
    const at = tr.selection.from;
    tr.replaceSelectionWith(made);
    // Into the first cell: after the starts of the table, the row, the cell and its paragraph.
    const start = tr.mapping.map(at, -1);
    tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(start + 1, tr.doc.content.size)), 1));
    dispatch(tr.scrollIntoView());
  }
  return true;
};

/** Replaces the rows of the table; the selection goes to a cell. */
function change(
  rowsOf: (rows: Node[], place: Place) => Node[],
  cellOf: (place: Place) => [row: number, column: number],
): Command {
  return (state, dispatch) => {
    const place = placeOf(state);
    if (!place) return false;
    if (!dispatch) return true;
    const { table, tableStart } = place;
    const rows = rowsOf([...table.children], place);
    const { tr } = state;
    if (rows.length === 0 || rows.every((row) => row.childCount === 0)) {
      dispatch(tr.delete(tableStart - 1, tableStart + table.content.size + 1).scrollIntoView());
      return true;
    }
    const changed = table.type.create(table.attrs, rows);
    tr.replaceWith(tableStart - 1, tableStart + table.content.size + 1, changed);
    const [row, column] = cellOf(place);
    dispatch(
      tr.setSelection(TextSelection.near(tr.doc.resolve(cellStart(changed, tableStart, row, column)))).scrollIntoView(),
    );
    return true;
  };
}

/** Inside of a cell. */
function cellStart(table: Node, tableStart: number, row: number, column: number): number {
  const found = Math.min(row, table.childCount - 1);
  let at = tableStart;
  for (let i = 0; i < found; i++) at += table.child(i).nodeSize;
  at++;
  for (let i = 0; i < Math.min(column, table.child(found).childCount - 1); i++)
    at += table.child(found).child(i).nodeSize;
  return at + 1;
}

const emptyLike = (cell: Node): Node[] => [cell.type.createAndFill() ?? []].flat();

const withCells = (row: Node, cells: readonly Node[]) => row.type.create(row.attrs, cells);

export const addRow = change(
  (rows, { table, row }) => {
    const body = table.type.schema.nodes.table_cell;
    const cells = table.child(row).children.flatMap(() => body?.createAndFill() ?? []);
    return rows.toSpliced(row + 1, 0, withCells(table.child(row), cells));
  },
  ({ row }) => [row + 1, 0],
);

export const deleteRow = change(
  (rows, { row }) => rows.toSpliced(row, 1),
  ({ row, column }) => [row, column],
);

export const addColumn = change(
  (rows, { column }) =>
    rows.map((row) => {
      const beside = row.maybeChild(Math.min(column, row.childCount - 1));
      return beside ? withCells(row, row.children.toSpliced(column + 1, 0, ...emptyLike(beside))) : row;
    }),
  ({ row, column }) => [row, column + 1],
);

export const deleteColumn = change(
  (rows, { column }) =>
    rows.map((row) => withCells(row, row.children.toSpliced(column, 1))).filter((row) => row.childCount > 0),
  ({ row, column }) => [row, Math.max(column - 1, 0)],
);

export const deleteTable = change(
  () => [],
  () => [0, 0],
);

/** To the next or previous cell; Tab in the last one adds a row. */
export const moveToCell =
  (step: 1 | -1): Command =>
  (state, dispatch) => {
    const place = placeOf(state);
    if (!place) return false;
    const { table, tableStart } = place;
    let { row, column } = place;
    column += step;
    if (column < 0) column = table.maybeChild(--row)?.childCount ?? 0;
    if (column < 0 || row < 0) return false;
    if (step === -1 && column > 0 && column === table.child(row).childCount) column--;
    if (column >= table.child(row).childCount) [row, column] = [row + 1, 0];
    if (row >= table.childCount) return addRow(state, dispatch);
    const at = state.doc.resolve(cellStart(table, tableStart, row, column));
    dispatch?.(state.tr.setSelection(TextSelection.near(at)).scrollIntoView());
    return true;
  };
