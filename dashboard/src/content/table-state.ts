import { fromWhere, type Where } from './filter-tree.ts';

/** The sorting, search, filters and columns of a table of entries, held in its URL and in saved views. */
export interface TableState {
  sort?: string;
  q?: string;
  where?: Where;
  /** IDs of the fields that are shown. */
  columns?: string[];
}

/** Ignores whatever a hand-written URL gets wrong. */
export function readTableState({ sort, q, where, columns }: Record<string, unknown>): TableState {
  return {
    ...(typeof sort === 'string' && { sort }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(fromWhere(where) && { where: where as Where }),
    ...(Array.isArray(columns) && { columns: columns.filter((id) => typeof id === 'string') }),
  };
}
